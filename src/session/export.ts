import { leafMarkerType } from "../../schemas/entry.ts";
import type { CustomEntry } from "./entry.ts";
import { entryOf } from "./record.ts";
import type { SessionIndex } from "./session-index.ts";
import { parentIdIn } from "./tree-shape.ts";

export interface ExportPlan {
	/** The entries to write after the header, in order; `exportedLine` makes their lines. */
	readonly seqs: readonly number[];
	/** What follows them where the leaf isn't the last of them, so that the file is opened at the leaf. */
	readonly marker?: CustomEntry;
}

/** What a session's file holds for pi: all entries but `leaf` entries, and where needed a marker of the leaf. */
export function planExport(index: SessionIndex): ExportPlan {
	const seqs: number[] = [];
	for (let seq = 1; seq <= index.length; seq++) if (index.kind(seq) !== "leaf") seqs.push(seq);
	const last = seqs.at(-1);
	if (last === undefined || index.id(last) === index.head) return { seqs };
	return {
		seqs,
		marker: {
			type: "custom",
			id: markerId(index),
			parentId: index.head,
			timestamp: index.time(index.length),
			customType: leafMarkerType,
		},
	};
}

/** An id that no entry has, the same for the same session. */
function markerId(index: SessionIndex): string {
	for (let number = index.length; ; number++) {
		const id = (0x1eaf0000 + number).toString(16).padStart(8, "0").slice(-8);
		if (index.seqOf(id) === undefined) return id;
	}
}

/** The line of an entry in the file: as stored, unless it hung below a `leaf` entry, which the file lacks. */
export function exportedLine(index: SessionIndex, seq: number, line: Uint8Array): Uint8Array {
	const parentId = parentIdIn(index, seq);
	if (parentId === index.parent(seq)) return line;
	return new TextEncoder().encode(JSON.stringify({ ...entryOf(line), parentId }));
}
