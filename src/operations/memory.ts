import type { Clock } from "../log/log.ts";

export interface MemoryLimits {
	/** Bytes that all requests of the instance hold at once. */
	readonly total: number;
	/** Bytes of one caller's requests, so that nobody takes all of it. */
	readonly each: number;
	/** Bytes of each request that are not counted: small ones always have a place. */
	readonly free: number;
	/** Milliseconds that a request waits for room. */
	readonly patience: number;
}

/** Milliseconds between two looks for room. Nobody is woken by another's request: workerd forbids it. */
const pause = 100;

/**
 * Counts what the requests of one instance hold of something that may be large. Who wants more than a caller may have
 * at all gets it when it is all theirs.
 */
export class Memory {
	readonly #limits: MemoryLimits;
	readonly #clock: Pick<Clock, "monotonic" | "sleep">;
	readonly #held = new Map<string, number>();
	#total = 0;

	constructor(limits: MemoryLimits, clock: Pick<Clock, "monotonic" | "sleep">) {
		this.#limits = limits;
		this.#clock = clock;
	}

	/** Bytes that are counted now. */
	get held(): number {
		return this.#total;
	}

	/** A place for one request; it holds nothing yet. `owner`: who calls. */
	open(owner: string): Place {
		const { total, each, free, patience } = this.#limits;
		let counted = 0;
		const count = (change: number) => {
			const held = (this.#held.get(owner) ?? 0) + change;
			if (held === 0) this.#held.delete(owner);
			else this.#held.set(owner, held);
			this.#total += change;
			counted += change;
		};
		const grow = (bytes: number) => {
			const more = Math.min(Math.max(0, bytes - free), each) - counted;
			if (more <= 0) return true;
			if (this.#total + more > total || (this.#held.get(owner) ?? 0) + more > each) return false;
			count(more);
			return true;
		};
		return {
			grow,
			take: async (bytes) => {
				const arrived = this.#clock.monotonic();
				while (!grow(bytes)) {
					if (this.#clock.monotonic() - arrived >= patience) return false;
					await this.#clock.sleep(pause);
				}
				return true;
			},
			release: () => count(-counted),
		};
	}
}

/** Others hold so much that there is no room for what is to be read. Nothing was done. */
export class NoRoom extends Error {
	override readonly name = "NoRoom";
}

/** What one request holds. */
export interface Place {
	/** Holds so many bytes in all, or still more where it did; false where there is no room. */
	grow(bytes: number): boolean;
	/** The same, but waits for room first. */
	take(bytes: number): Promise<boolean>;
	/** Holds nothing any more. */
	release(): void;
}

/** Holds so many bytes. @throws NoRoom */
export async function roomFor(place: Place, bytes: number): Promise<void> {
	if (!(await place.take(bytes))) throw new NoRoom();
}
