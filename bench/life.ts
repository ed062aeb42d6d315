import type { Stage } from "./growth.ts";
import { bytes, table, times } from "./table.ts";

/** What all appends of a session wrote, one entry each. Bytes. */
export interface Life {
	readonly entries: number;
	/** The session's lines. */
	readonly lines: number;
	/** By Leaflog: written and kept, which is the same. */
	readonly leaflog: number;
	/** Its largest commit. */
	readonly largest: number;
	/** By one object, written anew each time; it keeps the lines alone. */
	readonly oneObject: number;
}

export function lifeOf({ entries, bytes: lines, written }: Stage): Life {
	return {
		entries,
		lines,
		leaflog: written.bytes,
		largest: written.largest,
		oneObject: written.oneObject,
	};
}

export function lifeTable(lives: readonly Life[]): string {
	return table(lives, [
		{ title: "entries", cell: ({ entries }) => entries },
		{ title: "lines", cell: ({ lines }) => bytes(lines) },
		{ title: "Leaflog", cell: ({ leaflog }) => bytes(leaflog) },
		{ title: "of the lines", cell: ({ leaflog, lines }) => times(leaflog / lines) },
		{ title: "an append", cell: ({ leaflog, entries }) => bytes(leaflog / entries) },
		{ title: "largest", cell: ({ largest }) => bytes(largest) },
		{ title: "one object", cell: ({ oneObject }) => bytes(oneObject) },
		{ title: "of the lines", cell: ({ oneObject, lines }) => times(oneObject / lines) },
		{ title: "object per entry", cell: ({ lines }) => bytes(lines) },
	]);
}
