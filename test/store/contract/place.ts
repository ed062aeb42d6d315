import type { ObjectStore } from "../../../src/store/object-store.ts";

/** Declares a test that gets a corner of the bucket to itself, emptied afterwards. */
export type TestInPlace = (title: string, check: (at: Place) => Promise<void>, timeout?: number) => void;

/** A corner of the bucket that belongs to one test. */
export class Place {
	readonly store: ObjectStore;
	readonly prefix = `contract/${crypto.randomUUID()}/`;

	constructor(store: ObjectStore) {
		this.store = store;
	}

	key(name: string): string {
		return this.prefix + name;
	}

	async create(name: string, bytes: Uint8Array): Promise<void> {
		const outcome = await this.store.put(this.key(name), bytes, { ifAbsent: true });
		if (outcome.kind !== "created") throw new Error(`${name}: ${outcome.kind}`, { cause: outcome });
	}

	/** One small object for each name that isn't there yet, a few at a time. */
	async createAll(names: readonly string[]): Promise<void> {
		const waiting = [...new Set(names)];
		const work = async () => {
			for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
				await this.create(name, text(name));
		};
		await Promise.all(Array.from({ length: 16 }, work));
	}

	async found(name: string, options?: Parameters<ObjectStore["get"]>[1]) {
		const outcome = await this.store.get(this.key(name), options);
		if (outcome.kind !== "found") throw new Error(`${name}: ${outcome.kind}`);
		return outcome;
	}

	/** All pages of a listing, as full keys without the place's prefix. */
	async pages(limit?: number, prefix = "", after?: string): Promise<string[][]> {
		const pages: string[][] = [];
		for (let last = after; ; ) {
			const page = await this.store.list(this.key(prefix), { limit, after: last });
			pages.push(page.objects.map(({ key }) => key.slice(this.prefix.length)));
			if (!page.truncated) return pages;
			last = page.objects.at(-1)!.key;
		}
	}

	async names(prefix?: string, after?: string): Promise<string[]> {
		return (await this.pages(undefined, prefix, after)).flat();
	}

	async clear(): Promise<void> {
		await this.store.delete((await this.names()).map((name) => this.key(name)));
	}
}

export function text(value: string): Uint8Array {
	return new TextEncoder().encode(value);
}

export function string(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
	return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/** The order of the UTF-8 bytes, worked out by them. */
export function bytesOrder(left: string, right: string): number {
	const a = text(left);
	const b = text(right);
	for (let index = 0; index < Math.min(a.length, b.length); index++) {
		if (a[index] !== b[index]) return a[index]! - b[index]!;
	}
	return a.length - b.length;
}
