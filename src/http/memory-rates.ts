import type { Allowance, Counted, RateKind, RateLimiter } from "./rates.ts";

/** Calls a minute. */
export type Rates = { readonly [Kind in RateKind]: number };

/** Callers of a kind that are remembered: the one that called longest ago is forgotten first. */
const remembered = 20_000;

/**
 * Counts the calls of one instance in its memory. Whoever was silent for a minute may send as many at once as a minute
 * allows; what is used up comes back evenly.
 */
export class MemoryRates implements RateLimiter {
	readonly #rates: Rates;
	readonly #now: () => number;
	readonly #buckets = {
		namespaces: new Map<string, { left: number; at: number }>(),
		shares: new Map<string, { left: number; at: number }>(),
	};

	/** `now`: ms of a clock that nobody sets. */
	constructor(rates: Rates, now: () => number) {
		this.#rates = rates;
		this.#now = now;
	}

	take(kind: RateKind, { of, key }: Counted): Allowance {
		const buckets = this.#buckets[of];
		const most = this.#rates[kind];
		const name = `${kind} ${key}`;
		const now = this.#now();
		const known = buckets.get(name);
		const left = known ? Math.min(most, known.left + ((now - known.at) * most) / 60_000) : most;
		buckets.delete(name);
		buckets.set(name, { left: left >= 1 ? left - 1 : left, at: now });
		for (const oldest of buckets.keys()) {
			if (buckets.size <= remembered) break;
			buckets.delete(oldest);
		}
		if (left >= 1) return { kind: "taken" };
		return { kind: "exceeded", seconds: Math.max(1, Math.ceil(((1 - left) * 60) / most)) };
	}
}
