import type { Entry } from "../src/session/entry.ts";
import type { ListedObject, ObjectStore } from "../src/store/object-store.ts";
import { type Design, type Instance, pageSize } from "./design.ts";

const prefix = "session/";

/** The key of the n-th entry, from 1: the newest is the first of a LIST. */
export function entryKey(n: number): string {
	return `${prefix}${9_999_999_999 - n}-${n}.json`;
}

function numberOf({ key }: ListedObject): number {
	return Number(/-(\d+)\.json$/.exec(key)![1]);
}

/**
 * Naive: each entry is an object of its own, and carries nothing of the others. It knows neither whether an id was
 * there before nor where a branch goes until it has read the entries, and finds the latest compaction by reading back.
 */
export const objectPerEntry: Design = {
	name: "object per entry",
	open: () => new ObjectPerEntry(),
};

class ObjectPerEntry implements Instance {
	readonly #entries = new Map<number, Entry>();
	#newest = 0;

	async append(store: ObjectStore, entry: Entry): Promise<void> {
		if (this.#newest === 0) await this.leaf(store);
		const n = this.#newest + 1;
		const bytes = new TextEncoder().encode(JSON.stringify(entry));
		const put = await store.put(entryKey(n), bytes, { ifAbsent: true });
		if (put.kind !== "created") throw new Error(put.kind);
		this.#entries.set(n, entry);
		this.#newest = n;
	}

	/** Page by page back to the latest compaction, and to what it kept. */
	async context(store: ObjectStore): Promise<void> {
		if (await this.#isCurrent(store)) return;
		let until: string | undefined;
		for (let after: string | undefined; ; ) {
			const { objects, truncated } = await store.list(prefix, { ...(after && { after }) });
			for (let from = 0; from < objects.length; from += pageSize) {
				const entries = await this.#read(store, objects.slice(from, from + pageSize));
				until ??= entries.find(({ type }) => type === "compaction")?.firstKeptEntryId as string | undefined;
				if (entries.some(({ id }) => id === until)) return;
			}
			if (!truncated) return;
			after = objects.at(-1)!.key;
		}
	}

	/** Reads a page of keys while the entries of the one before are on their way. */
	async branch(store: ObjectStore): Promise<void> {
		const reads: Promise<unknown>[] = [];
		for (let after: string | undefined; ; ) {
			const { objects, truncated } = await store.list(prefix, { ...(after && { after }) });
			reads.push(...objects.map(async ({ key }) => (await store.get(key)).kind));
			if (!truncated) break;
			after = objects.at(-1)!.key;
		}
		await Promise.all(reads);
	}

	async page(store: ObjectStore): Promise<void> {
		await this.#read(store, (await store.list(prefix, { limit: pageSize })).objects);
	}

	tree = (store: ObjectStore) => this.branch(store);

	async leaf(store: ObjectStore): Promise<void> {
		await this.#read(store, (await store.list(prefix, { limit: 1 })).objects);
	}

	/** Whether nothing came after what is known: a GET of the next number. */
	async #isCurrent(store: ObjectStore): Promise<boolean> {
		return this.#newest > 0 && (await store.get(entryKey(this.#newest + 1))).kind === "absent";
	}

	async #read(store: ObjectStore, objects: readonly ListedObject[]): Promise<Entry[]> {
		return Promise.all(
			objects.map(async (object) => {
				const found = await store.get(object.key);
				if (found.kind !== "found") throw new Error(found.kind);
				const entry = JSON.parse(new TextDecoder().decode(found.bytes)) as Entry;
				this.#entries.set(numberOf(object), entry);
				this.#newest = Math.max(this.#newest, numberOf(object));
				return entry;
			}),
		);
	}
}
