import type { Clock } from "../src/log/log.ts";
import type { GetOptions, ListOptions, ObjectStore, PutOptions } from "../src/store/object-store.ts";

/** How long a store takes, in ms a request. */
export interface Latency {
	readonly put: number;
	readonly get: number;
	readonly list: number;
	readonly delete: number;
	/** What a connection moves beside that; not counted where it is left out. */
	readonly bytesPerMs?: number;
}

/** What object stores take within a region, about. */
export const latency: Latency = { put: 30, get: 15, list: 40, delete: 30 };

/** The same over connections of 50 MB/s. */
export const latencyAndTransfer: Latency = { ...latency, bytesPerMs: 50_000 };

/** Every request takes 1: with no limit on connections, time is the longest chain of requests that need one another's answers. */
export const oneRoundTrip: Latency = { put: 1, get: 1, list: 1, delete: 1 };

/** A store whose requests take time on a clock. */
export class SlowStore implements ObjectStore {
	readonly #store: ObjectStore;
	readonly #clock: Clock;
	readonly #latency: Latency;

	constructor(store: ObjectStore, clock: Clock, takes: Latency) {
		this.#store = store;
		this.#clock = clock;
		this.#latency = takes;
	}

	async put(key: string, bytes: Uint8Array, options?: PutOptions) {
		const { put } = this.#latency;
		return this.#take(put, this.#transfer(bytes.length), () => this.#store.put(key, bytes, options));
	}

	async get(key: string, options?: GetOptions) {
		const found = await this.#take(this.#latency.get, 0, () => this.#store.get(key, options));
		if (found.kind === "found") await this.#clock.sleep(this.#transfer(found.bytes.length));
		return found;
	}

	async list(prefix: string, options?: ListOptions) {
		return this.#take(this.#latency.list, 0, () => this.#store.list(prefix, options));
	}

	async delete(keys: readonly string[]) {
		return this.#take(this.#latency.delete, 0, () => this.#store.delete(keys));
	}

	/** What is asked for happens in the middle of the time that it takes. */
	async #take<T>(ms: number, transfer: number, work: () => Promise<T>): Promise<T> {
		await this.#clock.sleep(ms / 2 + transfer);
		const outcome = await work();
		await this.#clock.sleep(ms / 2);
		return outcome;
	}

	#transfer(bytes: number): number {
		return bytes / (this.#latency.bytesPerMs ?? Number.POSITIVE_INFINITY);
	}
}
