import { compareBytes } from "../src/store/byte-order.ts";
import { MemoryStore } from "../src/store/memory.ts";
import type {
	GetOptions,
	ListOptions,
	ListPage,
	ObjectStore,
	PutOptions,
} from "../src/store/object-store.ts";

/** A bucket that begins as another one is, and leaves that as it is: a try that nobody else sees. */
export class ForkedStore implements ObjectStore {
	readonly #base: ObjectStore;
	readonly #own = new MemoryStore({ now: () => 0 });

	constructor(base: ObjectStore) {
		this.#base = base;
	}

	async put(key: string, bytes: Uint8Array, options?: PutOptions) {
		if (options?.ifAbsent) {
			const there = await this.#base.get(key, { range: { offset: 0, length: 1 } });
			if (there.kind === "found") return { kind: "exists" as const };
		}
		return this.#own.put(key, bytes, options);
	}

	async get(key: string, options?: GetOptions) {
		const own = await this.#own.get(key, options);
		return own.kind === "absent" ? this.#base.get(key, options) : own;
	}

	async list(prefix: string, options?: ListOptions): Promise<ListPage> {
		const limit = options?.limit ?? 1000;
		const pages = [await this.#own.list(prefix, options), await this.#base.list(prefix, options)];
		const objects = new Map(pages.toReversed().flatMap((page) => page.objects.map((one) => [one.key, one])));
		const sorted = [...objects.values()].sort((one, other) => compareBytes(one.key, other.key));
		const truncated = sorted.length > limit || pages.some((page) => page.truncated);
		return { objects: sorted.slice(0, limit), truncated };
	}

	async delete(): Promise<void> {
		throw new Error("nothing is deleted in a fork");
	}
}
