import type { Clock } from "../log/log.ts";

/** A file that is being imported lies in memory, so an instance takes one at a time. */
export class ImportTurns {
	readonly #clock: Clock;
	readonly #patience: number;
	readonly #lease: number;
	#holder: { readonly since: number; readonly over: Promise<void> } | undefined;

	/** `patience`: ms to wait for one's turn. `lease`: ms after which a holder counts as ended by the platform. */
	constructor(parts: { readonly clock: Clock; readonly patience?: number; readonly lease?: number }) {
		this.#clock = parts.clock;
		this.#patience = parts.patience ?? 20_000;
		this.#lease = parts.lease ?? 60_000;
	}

	/** Does the work when it is its turn; undefined where it wasn't in time. */
	async take<T>(work: () => Promise<T>): Promise<T | undefined> {
		const arrived = this.#clock.monotonic();
		while (this.#holder !== undefined) {
			const now = this.#clock.monotonic();
			if (now - this.#holder.since > this.#lease) break;
			if (now - arrived > this.#patience) return undefined;
			await Promise.race([this.#holder.over, this.#clock.sleep(this.#patience / 20)]);
		}
		const { promise: over, resolve } = Promise.withResolvers<void>();
		const holder = { since: this.#clock.monotonic(), over };
		this.#holder = holder;
		try {
			return await work();
		} finally {
			if (this.#holder === holder) this.#holder = undefined;
			resolve();
		}
	}
}
