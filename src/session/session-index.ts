import { type Entry, parentIdOf } from "./entry.ts";
import { kindOf } from "./kind.ts";
import { type Meta, metaOf, timeOf } from "./summary.ts";

/**
 * The index of a session, without bodies. Entries are numbered from 1 in log order (`seq`).
 * A view of the log is one; `IndexOverlay` makes one of plain entries.
 */
export interface SessionIndex {
	/** Number of entries, `leaf` entries included. */
	readonly length: number;
	/** Id of the leaf, or null. */
	readonly head: string | null;
	seqOf(id: string): number | undefined;
	id(seq: number): string;
	/** The parent's id as it was given. */
	parent(seq: number): string | null;
	/** The parent's `seq`, or 0 where it is null, missing, or the entry itself. */
	parentSeq(seq: number): number;
	/** See `kindOf`. */
	kind(seq: number): string;
	/** The entry's timestamp, "" where it has none. */
	time(seq: number): string;
	/** Bytes of the entry's line. */
	byteLength(seq: number): number;
	/** See `metaOf`. Decoded on demand: ask only where the kind doesn't tell. */
	meta(seq: number): Meta;
}

const nothing: SessionIndex = {
	length: 0,
	head: null,
	seqOf: () => undefined,
	id: () => missing(),
	parent: () => missing(),
	parentSeq: () => missing(),
	kind: () => missing(),
	time: () => missing(),
	byteLength: () => missing(),
	meta: () => missing(),
};

function missing(): never {
	throw new RangeError("no entry has this seq");
}

/** Plain entries on top of an index: those of a batch before it is stored, or a whole session in memory. */
export class IndexOverlay implements SessionIndex {
	readonly #base: SessionIndex;
	readonly #entries: Entry[] = [];
	readonly #seqs = new Map<string, number>();
	readonly #metas = new Map<number, Meta>();
	#head: string | null;

	constructor(base: SessionIndex = nothing) {
		this.#base = base;
		this.#head = base.head;
	}

	/** Adds an entry at the end. The head moves to it, or to the target of a `leaf` entry. */
	push(entry: Entry): void {
		this.#entries.push(entry);
		if (this.seqOf(entry.id) === undefined) this.#seqs.set(entry.id, this.length);
		this.#head = headAfter(entry);
	}

	/** Puts the head elsewhere. */
	moveHead(head: string | null): void {
		this.#head = head;
	}

	/** The plain entry, if it is one of the overlay's own. */
	entry(seq: number): Entry | undefined {
		return this.#entries[seq - this.#base.length - 1];
	}

	get length(): number {
		return this.#base.length + this.#entries.length;
	}
	get head(): string | null {
		return this.#head;
	}
	seqOf(id: string): number | undefined {
		return this.#base.seqOf(id) ?? this.#seqs.get(id);
	}
	id(seq: number): string {
		return seq <= this.#base.length ? this.#base.id(seq) : this.#own(seq).id;
	}
	parent(seq: number): string | null {
		return seq <= this.#base.length ? this.#base.parent(seq) : parentIdOf(this.#own(seq));
	}
	parentSeq(seq: number): number {
		const parent = this.parent(seq);
		const found = parent === null ? undefined : this.seqOf(parent);
		return found === undefined || found === seq ? 0 : found;
	}
	kind(seq: number): string {
		return seq <= this.#base.length ? this.#base.kind(seq) : kindOf(this.#own(seq));
	}
	time(seq: number): string {
		return seq <= this.#base.length ? this.#base.time(seq) : timeOf(this.#own(seq));
	}
	byteLength(seq: number): number {
		return seq <= this.#base.length
			? this.#base.byteLength(seq)
			: new TextEncoder().encode(JSON.stringify(this.#own(seq))).length;
	}
	meta(seq: number): Meta {
		if (seq <= this.#base.length) return this.#base.meta(seq);
		let meta = this.#metas.get(seq);
		if (meta === undefined) {
			meta = metaOf(this.#own(seq));
			this.#metas.set(seq, meta);
		}
		return meta;
	}

	#own(seq: number): Entry {
		return this.#entries[seq - this.#base.length - 1] ?? missing();
	}
}

/** Where the leaf is after an entry: at it, or at the target of a `leaf` entry. */
export function headAfter(entry: Entry): string | null {
	if (entry.type !== "leaf") return entry.id;
	return typeof entry.targetId === "string" ? entry.targetId : null;
}

/** An index of entries in log order; the head is where the last of them puts it, unless given. */
export function indexOfEntries(entries: Iterable<Entry>, head?: string | null): IndexOverlay {
	const index = new IndexOverlay();
	for (const entry of entries) index.push(entry);
	if (head !== undefined) index.moveHead(head);
	return index;
}
