import type {
	GetOptions,
	GetOutcome,
	ListOptions,
	ListPage,
	ObjectStore,
	PutOptions,
	PutOutcome,
} from "../src/store/object-store.ts";
import { SortedKeys } from "../src/store/sorted-keys.ts";
import type { Extent, Spool } from "./spool.ts";

/** A bucket whose objects lie in a spool. Nothing is deleted from it. */
export class SpoolStore implements ObjectStore {
	readonly #spool: Spool;
	readonly #objects = new Map<string, Extent>();
	readonly #keys = new SortedKeys();

	constructor(spool: Spool) {
		this.#spool = spool;
	}

	/** Makes what lies in the spool an object. */
	place(key: string, extent: Extent): void {
		if (!this.#objects.has(key)) this.#keys.add(key);
		this.#objects.set(key, extent);
	}

	async put(key: string, bytes: Uint8Array, options: PutOptions = {}): Promise<PutOutcome> {
		if (options.ifAbsent && this.#objects.has(key)) return { kind: "exists" };
		this.place(key, this.#spool.append(bytes));
		return { kind: "created", etag: this.#etag(key) };
	}

	async get(key: string, options: GetOptions = {}): Promise<GetOutcome> {
		const object = this.#objects.get(key);
		if (object === undefined) return { kind: "absent" };
		const etag = this.#etag(key);
		if (options.ifMatch !== undefined && options.ifMatch !== etag) return { kind: "changed" };
		const from = Math.min(options.range?.offset ?? 0, object.length);
		const length = Math.min(options.range?.length ?? object.length, object.length - from);
		const bytes = this.#spool.read({ offset: object.offset + from, length });
		return { kind: "found", bytes, etag, size: object.length, modified: 0 };
	}

	async list(prefix: string, options: ListOptions = {}): Promise<ListPage> {
		const objects: ListPage["objects"][number][] = [];
		for (const key of this.#keys.from(prefix, options.after)) {
			if (objects.length === (options.limit ?? 1000)) return { objects, truncated: true };
			objects.push({ key, size: this.#objects.get(key)!.length, etag: this.#etag(key), modified: 0 });
		}
		return { objects, truncated: false };
	}

	async delete(): Promise<void> {
		throw new Error("nothing is deleted from a spool");
	}

	/** No two objects begin at the same place, but for empty ones. */
	#etag(key: string): string {
		const { offset, length } = this.#objects.get(key)!;
		return `"${offset}-${length}"`;
	}
}
