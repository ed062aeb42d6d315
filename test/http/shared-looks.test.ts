import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { EventReader } from "./event-reader.ts";
import { user, World } from "./world.ts";

/** Counts what is read of the bucket. */
function counting(counts: { reads: number }): (inner: ObjectStore) => ObjectStore {
	return (inner) => ({
		put: (...given) => inner.put(...given),
		delete: (keys) => inner.delete(keys),
		list: (...given) => {
			counts.reads++;
			return inner.list(...given);
		},
		get: (...given) => {
			counts.reads++;
			return inner.get(...given);
		},
	});
}

/** Lets all that is under way in this process go on until it waits for the clock. */
async function settle(): Promise<void> {
	for (let turn = 0; turn < 60; turn++) await setImmediate();
}

async function pass(world: World, ms: number): Promise<void> {
	for (let left = ms; left > 0; left -= 250) {
		world.clock.advance(250);
		await settle();
	}
}

/** A session with so many watchers, who came at different times. Their pauses are longer than what moves the clock. */
async function watched(watchers: number) {
	const counts = { reads: 0 };
	const watch = { firstPause: 300, heartbeat: Number.POSITIVE_INFINITY };
	const world = new World({ config: { watch }, wrap: counting(counts) });
	const session = await world.session([user("old")]);
	const readers: EventReader[] = [];
	for (let at = 0; at < watchers; at++) {
		const reader = await EventReader.open(world, `${session}/events`);
		await reader.next();
		readers.push(reader);
		await pass(world, 250);
	}
	const next = readers.map((reader) => reader.event());
	// By now the pauses of all are as long as they get.
	await pass(world, 30_000);
	counts.reads = 0;
	const leave = () => Promise.all(readers.map((reader) => reader.leave()));
	return { counts, world, session, readers, next, leave };
}

describe("many who watch one session in an instance", () => {
	it("a quiet minute: ten send as many requests to the store as one", async () => {
		const reads: number[] = [];
		for (const watchers of [1, 10]) {
			const { world, counts, leave } = await watched(watchers);
			await pass(world, 60_000);
			reads.push(counts.reads);
			await leave();
		}
		expect(reads[0]).toBeGreaterThanOrEqual(10);
		expect(reads[0]).toBeLessThanOrEqual(13);
		expect(reads[1]).toBeLessThanOrEqual(reads[0]! + 1);
	});

	it("a write of this instance: all ten are told after one look", async () => {
		const { world, session, counts, next, leave } = await watched(10);
		counts.reads = 0;
		await world.post(`${session}/entries`, user("new"));
		await settle();
		const seen = await Promise.all(next);
		expect(seen.map((event) => event?.id)).toEqual(Array(10).fill("2"));
		expect(counts.reads).toBe(1);
		await leave();
	});

	it("a write of another instance: whoever finds it tells all others", async () => {
		const { world, session, counts, next, leave } = await watched(10);
		await world.cold({ wrap: (inner) => inner }).post(`${session}/entries`, user("new"));
		let told = 0;
		for (const event of next) event.then(() => told++);
		let steps = 0;
		for (; told === 0; steps++) await pass(world, 250);
		// Within the longest pause of 5 seconds; nobody waits for a look of their own.
		expect(steps).toBeLessThanOrEqual(21);
		expect(told).toBe(10);
		expect(counts.reads).toBeLessThanOrEqual(4);
		await leave();
	});

	it("a deletion by another instance: all ten are told", async () => {
		const { world, session, next, leave } = await watched(10);
		await world.cold().call("DELETE", session);
		await pass(world, 6000);
		expect((await Promise.all(next)).map((event) => event?.event)).toEqual(Array(10).fill("deleted"));
		await leave();
	});

	it("who comes looks for themselves: what was acknowledged before is there at once", async () => {
		const { world, session, counts, leave } = await watched(10);
		for (let at = 2; at < 6; at++) {
			await world.cold().post(`${session}/entries`, user(`${at}`));
			counts.reads = 0;
			const polled = await world.get(`${session}/events?after=${at - 1}`, { Accept: "application/json" });
			expect(polled.body.seq).toBe(at);
			expect(counts.reads).toBeGreaterThan(0);
		}
		await leave();
	});

	it("a store that fails ends the streams of all, and who comes back misses nothing", async () => {
		let down = false;
		const watch = { firstPause: 300, longestPause: 300 };
		const world = new World({
			config: { watch },
			wrap: (inner) => ({
				put: (...given) => inner.put(...given),
				delete: (keys) => inner.delete(keys),
				list: (...given) => inner.list(...given),
				get: async (...given) => {
					if (down) throw new Error("the store is down");
					return inner.get(...given);
				},
			}),
		});
		const session = await world.session([user("old")]);
		const open = async (headers = {}) => {
			const reader = await EventReader.open(world, `${session}/events`, headers);
			await reader.next();
			return reader;
		};
		const readers = [await open(), await open(), await open()];
		const next = readers.map((reader) => reader.event().catch(() => undefined));
		down = true;
		await pass(world, 2000);
		expect(await Promise.all(next)).toEqual([undefined, undefined, undefined]);
		expect(world.clock.sleepers).toBe(0);
		down = false;
		await world.cold().post(`${session}/entries`, user("new"));
		const again = await EventReader.open(world, `${session}/events`, { "Last-Event-ID": "1" });
		expect((await again.event())?.id).toBe("2");
		await again.leave();
	});
});
