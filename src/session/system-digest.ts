import { isRecord, type JsonRecord, stringOf } from "./entry.ts";
import { contentText } from "./text.ts";
import { estimateTokens, jsonLength, tokensOf } from "./tokens.ts";

/**
 * The sizes of what a system message declares, so that the size of the replayed prompt is known without bodies.
 * Not all of a very large one: then only `k` is there.
 */
export type SystemDigest = {
	/** Estimated tokens of the message alone. */
	readonly k: number;
	/** Characters of its text. */
	readonly c?: number;
	/** Sections by name and length; -1 removes. */
	readonly s?: readonly (readonly [string, number])[];
	/** Tools added, by name and length of their JSON. */
	readonly a?: readonly (readonly [string, number])[];
	/** Tools removed. */
	readonly r?: readonly string[];
};

/** Names of more characters than this in one message are not listed. */
const mostNameCharacters = 4096;

function toolName(tool: unknown): string {
	return isRecord(tool) ? (stringOf(tool.name) ?? "") : "";
}

/** The sizes of a system message's parts. */
export function systemDigest(message: JsonRecord): SystemDigest {
	const k = estimateTokens({ ...message, role: "system" });
	const sections = isRecord(message.sections) ? Object.entries(message.sections) : [];
	const added = Array.isArray(message.toolsAdded) ? message.toolsAdded : [];
	const removed = (Array.isArray(message.toolsRemoved) ? message.toolsRemoved : []).map(toolName);
	const s = sections.map(
		([name, text]) => [name, text === null ? -1 : (stringOf(text)?.length ?? 0)] as const,
	);
	const a = added.map((tool) => [toolName(tool), jsonLength(tool)] as const);
	const names = [...s.map(([name]) => name), ...a.map(([name]) => name), ...removed];
	if (names.reduce((sum, name) => sum + name.length + 8, 0) > mostNameCharacters) return { k };
	const c = contentText(message.content, "\n").length;
	return {
		k,
		...(c > 0 ? { c } : {}),
		...(s.length > 0 ? { s } : {}),
		...(a.length > 0 ? { a } : {}),
		...(removed.length > 0 ? { r: removed } : {}),
	};
}

/** Tokens of the system message that these replay to, in order; an upper bound where one is too large to be listed. */
export function replayedTokens(digests: readonly SystemDigest[]): number {
	const sections = new Map<string, number>();
	const tools = new Map<string, number>();
	let text = 0;
	let unlisted = 0;
	for (const digest of digests) {
		if (!digest.c && !digest.s && !digest.a && !digest.r) unlisted += digest.k;
		if (digest.c) text += digest.c + (text > 0 ? 2 : 0);
		for (const [name, length] of digest.s ?? []) {
			if (length < 0) sections.delete(name);
			else sections.set(name, length);
		}
		for (const name of digest.r ?? []) tools.delete(name);
		for (const [name, length] of digest.a ?? []) tools.set(name, length);
	}
	let characters = text;
	for (const length of sections.values()) characters += length;
	// A JSON array of the tools: brackets, and a comma between any two.
	if (tools.size > 0) characters += 1 + tools.size;
	for (const length of tools.values()) characters += length;
	return unlisted + tokensOf(characters);
}
