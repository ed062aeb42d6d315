import type { ContextModel, ContextPlan, PlannedEntry } from "./context-plan.ts";
import { type Entry, epochOf, isRecord, type JsonRecord, messageOf } from "./entry.ts";
import { isReplacement } from "./summary.ts";

/** The bodies of the entries that a plan needs, by seq. */
export type Bodies = ReadonlyMap<number, Entry>;

export interface ProjectedEntry {
	readonly sourceEntryId: string;
	readonly messages: readonly JsonRecord[];
}

export interface SessionContext {
	readonly messages: readonly JsonRecord[];
	readonly thinkingLevel: string;
	readonly model: ContextModel | null;
}

/** The context as messages. Throws RangeError where a needed body is missing. */
export function buildContext(plan: ContextPlan, bodies: Bodies): SessionContext {
	return {
		messages: plan.entries.flatMap((planned) => plannedMessages(planned, bodies)),
		thinkingLevel: plan.thinkingLevel,
		model: plan.model,
	};
}

/** The context entries, as stored. */
export function contextEntries(plan: ContextPlan, bodies: Bodies): Entry[] {
	return plan.entries.map((planned) => bodyOf(bodies, planned.seq));
}

/** The messages of each context entry; `idOf` tells an entry's id, since silent ones need no body. */
export function projection(
	plan: ContextPlan,
	bodies: Bodies,
	idOf: (seq: number) => string,
): ProjectedEntry[] {
	return plan.entries.map((planned) => ({
		sourceEntryId: idOf(planned.seq),
		messages: plannedMessages(planned, bodies),
	}));
}

/** The messages that one entry of a plan gives, its edit applied. */
export function plannedMessages(planned: PlannedEntry, bodies: Bodies): JsonRecord[] {
	if (planned.gives === "none") return [];
	const messages = entryMessages(bodyOf(bodies, planned.seq));
	if (planned.edit === undefined) return messages;
	const { replacement } = bodyOf(bodies, planned.edit.seq);
	return isReplacement(replacement)
		? messages.map((message) => withContent(message, replacement.content))
		: messages;
}

/** The messages of an entry by itself: none for those that are settings, marks or bookkeeping. */
export function entryMessages(entry: Entry): JsonRecord[] {
	switch (entry.type) {
		case "message": {
			const message = messageOf(entry);
			return message === undefined ? [] : [contentFilled(message)];
		}
		case "custom_message":
			return [customMessage(entry)];
		case "branch_summary":
			return typeof entry.summary === "string" && entry.summary !== "" ? [branchSummaryMessage(entry)] : [];
		case "compaction": {
			const summary = compactionSummaryMessage(entry);
			return isRecord(entry.systemMessage) ? [entry.systemMessage, summary] : [summary];
		}
		default:
			return [];
	}
}

/** Files may hold null where a content belongs, or none. */
function contentFilled(message: JsonRecord): JsonRecord {
	if (message.content !== null && message.content !== undefined) return message;
	if (message.role === "system") return { ...message, content: "" };
	const listed = message.role === "user" || message.role === "assistant" || message.role === "toolResult";
	return listed ? { ...message, content: [] } : message;
}

const editable = new Set<unknown>(["user", "assistant", "toolResult", "custom"]);

/** The message with another content, where its role allows one; a text becomes a block where the role needs blocks. */
function withContent(message: JsonRecord, content: string | readonly unknown[]): JsonRecord {
	if (!editable.has(message.role)) return message;
	return { ...message, content: editedContent(message.role, content) };
}

/** An edit's content as a message of this role holds it. */
export function editedContent(
	role: unknown,
	content: string | readonly unknown[],
): string | readonly unknown[] {
	const needsBlocks = role === "assistant" || role === "toolResult";
	return needsBlocks && typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** A `custom_message` entry as a message. */
export function customMessage(entry: Entry): JsonRecord {
	return defined({
		role: "custom",
		customType: entry.customType,
		content: entry.content ?? [],
		display: entry.display,
		details: entry.details,
		timestamp: epochOrNull(entry),
	});
}

/** A `branch_summary` entry as a message. */
export function branchSummaryMessage(entry: Entry): JsonRecord {
	return defined({
		role: "branchSummary",
		summary: entry.summary,
		fromId: entry.fromId,
		timestamp: epochOrNull(entry),
	});
}

/** A `compaction` entry's summary as a message. */
export function compactionSummaryMessage(entry: Entry): JsonRecord {
	return defined({
		role: "compactionSummary",
		summary: entry.summary,
		tokensBefore: entry.tokensBefore,
		timestamp: epochOrNull(entry),
	});
}

/** Epoch milliseconds of an entry; null where its timestamp is none. */
function epochOrNull(entry: Entry): number | null {
	const epoch = epochOf(entry.timestamp);
	return Number.isNaN(epoch) ? null : epoch;
}

function defined(fields: JsonRecord): JsonRecord {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function bodyOf(bodies: Bodies, seq: number): Entry {
	const entry = bodies.get(seq);
	if (entry === undefined) throw new RangeError(`the body of entry ${seq} was not brought along`);
	return entry;
}
