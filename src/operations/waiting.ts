import type { Clock } from "../log/log.ts";

/** The pauses of somebody who waits: woken by a notice, ended by a signal. No timer outlives a pause. */
export class Waiting {
	readonly #clock: Clock;
	readonly #signal: AbortSignal | undefined;
	readonly #slice: number;
	readonly #onAbort = () => this.end();
	#rouse: () => void = () => {};
	#told = false;
	#ended = false;

	/**
	 * @param signal aborted when nobody waits for the outcome any more
	 * @param slice ms after which a pause looks whether there was a notice; finite where whoever gives it must not
	 * wake us: workerd lets no request go on with another's work
	 */
	constructor(clock: Clock, signal?: AbortSignal, slice: number = Number.POSITIVE_INFINITY) {
		this.#slice = slice;
		this.#clock = clock;
		this.#signal = signal;
		if (signal?.aborted) this.#ended = true;
		else signal?.addEventListener("abort", this.#onAbort, { once: true });
	}

	/** There was a notice that nobody has taken yet. */
	get told(): boolean {
		return this.#told;
	}

	/** Nobody waits for the outcome any more. */
	get ended(): boolean {
		return this.#ended;
	}

	wake(): void {
		this.#told = true;
		if (this.#slice === Number.POSITIVE_INFINITY) this.#rouse();
	}

	/** Whether there was a notice; the next one is another. */
	take(): boolean {
		const told = this.#told;
		this.#told = false;
		return told;
	}

	/** Ends after so many ms, or with a notice, or when nobody waits any more. */
	async rest(ms: number): Promise<void> {
		for (let left = ms; left > 0 && !this.#told && !this.#ended; left -= this.#slice) {
			await this.#sleep(Math.min(left, this.#slice));
		}
	}

	async #sleep(ms: number): Promise<void> {
		const over = new AbortController();
		const roused = new Promise<void>((resolve) => {
			this.#rouse = resolve;
		});
		await Promise.race([roused, this.#clock.sleep(ms, over.signal)]);
		over.abort();
	}

	/** Ends the pause, and any to come, and lets go of the signal. */
	end(): void {
		this.#ended = true;
		this.#signal?.removeEventListener("abort", this.#onAbort);
		this.#rouse();
	}
}
