import type { Clock } from "../src/log/log.ts";

interface Sleeper {
	readonly at: number;
	readonly wake: () => void;
}

/** A clock that jumps from event to event: what is measured on it depends on no machine. Milliseconds. */
export class VirtualTime implements Clock {
	#now = Date.UTC(2026, 0, 1);
	/** Who sleeps, by time; those before `#next` have woken. */
	#sleepers: Sleeper[] = [];
	#next = 0;

	now = (): number => this.#now;
	monotonic = (): number => this.#now;

	sleep(ms: number): Promise<void> {
		return new Promise((wake) => {
			const at = this.#now + ms;
			let place = this.#sleepers.length;
			while (place > this.#next && this.#sleepers[place - 1]!.at > at) place--;
			this.#sleepers.splice(place, 0, { at, wake });
		});
	}

	/** Lets time go by while nobody sleeps. */
	advance(ms: number): void {
		this.#now += ms;
	}

	/**
	 * Runs `work`, which waits for nothing but this clock, to its end.
	 * @returns ms that went by
	 */
	async run(work: () => Promise<unknown>): Promise<number> {
		const begun = this.#now;
		const outcome: { over: boolean; error?: unknown } = { over: false };
		work().then(
			() => {
				outcome.over = true;
			},
			(error: unknown) => {
				outcome.over = true;
				outcome.error = error;
			},
		);
		for (;;) {
			await settled();
			if (outcome.over) break;
			this.#wakeNext();
		}
		if (outcome.error !== undefined) throw outcome.error;
		return this.#now - begun;
	}

	/** Wakes all who sleep until the next moment. */
	#wakeNext(): void {
		const at = this.#sleepers[this.#next]?.at;
		if (at === undefined) throw new Error("the work waits for something else than the clock");
		this.#now = at;
		while (this.#sleepers[this.#next]?.at === at) this.#sleepers[this.#next++]!.wake();
		if (this.#next < 1000) return;
		this.#sleepers = this.#sleepers.slice(this.#next);
		this.#next = 0;
	}
}

/** When every promise has run as far as it can without the clock. */
function settled(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
