import type { ObjectStore } from "../store/object-store.ts";
import { loadBodies, planRanges } from "./bodies.ts";
import { genesisSeq, type LogState } from "./log-state.ts";
import type { JsonObject, LogView } from "./record.ts";
import type { PlannedReads } from "./scope.ts";

/** What a view needs to load bodies with. */
export interface BodySource {
	readonly store: ObjectStore;
	readonly gap: number;
	announce?(reads: PlannedReads): void;
	admit?(bytes: number): Promise<void>;
	/** Called when bodies were added, so that what is kept stays bounded. */
	loaded(): void;
}

/** A view of a log's state as it is now; what is folded in later is not seen. */
export class SnapshotView implements LogView {
	readonly commit: number;
	readonly length: number;
	readonly head: string | null;
	readonly #state: LogState;
	readonly #source: BodySource;

	constructor(state: LogState, source: BodySource) {
		this.#state = state;
		this.#source = source;
		this.commit = state.newest;
		this.length = state.index.length;
		this.head = state.index.head(this.length);
	}

	get genesis(): JsonObject {
		return this.#state.index.commit(0).genesis!.meta;
	}

	seqOf(id: string): number | undefined {
		const seq = this.#state.index.seqOf(id);
		return seq !== undefined && seq <= this.length ? seq : undefined;
	}

	id(seq: number): string {
		return this.#state.index.id(seq);
	}

	parent(seq: number): string | null {
		return this.#state.index.parent(seq);
	}

	parentSeq(seq: number): number {
		const parent = this.#state.index.parentSeq(seq);
		return parent <= this.length ? parent : 0;
	}

	kind(seq: number): string {
		return this.#state.index.kind(seq);
	}

	time(seq: number): string {
		return this.#state.index.time(seq);
	}

	byteLength(seq: number): number {
		return this.#state.index.byteLength(seq);
	}

	meta(seq: number): JsonObject {
		return this.#state.index.meta(seq);
	}

	commitOf(seq: number): number {
		return this.#state.index.commitOf(seq);
	}

	request(tag: string): readonly number[] {
		const { index } = this.#state;
		const first = index.seqOfTag(tag);
		if (first === undefined || first === genesisSeq || first > this.length) return [];
		const seqs = [first];
		const end = index.lastSeq(index.commitOf(first));
		for (let seq = first + 1; seq <= end && !index.startsRequest(seq); seq++) seqs.push(seq);
		return seqs;
	}

	async bodies(seqs: Iterable<number>): Promise<ReadonlyMap<number, Uint8Array>> {
		const wanted = [...seqs];
		const bytes = wanted.reduce((sum, seq) => (seq === genesisSeq ? sum : sum + this.byteLength(seq)), 0);
		await this.#source.admit?.(bytes);
		const bodies = await loadBodies(this.#source.store, this.#state, wanted, this.#source.gap);
		this.#source.loaded();
		return bodies;
	}

	announce(sets: Iterable<readonly number[]>): void {
		if (!this.#source.announce) return;
		let gets = 0;
		let bytes = 0;
		for (const seqs of sets) {
			const missing = seqs.filter((seq) => !this.#state.bodies.has(seq));
			const ranges = missing.length > 0 ? planRanges(this.#state.index, missing, this.#source.gap) : [];
			gets += ranges.length;
			bytes += ranges.reduce((sum, { length }) => sum + length, 0);
		}
		this.#source.announce({ gets, bytes });
	}

	async genesisBody(): Promise<Uint8Array> {
		return (await this.bodies([genesisSeq])).get(genesisSeq)!;
	}
}
