import { describe, expect, it } from "vitest";
import { probeStore } from "../../src/store/capability.ts";
import { type Fault, FaultyStore, scriptedFaults } from "../../src/store/faults.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { MeteredStore } from "../../src/store/metering.ts";
import { type ObjectStore, StoreUnavailable } from "../../src/store/object-store.ts";

const memory = () => new MemoryStore({ now: () => 0 });

async function keysOf(store: ObjectStore): Promise<string[]> {
	return (await store.list("")).objects.map(({ key }) => key);
}

/** The same store as an object whose parts can be replaced. */
function plain(store: ObjectStore): ObjectStore {
	return {
		put: (key, bytes, options) => store.put(key, bytes, options),
		get: (key, options) => store.get(key, options),
		list: (prefix, options) => store.list(prefix, options),
		delete: (keys) => store.delete(keys),
	};
}

function probing(store: ObjectStore) {
	const waits: number[] = [];
	const sleep = async (milliseconds: number) => void waits.push(milliseconds);
	return { outcome: probeStore(store, { name: "n1", sleep }), waits };
}

describe("capability probe", () => {
	it("a sound store: ready after five requests, nothing left behind, nothing else touched", async () => {
		const bucket = memory();
		await bucket.put("other", new Uint8Array(1));
		const store = new MeteredStore(bucket, { now: () => 0 });
		expect(await probing(store).outcome).toEqual({ kind: "ready" });
		const { get, put, list, delete: remove } = store.counts();
		expect([put, get, list, remove].map(({ requests }) => requests)).toEqual([2, 1, 1, 1]);
		expect(await keysOf(bucket)).toEqual(["other"]);
	});

	it("a store that ignores If-None-Match: refused with the reason, and tidied up", async () => {
		const bucket = memory();
		const outcome = await probing({ ...plain(bucket), put: (key, bytes) => bucket.put(key, bytes) }).outcome;
		expect(outcome).toMatchObject({ kind: "unfit", why: expect.stringContaining("ignores If-None-Match") });
		expect(await keysOf(bucket)).toEqual([]);
	});

	it("a store that says it refused but wrote, doesn't read back, or lists late: unfit, and tidied up", async () => {
		const flaws: ((bucket: ObjectStore) => Partial<ObjectStore>)[] = [
			(bucket) => ({
				put: async (key, bytes) => {
					const taken = (await bucket.get(key)).kind === "found";
					const outcome = await bucket.put(key, bytes);
					return taken ? { kind: "exists" } : outcome;
				},
			}),
			() => ({ get: async () => ({ kind: "absent" }) }),
			() => ({ list: async () => ({ objects: [], truncated: false }) }),
		];
		for (const flaw of flaws) {
			const bucket = memory();
			const outcome = await probing({ ...plain(bucket), ...flaw(bucket) }).outcome;
			expect(outcome.kind).toBe("unfit");
			expect(await keysOf(bucket)).toEqual([]);
		}
	});

	it("a refusal for a moment: waited out, whichever of the writes it meets", async () => {
		const refused: Fault = { kind: "refused", cause: "429" };
		for (const script of [
			[refused],
			[undefined, refused],
			[{ kind: "answer lost" } as const],
			[undefined, refused, refused],
		]) {
			const bucket = memory();
			const store = new FaultyStore(bucket, { plan: scriptedFaults(script), sleep: async () => {} });
			const { outcome, waits } = probing(store);
			expect(await outcome).toEqual({ kind: "ready" });
			expect(waits).toEqual(script.filter((fault) => fault !== undefined).map(() => 1100));
			expect(await keysOf(bucket)).toEqual([]);
		}
	});

	it("a store that is out of order: thrown, not called unfit", async () => {
		const store = new FaultyStore(memory(), { plan: () => ({ kind: "refused" }), sleep: async () => {} });
		await expect(probing(store).outcome).rejects.toBeInstanceOf(StoreUnavailable);
	});
});
