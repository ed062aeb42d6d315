import type { LogLimits } from "./limits.ts";
import type { Clock, Random } from "./scope.ts";

/** Snapshots whose wins are remembered. */
const remembered = 1000;

/** Fair turns between instances that create numbers of the same snapshots. */
export class Turns {
	readonly #clock: Clock;
	readonly #random: Random;
	readonly #limits: Pick<LogLimits, "firstPause" | "longestPause" | "winsInARow">;
	/** Wins back to back, and when the last one was, by prefix. */
	readonly #wins = new Map<string, { readonly count: number; readonly at: number }>();

	constructor(
		clock: Clock,
		random: Random,
		limits: Pick<LogLimits, "firstPause" | "longestPause" | "winsInARow">,
	) {
		this.#clock = clock;
		this.#random = random;
		this.#limits = limits;
	}

	won(prefix: string): void {
		const count = (this.#wins.get(prefix)?.count ?? 0) + 1;
		this.#wins.delete(prefix);
		this.#wins.set(prefix, { count, at: this.#clock.monotonic() });
		if (this.#wins.size > remembered) this.#wins.delete(this.#wins.keys().next().value!);
	}

	lost(prefix: string): void {
		this.#wins.delete(prefix);
	}

	/** Before a write: after several wins back to back a pause, in which a slower instance gets its turn. */
	async giveWay(prefix: string): Promise<void> {
		const wins = this.#wins.get(prefix);
		if (wins === undefined) return;
		const backToBack = this.#clock.monotonic() - wins.at <= this.#limits.firstPause;
		if (backToBack && wins.count < this.#limits.winsInARow) return;
		this.#wins.delete(prefix);
		if (backToBack) await this.#clock.sleep(this.#limits.firstPause * (2 + this.#random.fraction()));
	}

	/** Before another attempt (from 0): twice as long each time, with full jitter. */
	async pause(attempt: number): Promise<void> {
		const longest = Math.min(this.#limits.firstPause * 2 ** attempt, this.#limits.longestPause);
		await this.#clock.sleep(longest * this.#random.fraction());
	}
}
