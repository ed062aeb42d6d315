import type { JsonObject, LogView, NewRecord } from "./record.ts";

/** A view with the records of group-mates placed behind it: what the next request of a group is judged against. */
export class OverlayView implements LogView {
	readonly commit: number;
	length: number;
	head: string | null;
	readonly #base: LogView;
	readonly #records: NewRecord[] = [];
	readonly #seqs = new Map<string, number>();
	readonly #tags = new Map<string, number[]>();

	constructor(base: LogView) {
		this.#base = base;
		this.commit = base.commit;
		this.length = base.length;
		this.head = base.head;
	}

	/** Places the records of one request; true views of before keep their own length. */
	with(tag: string, records: readonly NewRecord[]): OverlayView {
		const next = new OverlayView(this.#base);
		for (const [known, seqs] of this.#tags) next.#tags.set(known, seqs);
		for (const record of [...this.#records, ...records]) next.#place(record);
		next.#tags.set(
			tag,
			Array.from(records, (_record, k) => this.length + k + 1),
		);
		return next;
	}

	#place(record: NewRecord): void {
		this.#records.push(record);
		this.#seqs.set(record.id, ++this.length);
		this.head = record.head === undefined ? record.id : record.head;
	}

	get genesis(): JsonObject {
		return this.#base.genesis;
	}

	seqOf(id: string): number | undefined {
		return this.#base.seqOf(id) ?? this.#seqs.get(id);
	}

	#own(seq: number): NewRecord | undefined {
		return this.#records[seq - this.#base.length - 1];
	}

	id(seq: number): string {
		return this.#own(seq)?.id ?? this.#base.id(seq);
	}

	parent(seq: number): string | null {
		const own = this.#own(seq);
		return own ? own.parent : this.#base.parent(seq);
	}

	parentSeq(seq: number): number {
		const own = this.#own(seq);
		if (!own) return this.#base.parentSeq(seq);
		const parent = own.parent === null ? undefined : this.seqOf(own.parent);
		return parent === undefined || parent === seq ? 0 : parent;
	}

	kind(seq: number): string {
		return this.#own(seq)?.kind ?? this.#base.kind(seq);
	}

	time(seq: number): string {
		return this.#own(seq)?.time ?? this.#base.time(seq);
	}

	byteLength(seq: number): number {
		return this.#own(seq)?.bytes.length ?? this.#base.byteLength(seq);
	}

	meta(seq: number): JsonObject {
		const own = this.#own(seq);
		return own ? (own.meta ?? {}) : this.#base.meta(seq);
	}

	commitOf(seq: number): number {
		return this.#own(seq) ? this.#base.commit + 1 : this.#base.commitOf(seq);
	}

	request(tag: string): readonly number[] {
		return this.#tags.get(tag) ?? this.#base.request(tag);
	}

	async bodies(seqs: Iterable<number>): Promise<ReadonlyMap<number, Uint8Array>> {
		const wanted = [...seqs];
		const bodies = new Map(await this.#base.bodies(wanted.filter((seq) => seq <= this.#base.length)));
		for (const seq of wanted) {
			const own = this.#own(seq);
			if (own) bodies.set(seq, own.bytes);
		}
		return bodies;
	}

	announce(sets: Iterable<readonly number[]>): void {
		this.#base.announce(Array.from(sets, (seqs) => seqs.filter((seq) => seq <= this.#base.length)));
	}

	genesisBody(): Promise<Uint8Array> {
		return this.#base.genesisBody();
	}
}
