import { compareBytes } from "./byte-order.ts";

/** So many new keys are put in their place one by one; more are sorted in together. */
const fewKeys = 16;

/** A set of distinct keys that is read in byte order. New keys are sorted in when somebody reads. */
export class SortedKeys {
	#sorted: string[] = [];
	#added: string[] = [];

	/** Adds a key that isn't in the set yet. */
	add(key: string): void {
		this.#added.push(key);
	}

	/** Keeps the keys that `stays` names. */
	retain(stays: (key: string) => boolean): void {
		this.#sorted = this.#sorted.filter(stays);
		this.#added = this.#added.filter(stays);
	}

	/** Keys that begin with `prefix` and come after `after`, in order; only as many as are taken. */
	*from(prefix: string, after: string | undefined): Generator<string> {
		this.#settle();
		const past = after !== undefined && compareBytes(after, prefix) >= 0;
		let index = past ? this.#firstPast(after, true) : this.#firstPast(prefix, false);
		for (; index < this.#sorted.length; index++) {
			const key = this.#sorted[index]!;
			if (!key.startsWith(prefix)) return;
			yield key;
		}
	}

	#settle(): void {
		if (this.#added.length === 0) return;
		if (this.#added.length <= fewKeys) {
			for (const key of this.#added) this.#sorted.splice(this.#firstPast(key, false), 0, key);
		} else {
			this.#sorted = this.#sorted.concat(this.#added).sort(compareBytes);
		}
		this.#added = [];
	}

	/** Index of the first key that is greater than `bound`, or equal to it unless `strictly`. */
	#firstPast(bound: string, strictly: boolean): number {
		let low = 0;
		let high = this.#sorted.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const order = compareBytes(this.#sorted[middle]!, bound);
			if (order < 0 || (strictly && order === 0)) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}
