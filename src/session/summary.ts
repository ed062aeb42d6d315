import { epochOf, isRecord, type JsonRecord, numberOf, stringOf } from "./entry.ts";
import { kindOf, roleOfKind } from "./kind.ts";
import { type SystemDigest, systemDigest } from "./system-digest.ts";
import { contentText, previewOf } from "./text.ts";
import { assistantCharacters, estimateTokens, plainCharacters, tokensOf } from "./tokens.ts";
import { packUsage } from "./usage.ts";

/** A JSON value of an index record. */
export type MetaValue =
	| null
	| boolean
	| number
	| string
	| readonly MetaValue[]
	| { readonly [key: string]: MetaValue };

/** What views need of an entry without its body. The keys are those of `EntryMeta`. */
export type Meta = { readonly [key: string]: MetaValue };

/** The keys of a meta record. All are optional; what is the rule is left out. */
export interface EntryMeta {
	/** Preview of the text: at most 80 characters and 120 bytes. */
	readonly v?: string;
	/** 1: a user message without text. */
	readonly e?: number;
	/** Estimated tokens, if more than 0; of a context edit: of its replacement in a message that isn't an assistant's. */
	readonly k?: number;
	/** Of a context edit: estimated tokens of its replacement in an assistant message, where they differ from `k`. */
	readonly ka?: number;
	/** The message's timestamp less the entry's, in ms, of a user or assistant message, unless 0. */
	readonly d?: number;
	/** The message's timestamp, where the entry has no valid one. */
	readonly at?: number;
	/** Provider and model; null where one is missing. */
	readonly m?: readonly [string | null, string | null];
	/** Usage, see `packUsage`. */
	readonly u?: readonly (number | null)[];
	/** Stop reason, unless `stop` or `toolUse`. */
	readonly s?: string;
	/** Tool call ids of an assistant message (null for one without), or the id that a tool result answers. */
	readonly c?: string | readonly (string | null)[];
	/** Target id of a label, leaf or context edit. */
	readonly t?: string | null;
	/** 1: the context edit omits its target. */
	readonly o?: number;
	/** Label. */
	readonly l?: string;
	/** Name. */
	readonly n?: string;
	/** Metadata of the session; null clears. */
	readonly md?: MetaValue;
	/** First kept entry's id. */
	readonly f?: string;
	/** Thinking level. */
	readonly h?: string;
	/** What a system message, or that of a compaction, declares. */
	readonly y?: SystemDigest;
}

type Fields = { readonly [field: string]: unknown };
type Draft = { -readonly [Key in keyof EntryMeta]: EntryMeta[Key] };

/** The entry's timestamp as the index holds it: its text, "" where it has none. */
export function timeOf(entry: Fields): string {
	if (typeof entry.timestamp === "string") return entry.timestamp;
	const epoch = epochOf(entry.timestamp);
	return Number.isNaN(epoch) ? "" : new Date(epoch).toISOString();
}

/** What views need of an entry without its body. */
export function metaOf(entry: Fields): Meta {
	const draft: Draft = {};
	const kind = kindOf(entry);
	const role = roleOfKind(kind);
	if (role !== undefined && isRecord(entry.message)) messageMeta(draft, entry, entry.message, role);
	else entryMeta.get(kind)?.(draft, entry);
	const meta: Record<string, MetaValue> = {};
	for (const [key, value] of Object.entries(draft)) if (value !== undefined) meta[key] = value as MetaValue;
	return meta;
}

/** The preview of an assistant message leaves room for its model: an index record stays under 200 bytes. */
const assistantPreview = 56;

function messageMeta(draft: Draft, entry: Fields, message: JsonRecord, role: string): void {
	const text = contentText(message.content, " ");
	tokens(draft, estimateTokens(message));
	switch (role) {
		case "user":
			if (text === "") draft.e = 1;
			preview(draft, text);
			activity(draft, entry, message);
			break;
		case "assistant":
			preview(draft, text, assistantPreview);
			activity(draft, entry, message);
			draft.m = model(message.provider, message.model);
			draft.u = packUsage(message.usage);
			draft.c = toolCallIds(message.content);
			if (message.stopReason !== "stop" && message.stopReason !== "toolUse")
				draft.s = name(message.stopReason);
			break;
		case "toolResult":
			preview(draft, text);
			draft.c = name(message.toolCallId);
			draft.u = packUsage(message.usage);
			break;
		case "bashExecution":
			preview(draft, stringOf(message.command) ?? "");
			break;
		case "system":
			preview(draft, text);
			draft.y = systemDigest(message);
			break;
		default:
			preview(draft, stringOf(message.summary) ?? text);
	}
}

const entryMeta = new Map<string, (draft: Draft, entry: Fields) => void>(
	Object.entries({
		model_change: (draft: Draft, entry: Fields) => {
			draft.m = model(entry.provider, entry.modelId);
		},
		thinking_level_change: (draft: Draft, entry: Fields) => {
			draft.h = name(entry.thinkingLevel);
		},
		compaction: (draft: Draft, entry: Fields) => {
			const summary = stringOf(entry.summary) ?? "";
			preview(draft, summary);
			tokens(draft, tokensOf(summary.length));
			draft.f = name(entry.firstKeptEntryId);
			draft.u = packUsage(entry.usage);
			if (isRecord(entry.systemMessage)) draft.y = systemDigest(entry.systemMessage);
		},
		context_edit: (draft: Draft, entry: Fields) => {
			const replacement = entry.replacement;
			if (replacement === null) draft.o = 1;
			else if (!isReplacement(replacement)) return;
			else {
				const { content } = replacement;
				const plain = tokensOf(plainCharacters(content));
				tokens(draft, plain);
				const asAssistant = typeof content === "string" ? plain : tokensOf(assistantCharacters(content));
				if (asAssistant !== plain) draft.ka = asAssistant;
				preview(draft, contentText(content, " "));
			}
			draft.t = name(entry.targetId);
		},
		branch_summary: (draft: Draft, entry: Fields) => {
			const summary = stringOf(entry.summary) ?? "";
			preview(draft, summary);
			tokens(draft, tokensOf(summary.length));
			draft.u = packUsage(entry.usage);
		},
		usage: (draft: Draft, entry: Fields) => {
			draft.m = model(entry.provider, entry.model);
			draft.u = packUsage(entry.usage);
			preview(draft, stringOf(entry.kind) ?? "");
		},
		custom: (draft: Draft, entry: Fields) => {
			preview(draft, stringOf(entry.customType) ?? "");
		},
		custom_message: (draft: Draft, entry: Fields) => {
			preview(draft, contentText(entry.content, " "));
			tokens(draft, tokensOf(plainCharacters(entry.content)));
		},
		label: (draft: Draft, entry: Fields) => {
			draft.t = name(entry.targetId);
			const label = stringOf(entry.label);
			if (label !== undefined && label.trim() !== "") draft.l = label;
		},
		session_info: (draft: Draft, entry: Fields) => {
			draft.n = stringOf(entry.name)?.trim() || undefined;
			if (isRecord(entry.metadata)) draft.md = entry.metadata as MetaValue;
			else if (entry.metadata === null) draft.md = null;
		},
		leaf: (draft: Draft, entry: Fields) => {
			draft.t = name(entry.targetId) ?? null;
		},
	}),
);

/** True where a context edit's replacement is one: an object with string or array content. */
export function isReplacement(value: unknown): value is { readonly content: string | readonly unknown[] } {
	return isRecord(value) && (typeof value.content === "string" || Array.isArray(value.content));
}

function preview(draft: Draft, text: string, characters = 80): void {
	const line = previewOf(text, characters);
	if (line !== "") draft.v = line;
}

function tokens(draft: Draft, count: number): void {
	if (count > 0) draft.k = count;
}

function name(value: unknown): string | undefined {
	return stringOf(value);
}

function model(provider: unknown, id: unknown): readonly [string | null, string | null] | undefined {
	return [stringOf(provider) ?? null, stringOf(id) ?? null];
}

function activity(draft: Draft, entry: Fields, message: JsonRecord): void {
	const time = numberOf(message.timestamp);
	if (time === undefined) return;
	const base = epochOf(timeOf(entry));
	if (Number.isNaN(base)) draft.at = time;
	else if (time !== base) draft.d = time - base;
}

function toolCallIds(content: unknown): readonly (string | null)[] | undefined {
	if (!Array.isArray(content)) return undefined;
	const ids: (string | null)[] = [];
	for (const block of content) {
		if (isRecord(block) && block.type === "toolCall") ids.push(stringOf(block.id) ?? null);
	}
	return ids.length > 0 ? ids : undefined;
}
