import type {
	GetOptions,
	GetOutcome,
	ListOptions,
	ListPage,
	ObjectStore,
	PutOptions,
	PutOutcome,
} from "./object-store.ts";
import { SortedKeys } from "./sorted-keys.ts";

interface StoredObject {
	readonly bytes: Uint8Array;
	readonly etag: string;
	readonly modified: number;
}

/**
 * A bucket in memory, for tests and simulations. Deterministic: ETags are counted, the time is that of `now`
 * (epoch milliseconds). What it holds shares no memory with what it is given or gives.
 */
export class MemoryStore implements ObjectStore {
	readonly #now: () => number;
	readonly #objects = new Map<string, StoredObject>();
	readonly #keys = new SortedKeys();
	#writes = 0;

	constructor(parts: { readonly now: () => number }) {
		this.#now = parts.now;
	}

	async put(key: string, bytes: Uint8Array, options: PutOptions = {}): Promise<PutOutcome> {
		const taken = this.#objects.has(key);
		if (taken && options.ifAbsent) return { kind: "exists" };
		this.#writes += 1;
		const etag = `"${this.#writes}"`;
		if (!taken) this.#keys.add(key);
		this.#objects.set(key, { bytes: copyOf(bytes), etag, modified: this.#now() });
		return { kind: "created", etag };
	}

	async get(key: string, options: GetOptions = {}): Promise<GetOutcome> {
		const object = this.#objects.get(key);
		if (object === undefined) return { kind: "absent" };
		const { etag, modified } = object;
		if (options.ifMatch !== undefined && options.ifMatch !== etag) return { kind: "changed" };
		const { offset, length } = options.range ?? { offset: 0, length: object.bytes.length };
		const bytes = copyOf(object.bytes.subarray(offset, offset + length));
		return { kind: "found", bytes, etag, size: object.bytes.length, modified };
	}

	async list(prefix: string, options: ListOptions = {}): Promise<ListPage> {
		const limit = options.limit ?? 1000;
		const objects: ListPage["objects"][number][] = [];
		for (const key of this.#keys.from(prefix, options.after)) {
			if (objects.length === limit) return { objects, truncated: true };
			const { bytes, etag, modified } = this.#objects.get(key)!;
			objects.push({ key, size: bytes.length, etag, modified });
		}
		return { objects, truncated: false };
	}

	async delete(keys: readonly string[]): Promise<void> {
		let removed = false;
		for (const key of keys) removed = this.#objects.delete(key) || removed;
		if (removed) this.#keys.retain((key) => this.#objects.has(key));
	}
}

/** A copy with its own buffer; `slice` of a Node Buffer would share it. */
function copyOf(bytes: Uint8Array): Uint8Array {
	return new Uint8Array(bytes);
}
