import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../src/store/memory.ts";
import { MeteredStore } from "../../src/store/metering.ts";
import { type ObjectStore, StoreUnavailable } from "../../src/store/object-store.ts";
import { ReadRetries } from "../../src/store/read-retries.ts";

/** A store whose requests take as long as `durations` say, on a clock that only they move. */
function timed(durations: number[]) {
	let now = 1000;
	const memory = new MemoryStore({ now: () => 0 });
	const spend = <T>(work: Promise<T>): Promise<T> => {
		now += durations.shift() ?? 0;
		return work;
	};
	const store: ObjectStore = {
		put: (key, bytes, options) => spend(memory.put(key, bytes, options)),
		get: (key, options) => spend(memory.get(key, options)),
		list: (prefix, options) => spend(memory.list(prefix, options)),
		delete: (keys) => spend(memory.delete(keys)),
	};
	return new MeteredStore(store, { now: () => now });
}

describe("metered store", () => {
	it("nothing sent: only zero bytes are told", () => {
		expect(timed([]).serverTiming()).toBe('bytes-read;desc="0", bytes-written;desc="0"');
	});

	it("one after the other: each kind's requests, summed time, and bytes", async () => {
		const store = timed([30.25, 1, 2, 4, 8]);
		await store.put("a", new Uint8Array(500), { ifAbsent: true });
		await store.get("a");
		await store.get("a", { range: { offset: 490, length: 100 } });
		await store.get("none");
		await store.list("");
		expect(store.serverTiming()).toBe(
			'get;desc="3";dur=7, put;desc="1";dur=30.3, list;desc="1";dur=8, bytes-read;desc="510", bytes-written;desc="500"',
		);
	});

	it("requests that overlap: their time counts once", async () => {
		let now = 0;
		const answers: (() => void)[] = [];
		const slow = new MemoryStore({ now: () => 0 });
		const store = new MeteredStore(
			{
				...unused,
				get: async (key) => {
					await new Promise<void>((answer) => answers.push(answer));
					return slow.get(key);
				},
			},
			{ now: () => now },
		);
		const both = [store.get("a"), store.get("b")];
		now = 10;
		answers[0]!();
		await both[0];
		now = 25;
		expect(store.counts().get).toEqual({ requests: 2, duration: 25 });
		answers[1]!();
		await both[1];
		now = 99;
		expect(store.counts().get).toEqual({ requests: 2, duration: 25 });
	});

	it("refused, failed and repeated requests: all were sent, all count", async () => {
		const memory = new MemoryStore({ now: () => 0 });
		let failures = 2;
		const store = new MeteredStore(
			{
				...unused,
				put: (key, bytes, options) => memory.put(key, bytes, options),
				get: (key) => (failures-- > 0 ? Promise.reject(new StoreUnavailable("busy")) : memory.get(key)),
			},
			{ now: () => 0 },
		);
		const retrying = new ReadRetries(store, { sleep: async () => {}, random: () => 0 });
		await retrying.put("a", new Uint8Array(7), { ifAbsent: true });
		await retrying.put("a", new Uint8Array(7), { ifAbsent: true });
		expect((await retrying.get("a")).kind).toBe("found");
		const counts = store.counts();
		expect([counts.put.requests, counts.get.requests]).toEqual([2, 3]);
		expect([counts.bytesWritten, counts.bytesRead]).toEqual([14, 7]);
	});

	it("a deletion of 2001 keys: three requests; of none: none", async () => {
		const store = timed([]);
		await store.delete(Array.from({ length: 2001 }, (_, index) => String(index)));
		await store.delete([]);
		expect(store.counts().delete.requests).toBe(3);
		expect(store.serverTiming()).toContain('delete;desc="3";dur=0');
	});
});

/** Fails where a test needs no request of that kind. */
const unused: ObjectStore = {
	put: () => Promise.reject(new Error("no put expected")),
	get: () => Promise.reject(new Error("no get expected")),
	list: () => Promise.reject(new Error("no list expected")),
	delete: () => Promise.reject(new Error("no delete expected")),
};
