import type {
	GetOptions,
	GetOutcome,
	ListOptions,
	ListPage,
	ObjectStore,
	PutOptions,
	PutOutcome,
} from "./object-store.ts";
import { StoreUnavailable } from "./object-store.ts";

export interface ReadRetriesParts {
	/** Waits so many milliseconds. */
	readonly sleep: (milliseconds: number) => Promise<void>;
	/** Uniform in [0, 1). */
	readonly random: () => number;
	/** Requests in all, the first included (default 4). */
	readonly attempts?: number;
	/** Longest wait before the second attempt, milliseconds; doubled for each one after it (default 50). */
	readonly firstWait?: number;
	/** Longest wait ever, milliseconds (default 1000). */
	readonly longestWait?: number;
}

/**
 * Repeats reads and deletions that the store gave no clear answer to, with full jitter. A `put` is sent once:
 * whether it took effect is for its caller to find out.
 */
export class ReadRetries implements ObjectStore {
	readonly #store: ObjectStore;
	readonly #parts: Required<ReadRetriesParts>;

	constructor(store: ObjectStore, parts: ReadRetriesParts) {
		this.#store = store;
		this.#parts = {
			sleep: parts.sleep,
			random: parts.random,
			attempts: parts.attempts ?? 4,
			firstWait: parts.firstWait ?? 50,
			longestWait: parts.longestWait ?? 1000,
		};
	}

	put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<PutOutcome> {
		return this.#store.put(key, bytes, options);
	}

	get(key: string, options?: GetOptions): Promise<GetOutcome> {
		return this.#repeat(() => this.#store.get(key, options));
	}

	list(prefix: string, options?: ListOptions): Promise<ListPage> {
		return this.#repeat(() => this.#store.list(prefix, options));
	}

	delete(keys: readonly string[]): Promise<void> {
		return this.#repeat(() => this.#store.delete(keys));
	}

	async #repeat<T>(send: () => Promise<T>): Promise<T> {
		const { sleep, random, attempts, firstWait, longestWait } = this.#parts;
		for (let attempt = 1; ; attempt++) {
			try {
				return await send();
			} catch (problem) {
				if (!(problem instanceof StoreUnavailable) || attempt >= attempts) throw problem;
			}
			await sleep(random() * Math.min(longestWait, firstWait * 2 ** (attempt - 1)));
		}
	}
}
