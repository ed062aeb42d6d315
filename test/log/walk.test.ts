import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeTombstone } from "../../src/log/commit.ts";
import {
	commitKey,
	logPrefix,
	namespacePrefix,
	snapshotPrefix,
	sweepKey,
	versionKey,
} from "../../src/log/keys.ts";
import { type FoundLog, walkLogs, walkNamespaces } from "../../src/log/walk.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";

const alive = new Uint8Array(500);

/** The same store, but a page of a LIST holds no more than so many keys. */
function paged(store: ObjectStore, limit: number): ObjectStore {
	return {
		put: (...args) => store.put(...args),
		get: (...args) => store.get(...args),
		list: (prefix, options) => store.list(prefix, { ...options, limit }),
		delete: (...args) => store.delete(...args),
	};
}

/** Ids that sort in ways of their own around one another and around their keys' "/". */
const id = fc.oneof(
	fc.constantFrom("a", "a-", "a.", "a0", "a-b", "a/b", "a~", "", "ä", "a\u0000", "\ud800"),
	fc.string(),
);
const bucket = fc.record({
	namespaces: fc.uniqueArray(
		fc.tuple(
			fc.string(),
			fc.uniqueArray(fc.tuple(id, fc.nat(6), fc.boolean()), { selector: ([one]) => one, maxLength: 8 }),
		),
		{ selector: ([name]) => name, maxLength: 5 },
	),
	limit: fc.integer({ min: 1, max: 12 }),
});

async function fill(
	namespaces: readonly (readonly [string, readonly (readonly [string, number, boolean])[]])[],
) {
	const store = new MemoryStore({ now: () => 0 });
	for (const [namespace, logs] of namespaces) {
		await store.put(versionKey(snapshotPrefix(namespace, "words"), 0), alive);
		for (const [id, newest, ended] of logs) {
			const prefix = logPrefix({ namespace, id });
			for (let n = 0; n <= newest; n++) {
				const isEnd = ended && n === newest;
				await store.put(commitKey(prefix, n), isEnd ? encodeTombstone(prefix, n, "writer-id-12") : alive);
			}
		}
	}
	for (const foreign of ["README", "zzz", `${"f".repeat(31)}g/x`, sweepKey("now")])
		await store.put(foreign, alive);
	return store;
}

async function all<T>(found: AsyncIterable<T>): Promise<T[]> {
	const items: T[] = [];
	for await (const item of found) items.push(item);
	return items;
}

describe("walk", () => {
	it("finds every namespace and every log once, with its newest number, however short the pages are", {
		timeout: 60_000,
	}, async () => {
		await fc.assert(
			fc.asyncProperty(bucket, async ({ namespaces, limit }) => {
				const store = paged(await fill(namespaces), limit);
				const hashes = (await all(walkNamespaces(store))).map(({ hash }) => `${hash}/`);
				expect(hashes).toEqual(namespaces.map(([name]) => namespacePrefix(name)).sort());
				for (const [namespace, logs] of namespaces) {
					const found = await all(walkLogs(store, namespace));
					const expected: FoundLog[] = logs.map(([id, newest, ended]) => ({ id, newest, ended }));
					expect(new Set(found)).toEqual(new Set(expected));
					expect(found).toHaveLength(expected.length);
				}
			}),
			{ seed: 1, numRuns: 150 },
		);
	});

	it("goes on after any of them", { timeout: 60_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(bucket, async ({ namespaces, limit }) => {
				const store = paged(await fill(namespaces), limit);
				const hashes = await all(walkNamespaces(store));
				for (const [at, namespace] of hashes.entries()) {
					expect(await all(walkNamespaces(store, namespace))).toEqual(hashes.slice(at + 1));
					const logs = await all(walkLogs(store, namespace));
					for (const [k, { id }] of logs.entries()) {
						expect(await all(walkLogs(store, namespace, id))).toEqual(logs.slice(k + 1));
					}
				}
			}),
			{ seed: 2, numRuns: 100 },
		);
	});

	it("skips through what is large: a LIST a log, not one a thousand of its objects", async () => {
		const store = await fill([
			[
				"somebody",
				[
					["big", 5000, false],
					["small", 1, false],
				],
			],
		]);
		let lists = 0;
		const counting: ObjectStore = {
			...paged(store, 1000),
			list: (prefix, options) => {
				lists += 1;
				return store.list(prefix, { ...options, limit: 1000 });
			},
		};
		expect(await all(walkLogs(counting, "somebody"))).toHaveLength(2);
		expect(lists).toBe(2);
		lists = 0;
		expect(await all(walkNamespaces(counting))).toHaveLength(1);
		expect(lists).toBe(2);
	});
});
