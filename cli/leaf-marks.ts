import type { FileEntry, FileLine } from "./session-file.ts";

/**
 * Marks of the leaf: what an export ends with so that pi opens the file there. They say nothing and are never sent; pi
 * goes on below them, though, and names them as it names any entry.
 */
const markType = "leaflog.leaf";

function isMark(entry: FileEntry): boolean {
	return entry.type === "custom" && entry.customType === markType;
}

/** Whether a file has marks that it doesn't end with. */
export function hasInnerMarks(lines: readonly FileLine[]): boolean {
	return lines.slice(0, -1).some(({ entry }) => isMark(entry));
}

/** The leaf that pi opens a file at: its last entry, or the one that a mark in last place stands below. */
export function leafOf(lines: readonly FileLine[]): string | null {
	return new Marks(lines).above(lines.at(-1)?.entry.id ?? null);
}

/** The entries without marks: what hangs below one, or names one, does so with what was marked. */
export function withoutMarks(lines: readonly FileLine[]): FileLine[] {
	if (!lines.some(({ entry }) => isMark(entry))) return [...lines];
	const marks = new Marks(lines);
	return lines
		.filter(({ entry }) => !isMark(entry))
		.map((line) => ({ ...line, entry: marks.resolved(line.entry) }));
}

class Marks {
	readonly #entries: ReadonlyMap<string, FileEntry>;

	constructor(lines: readonly FileLine[]) {
		this.#entries = new Map(lines.map(({ entry }) => [entry.id, entry]));
	}

	/** An entry that is no mark: this one, or the next above. */
	above(id: string | null): string | null {
		const met = new Set<string>();
		for (let at = id; at !== null && this.#is(at) && !met.has(at); at = this.#parentOf(at)) {
			met.add(at);
			id = this.#parentOf(at);
		}
		return id;
	}

	/** The same entry, with the names of marks replaced. */
	resolved(entry: FileEntry): FileEntry {
		const { parentId, targetId, fromId, firstKeptEntryId: kept } = entry;
		return {
			...entry,
			...(this.#is(parentId) && { parentId: this.above(parentId) }),
			...(this.#is(targetId) && { targetId: this.above(targetId) }),
			...(this.#is(fromId) && { fromId: this.above(fromId) ?? "root" }),
			...(this.#is(kept) && { firstKeptEntryId: this.#below(kept, entry) }),
		};
	}

	/** The first entry on the way from a mark down to an entry. */
	#below(mark: string, entry: FileEntry): string {
		const met = new Set<string>();
		let first = entry.id;
		for (let at = entry.parentId; at !== null && at !== mark && !met.has(at); at = this.#parentOf(at)) {
			met.add(at);
			if (!this.#is(at)) first = at;
		}
		return first;
	}

	#is(id: unknown): id is string {
		const entry = typeof id === "string" ? this.#entries.get(id) : undefined;
		return entry !== undefined && isMark(entry);
	}

	#parentOf(id: string): string | null {
		return this.#entries.get(id)?.parentId ?? null;
	}
}
