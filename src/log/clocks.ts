import type { Clock } from "./scope.ts";

/** A moment of one instance: both clocks, and its place in the order of that instance's moments. */
export interface Moment {
	readonly order: number;
	readonly wall: number;
	readonly monotonic: number;
}

/** Makes moments. Their order does not hang on clocks, which Workers stop between two I/Os. */
export class Moments {
	readonly #clock: Clock;
	#order = 0;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	now(): Moment {
		return { order: ++this.#order, wall: this.#clock.now(), monotonic: this.#clock.monotonic() };
	}

	/** Milliseconds since then, by the clock that went further: one may have stood still, the other been set back. */
	age(moment: Moment): number {
		return Math.max(this.#clock.now() - moment.wall, this.#clock.monotonic() - moment.monotonic);
	}
}
