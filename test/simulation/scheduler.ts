import type { Seeded } from "./seeded.ts";

interface Event {
	readonly time: number;
	/** Events of the same moment happen in any order, and the seed says in which. */
	readonly tie: number;
	readonly number: number;
	readonly run: () => void;
}

/**
 * The one thread of a run: events at moments of virtual time (ms), one after the other. After each event all
 * that follows from it without another event happens, so nothing is left to the machine that runs the simulation.
 */
export class Scheduler {
	/** True time, which no process of the simulation can see. */
	now = 0;
	/** Number of events so far: the order of all that happens. */
	step = 0;
	readonly #random: Seeded;
	readonly #heap: Event[] = [];
	#scheduled = 0;

	constructor(random: Seeded) {
		this.#random = random;
	}

	/** Schedules an event `delay` ms from now. */
	after(delay: number, run: () => void): void {
		this.#push({
			time: this.now + Math.max(0, delay),
			tie: this.#random.next(),
			number: this.#scheduled++,
			run,
		});
	}

	/** A promise that resolves `delay` ms from now. */
	pause(delay: number): Promise<void> {
		return new Promise((resolve) => this.after(delay, resolve));
	}

	/**
	 * Runs until no event is left.
	 * @throws Error after `limit` events: something goes round in circles.
	 */
	async run(limit: number): Promise<void> {
		for (const last = this.step + limit; this.#heap.length > 0; ) {
			if (this.step >= last) throw new Error(`no end after ${limit} events`);
			const event = this.#pop();
			this.now = event.time;
			this.step += 1;
			event.run();
			await settled();
		}
	}

	#push(event: Event): void {
		const heap = this.#heap;
		let at = heap.push(event) - 1;
		while (at > 0) {
			const above = (at - 1) >> 1;
			if (!isBefore(event, heap[above]!)) break;
			heap[at] = heap[above]!;
			at = above;
		}
		heap[at] = event;
	}

	#pop(): Event {
		const heap = this.#heap;
		const first = heap[0]!;
		const moved = heap.pop()!;
		let at = 0;
		for (let below = 1; below < heap.length; below = 2 * at + 1) {
			if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1;
			if (!isBefore(heap[below]!, moved)) break;
			heap[at] = heap[below]!;
			at = below;
		}
		if (heap.length > 0) heap[at] = moved;
		return first;
	}
}

function isBefore(one: Event, other: Event): boolean {
	if (one.time !== other.time) return one.time < other.time;
	return one.tie !== other.tie ? one.tie < other.tie : one.number < other.number;
}

/** When every promise has run as far as it can without a further event. */
function settled(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
