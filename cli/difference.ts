import { isDeepStrictEqual } from "node:util";
import type { Entry } from "../client/src/index.ts";
import { withoutMarks } from "./leaf-marks.ts";
import type { FileEntry, FileLine } from "./session-file.ts";

export interface Difference {
	/** Lines that only the file has, in order; see `withoutMarks`. */
	readonly fresh: readonly FileLine[];
	/** Entries that only the session has, `leaf` entries aside. */
	readonly missing: readonly Entry[];
	/** Ids that mean one thing here and another there. */
	readonly changed: readonly string[];
}

/** Compares a file's lines with what a session holds. Where an entry hangs is not looked at: it follows from its id. */
export function compare(lines: readonly FileLine[], stored: readonly Entry[]): Difference {
	const there = new Map(stored.map((entry) => [entry.id as string, entry]));
	const asSent = withoutMarks(lines);
	const sent = new Map(asSent.map(({ entry }) => [entry.id, entry]));
	const here = new Set(lines.map(({ entry }) => entry.id));
	const fresh = asSent.filter(({ entry }) => !there.has(entry.id));
	const missing = stored.filter(({ id, type }) => type !== "leaf" && !here.has(id));
	const changed = lines.flatMap(({ entry }) => {
		const other = there.get(entry.id);
		if (other === undefined || isStored(entry, other)) return [];
		return isStored(sent.get(entry.id) ?? entry, other) ? [] : [entry.id];
	});
	return { fresh, missing, changed };
}

/**
 * Whether a session holds just what a file's entry says. It may hold more, as the checkpoint of a compaction, and what
 * it has changed to keep it: a name without line breaks, an edit as blocks, no label where there are but spaces.
 */
function isStored(entry: FileEntry, stored: Entry): boolean {
	const other = new Map<string, unknown>(Object.entries(stored));
	return Object.entries(entry).every(([field, value]) => {
		if (field === "parentId") return true;
		const kept = other.get(field);
		if (isDeepStrictEqual(value, kept)) return true;
		if (field === "name" || field === "label") return inOneLine(value) === inOneLine(kept);
		if (field === "firstKeptEntryId") return value === null && kept === entry.id;
		return field === "replacement" && isDeepStrictEqual(blocks(value), blocks(kept));
	});
}

function inOneLine(value: unknown): string | undefined {
	return typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : undefined;
}

function blocks(replacement: unknown): unknown {
	const content = (replacement as { readonly content?: unknown } | null)?.content;
	return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
