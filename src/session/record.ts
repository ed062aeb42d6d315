import { type Entry, parentIdOf } from "./entry.ts";
import { kindOf } from "./kind.ts";
import { headAfter, type SessionIndex } from "./session-index.ts";
import { type Meta, metaOf, timeOf } from "./summary.ts";

/** An entry as the log takes it. */
export interface SessionRecord {
	readonly id: string;
	readonly parent: string | null;
	readonly kind: string;
	readonly time: string;
	/** Where the leaf is after it; left out: at the entry. */
	readonly head?: string | null;
	readonly meta: Meta;
	/** The entry's line, without a line feed. */
	readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

/** The record of an entry. `line` is its JSON text in UTF-8, made where it isn't given. */
export function recordOf(entry: Entry, line?: Uint8Array): SessionRecord {
	return {
		id: entry.id,
		parent: parentIdOf(entry),
		kind: kindOf(entry),
		time: timeOf(entry),
		...(entry.type === "leaf" ? { head: headAfter(entry) } : {}),
		meta: metaOf(entry),
		bytes: line ?? encoder.encode(JSON.stringify(entry)),
	};
}

/** The record of a stored entry as it is, from its index record and its line. */
export function recordAt(index: SessionIndex, seq: number, line: Uint8Array): SessionRecord {
	const kind = index.kind(seq);
	const meta = index.meta(seq);
	return {
		id: index.id(seq),
		parent: index.parent(seq),
		kind,
		time: index.time(seq),
		...(kind === "leaf" ? { head: typeof meta.t === "string" ? meta.t : null } : {}),
		meta,
		bytes: line,
	};
}

/** The entry of a stored line. Throws SyntaxError where it is no JSON. */
export function entryOf(line: Uint8Array): Entry {
	return JSON.parse(new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(line)) as Entry;
}
