import type {
	GetOptions,
	GetOutcome,
	ListOptions,
	ListPage,
	ObjectStore,
	PutOptions,
	PutOutcome,
} from "./object-store.ts";

/** Connections that may wait for an answer at once in one Workers invocation: https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections */
export const workersConnections = 6;

/** Lets only so many requests to a store be under way at once; the others wait in the order they came. */
export class ConnectionLimit implements ObjectStore {
	readonly #store: ObjectStore;
	readonly #waiting: (() => void)[] = [];
	#free: number;

	constructor(store: ObjectStore, connections: number = workersConnections) {
		this.#store = store;
		this.#free = connections;
	}

	put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<PutOutcome> {
		return this.#admit(() => this.#store.put(key, bytes, options));
	}

	get(key: string, options?: GetOptions): Promise<GetOutcome> {
		return this.#admit(() => this.#store.get(key, options));
	}

	list(prefix: string, options?: ListOptions): Promise<ListPage> {
		return this.#admit(() => this.#store.list(prefix, options));
	}

	delete(keys: readonly string[]): Promise<void> {
		return this.#admit(() => this.#store.delete(keys));
	}

	async #admit<T>(send: () => Promise<T>): Promise<T> {
		if (this.#free > 0) this.#free -= 1;
		else await new Promise<void>((admitted) => this.#waiting.push(admitted));
		try {
			return await send();
		} finally {
			const next = this.#waiting.shift();
			if (next === undefined) this.#free += 1;
			else next();
		}
	}
}
