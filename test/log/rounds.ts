import type { GetOptions, ListOptions, ObjectStore, PutOptions } from "../../src/store/object-store.ts";

/** Counts round trips: requests that are sent before any answer came share one. Queueing for connections is not counted. */
export class RoundsStore implements ObjectStore {
	rounds = 0;
	requests: string[] = [];
	bytesRead = 0;
	bytesWritten = 0;
	#open: (() => void)[] = [];
	readonly #store: ObjectStore;

	constructor(store: ObjectStore) {
		this.#store = store;
	}

	async #round<T>(what: string, send: () => Promise<T>): Promise<T> {
		this.requests.push(what);
		await new Promise<void>((resolve) => {
			this.#open.push(resolve);
			if (this.#open.length > 1) return;
			setImmediate(() => {
				this.rounds++;
				for (const answer of this.#open.splice(0)) answer();
			});
		});
		return send();
	}

	put(key: string, bytes: Uint8Array, options?: PutOptions) {
		this.bytesWritten += bytes.length;
		return this.#round("PUT", () => this.#store.put(key, bytes, options));
	}

	async get(key: string, options?: GetOptions) {
		const found = await this.#round("GET", () => this.#store.get(key, options));
		if (found.kind === "found") this.bytesRead += found.bytes.length;
		return found;
	}

	list(prefix: string, options?: ListOptions) {
		return this.#round("LIST", () => this.#store.list(prefix, options));
	}

	delete(keys: readonly string[]) {
		return this.#round("DELETE", () => this.#store.delete(keys));
	}

	/** Requests of a kind. */
	count(kind: "GET" | "PUT" | "LIST" | "DELETE"): number {
		return this.requests.filter((request) => request === kind).length;
	}
}
