import { MemoryStore } from "../../src/store/memory.ts";
import type { PutOutcome } from "../../src/store/object-store.ts";
import type { Scheduler } from "./scheduler.ts";

/** An object that a conditional PUT created, as it was then. */
export interface Landing {
	readonly step: number;
	readonly key: string;
	readonly bytes: Uint8Array;
}

/** The bucket itself, with a memory of all that was ever created in it. */
export class Bucket {
	readonly store: MemoryStore;
	readonly landings: Landing[] = [];
	readonly #scheduler: Scheduler;
	readonly #lastWrite = new Map<string, number>();

	constructor(scheduler: Scheduler) {
		this.#scheduler = scheduler;
		this.store = new MemoryStore({ now: () => Math.floor(scheduler.now) });
	}

	async put(key: string, bytes: Uint8Array, ifAbsent: boolean): Promise<PutOutcome> {
		this.#lastWrite.set(key, this.#scheduler.now);
		const outcome = await this.store.put(key, bytes, { ifAbsent });
		if (outcome.kind === "created" && ifAbsent) {
			this.landings.push({ step: this.#scheduler.step, key, bytes: new Uint8Array(bytes) });
		}
		return outcome;
	}

	/** Whether a key was written to within the last second: the service may answer 429. */
	isHot(key: string): boolean {
		return this.#scheduler.now - (this.#lastWrite.get(key) ?? Number.NEGATIVE_INFINITY) < 1000;
	}

	/** Whether another write to the key came just before: the service may answer 409. */
	isContended(key: string): boolean {
		return this.#scheduler.now - (this.#lastWrite.get(key) ?? Number.NEGATIVE_INFINITY) < 50;
	}
}
