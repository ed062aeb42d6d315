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
		await this.#wait(this.#latency.put, bytes.length);
		return this.#store.put(key, bytes, options);
	}

	async get(key: string, options?: GetOptions) {
		const found = await this.#store.get(key, options);
		await this.#wait(this.#latency.get, found.kind === "found" ? found.bytes.length : 0);
		return found;
	}

	async list(prefix: string, options?: ListOptions) {
		await this.#wait(this.#latency.list, 0);
		return this.#store.list(prefix, options);
	}

	async delete(keys: readonly string[]) {
		await this.#wait(this.#latency.delete, 0);
		return this.#store.delete(keys);
	}

	#wait(ms: number, bytes: number): Promise<void> {
		const { bytesPerMs } = this.#latency;
		return this.#clock.sleep(bytesPerMs === undefined ? ms : ms + bytes / bytesPerMs);
	}
}
