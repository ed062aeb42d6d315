import type { Chronicle, Refusal, Wish } from "./history.ts";

/**
 * The states a log went through, as the total order of its commits says. State k is the log after k commits:
 * 0 = not there yet, the last = after the tombstone where there is one.
 */
export class States {
	readonly #ended: number;
	readonly #lengths: readonly number[];
	readonly #heads: readonly (string | null)[];
	/** By id, the first state that holds it. */
	readonly #since = new Map<string, number>();
	readonly #tags = new Map<string, { readonly commit: number; readonly seqs: readonly number[] }>();
	readonly ids: readonly string[];
	/** The last state. */
	readonly last: number;

	constructor(chronicle: Chronicle) {
		const lengths = [0];
		const heads: (string | null)[] = [null];
		const ids: string[] = [];
		for (const [commit, { records }] of chronicle.commits.entries()) {
			let head = heads.at(-1) ?? null;
			for (const record of records) {
				ids.push(record.id);
				head = record.head;
				if (!this.#since.has(record.id)) this.#since.set(record.id, commit + 1);
				const seqs = this.#tags.get(record.tag)?.seqs ?? [];
				this.#tags.set(record.tag, {
					commit: this.#tags.get(record.tag)?.commit ?? commit,
					seqs: [...seqs, ids.length],
				});
			}
			lengths.push(ids.length);
			heads.push(head);
		}
		this.#lengths = lengths;
		this.#heads = heads;
		this.ids = ids;
		this.#ended = chronicle.ended === undefined ? Number.POSITIVE_INFINITY : chronicle.commits.length + 1;
		this.last = chronicle.commits.length + (chronicle.ended === undefined ? 0 : 1);
	}

	isAbsent(state: number): boolean {
		return state === 0;
	}

	isGone(state: number): boolean {
		return state >= this.#ended;
	}

	isLive(state: number): boolean {
		return !this.isAbsent(state) && !this.isGone(state) && state <= this.last;
	}

	length(state: number): number {
		return this.#lengths[state]!;
	}

	head(state: number): string | null {
		return this.#heads[state]!;
	}

	holds(state: number, id: string): boolean {
		return (this.#since.get(id) ?? Number.POSITIVE_INFINITY) <= state;
	}

	/** Where a request landed, or undefined. `seqs` from 1. */
	placeOf(tag: string): { readonly commit: number; readonly seqs: readonly number[] } | undefined {
		return this.#tags.get(tag);
	}

	/** Whether a wish may be refused for this reason in this state: it holds there, and the wish had not landed before. */
	justifies(state: number, wish: Wish, why: Refusal): boolean {
		const place = this.placeOf(wish.tag);
		if (!this.isLive(state) || (place && place.commit < state)) return false;
		switch (why) {
			case "length":
				return wish.ifLength !== undefined && this.length(state) !== wish.ifLength;
			case "target":
				return (wish.targets ?? []).some((id) => !this.holds(state, id));
			case "taken":
				return wish.records.some(({ id }) => this.holds(state, id));
			case "nothing":
				return wish.unlessHead !== undefined && this.head(state) === wish.unlessHead;
		}
	}
}
