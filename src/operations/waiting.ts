import type { Clock } from "../log/log.ts";

/** The pauses of somebody who waits: woken by a notice, ended by a signal. No timer outlives a pause. */
export class Waiting {
	readonly #clock: Clock;
	readonly #signal: AbortSignal | undefined;
	readonly #onAbort = () => this.end();
	#rouse: () => void = () => {};
	#told = false;
	#ended = false;

	/** `signal`: aborted when nobody waits for the outcome any more. */
	constructor(clock: Clock, signal?: AbortSignal) {
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
		this.#rouse();
	}

	/** Whether there was a notice; the next one is another. */
	take(): boolean {
		const told = this.#told;
		this.#told = false;
		return told;
	}

	/** Ends after so many ms, or with a notice, or when nobody waits any more. */
	async rest(ms: number): Promise<void> {
		if (this.#told || this.#ended) return;
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
