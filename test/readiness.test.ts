import { describe, expect, it } from "vitest";
import { Readiness } from "../src/readiness.ts";
import { FaultyStore } from "../src/store/faults.ts";
import { MemoryStore } from "../src/store/memory.ts";
import { type ObjectStore, StoreUnavailable } from "../src/store/object-store.ts";

/** Readiness over a store, on a clock that only the test turns. */
function readinessOf(bucket: ObjectStore) {
	const clock = { time: 100, now: () => 0, monotonic: () => clock.time, sleep: async () => {} };
	let down = false;
	const store = new FaultyStore(bucket, {
		plan: () => (down ? { kind: "refused" } : undefined),
		sleep: clock.sleep,
	});
	const readiness = new Readiness({
		open: () => store,
		clock,
		random: { bytes: (length) => new Uint8Array(length), fraction: () => 0 },
	});
	const requests = async (ask: () => Promise<unknown>) => {
		const before = store.sent.length;
		await ask();
		return store.sent.slice(before).map(({ kind }) => kind);
	};
	const turnDown = (value: boolean) => {
		down = value;
	};
	return { readiness, clock, requests, turnDown };
}

const memory = () => new MemoryStore({ now: () => 0 });

describe("readiness", () => {
	it("a sound store: probed once, then remembered for five seconds at a time, and only listed", async () => {
		const { readiness, clock, requests } = readinessOf(memory());
		expect(await readiness.check()).toEqual({ kind: "ready" });
		expect(await requests(() => readiness.check())).toEqual([]);
		clock.time += 4999;
		expect(await requests(() => readiness.check())).toEqual([]);
		clock.time += 1;
		expect(await requests(() => readiness.check())).toEqual(["list"]);
		expect(await readiness.check()).toEqual({ kind: "ready" });
	});

	it("an unfit store: said again and again, probed anew every five seconds", async () => {
		const bucket = memory();
		const careless = new Proxy(bucket, {
			get: (target, name: keyof ObjectStore) =>
				name === "put"
					? (key: string, bytes: Uint8Array) => target.put(key, bytes)
					: target[name].bind(target),
		});
		const { readiness, clock, requests } = readinessOf(careless);
		expect((await readiness.check()).kind).toBe("unfit");
		expect(await requests(() => readiness.check())).toEqual([]);
		clock.time += 5000;
		expect(await requests(() => readiness.check())).toEqual(["put", "put", "delete"]);
		expect((await readiness.check()).kind).toBe("unfit");
	});

	it("a store that is down: thrown, and asked again at once the next time", async () => {
		const { readiness, clock, turnDown } = readinessOf(memory());
		turnDown(true);
		await expect(readiness.check()).rejects.toBeInstanceOf(StoreUnavailable);
		turnDown(false);
		expect(await readiness.check()).toEqual({ kind: "ready" });
		clock.time += 5000;
		turnDown(true);
		await expect(readiness.check()).rejects.toBeInstanceOf(StoreUnavailable);
	});
});
