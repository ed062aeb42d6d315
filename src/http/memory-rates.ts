import type { Allowance, RateKind, RateLimiter } from "./rates.ts";

/** Calls a minute. */
export type Rates = { readonly [Kind in RateKind]: number };

/** Namespaces that are remembered: the one that called longest ago is forgotten first. */
const remembered = 20_000;

/**
 * Counts the calls of one instance in its memory. Whoever was silent for a minute may send as many at once as a minute
 * allows; what is used up comes back evenly.
 */
export class MemoryRates implements RateLimiter {
	readonly #rates: Rates;
	readonly #now: () => number;
	readonly #buckets = new Map<string, { left: number; at: number }>();

	/** `now`: ms of a clock that nobody sets. */
	constructor(rates: Rates, now: () => number) {
		this.#rates = rates;
		this.#now = now;
	}

	take(kind: RateKind, key: string): Allowance {
		const most = this.#rates[kind];
		const name = `${kind} ${key}`;
		const now = this.#now();
		const known = this.#buckets.get(name);
		const left = known ? Math.min(most, known.left + ((now - known.at) * most) / 60_000) : most;
		this.#buckets.delete(name);
		this.#buckets.set(name, { left: left >= 1 ? left - 1 : left, at: now });
		for (const oldest of this.#buckets.keys()) {
			if (this.#buckets.size <= remembered) break;
			this.#buckets.delete(oldest);
		}
		if (left >= 1) return { kind: "taken" };
		return { kind: "exceeded", seconds: Math.max(1, Math.ceil(((1 - left) * 60) / most)) };
	}
}
