import { describe, expect, it } from "vitest";
import { commitKey, commitNumber, logPrefix } from "../../src/log/keys.ts";
import type { Log } from "../../src/log/log.ts";
import { purgeLog, storeTime } from "../../src/log/purge.ts";
import type { ObjectStore, PutOutcome } from "../../src/store/object-store.ts";
import { appendOne, genesis, seededRandom, World } from "./instances.ts";

const name = { namespace: "n", id: "s" };
const prefix = logPrefix(name);
const minute = 60_000;
const hour = 60 * minute;

/** A log with so many entries, each in a commit of its own. */
async function begin(entries = 3, bytes = 200): Promise<{ world: World; log: Log }> {
	const world = new World();
	const log = world.instance();
	await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
	for (let k = 1; k <= entries; k++) await appendOne(log, world.scope(), name, `e${k}`, bytes);
	return { world, log };
}

/** What every call says of the log: the kinds of the answers. */
async function answers(world: World, log: () => Log): Promise<Record<string, string | number | null>> {
	const create = await log().create(world.scope(), name, { tag: "again", genesis, records: [] });
	return {
		append: (await appendOne(log(), world.scope(), name, "late")).kind,
		read: (await log().read(world.scope(), name)).kind,
		bodies: (await log().read(world.scope(), name, "bodies")).kind,
		tip: (await log().tip(world.scope(), name)).kind,
		create: create.kind,
		end: (await log().end(world.scope(), name)).kind,
	};
}

const gone = { append: "gone", read: "gone", bodies: "gone", tip: "gone", create: "gone", end: "gone" };

/** Purges an ended log, as the clean-up does. */
async function purge(world: World): Promise<string> {
	const times = { now: await storeTime(world.store), after: hour, again: 24 * hour };
	return purgeLog(world.store, prefix, times);
}

/** Numbers of the objects that are there, ascending. */
async function numbers(world: World): Promise<number[]> {
	const { objects } = await world.store.list(prefix);
	return objects.map(({ key }) => commitNumber(key)!).reverse();
}

describe("tombstone: after the end", () => {
	it("every call says gone: on the instance that ended it, on one that knew it, and on one that did not", async () => {
		const { world, log } = await begin();
		const stale = world.instance();
		await stale.read(world.scope(), name);
		expect(await log.end(world.scope(), name)).toEqual({ kind: "ended" });
		expect(await answers(world, () => log)).toEqual(gone);
		expect(await answers(world, () => stale)).toEqual(gone);
		expect(await answers(world, () => world.instance())).toEqual(gone);
		expect(await numbers(world)).toEqual([0, 1, 2, 3, 4]);
	});

	it("its newest commit has a number that no answer about the living log had", async () => {
		const { world, log } = await begin();
		const before = await log.newestCommit(world.scope(), name);
		await log.end(world.scope(), name);
		expect(await world.instance().newestCommit(world.scope(), name)).not.toBe(before);
		expect(await log.newestCommit(world.scope(), name)).not.toBe(before);
	});

	it("a log that never was is absent, and so it stays after being asked to end", async () => {
		const world = new World();
		expect(await world.instance().end(world.scope(), name)).toEqual({ kind: "absent" });
		expect((await world.store.list("")).objects).toEqual([]);
		const log = world.instance();
		expect(await log.create(world.scope(), name, { tag: "t", genesis, records: [] })).toMatchObject({
			kind: "created",
		});
	});

	it("two who end it at once: one ended it, or both are told so, and there is one tombstone", async () => {
		const { world, log } = await begin();
		const other = world.instance();
		await other.read(world.scope(), name);
		const outcomes = await Promise.all([log.end(world.scope(), name), other.end(world.scope(), name)]);
		expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["ended", "gone"]);
		expect(await numbers(world)).toEqual([0, 1, 2, 3, 4]);
	});
});

describe("tombstone: on a condition", () => {
	it("it is judged at the place of the tombstone: an append that comes between is seen", async () => {
		const { world, log } = await begin();
		await appendOne(world.instance(), world.scope(), name, "between");
		const judged: number[] = [];
		const outcome = await log.endIf(world.scope(), name, (view) => {
			judged.push(view.length);
			return view.length === 3;
		});
		expect(judged).toEqual([3, 4]);
		expect(outcome).toMatchObject({ kind: "refused", view: { length: 4 } });
		expect((await log.endIf(world.scope(), name, (view) => view.length === 4)).kind).toBe("ended");
	});

	it("a stale instance does not refuse by what it knew", async () => {
		const { world, log } = await begin();
		const stale = world.instance();
		await stale.read(world.scope(), name);
		await appendOne(log, world.scope(), name, "e4");
		expect((await stale.endIf(world.scope(), name, (view) => view.length === 4)).kind).toBe("ended");
	});
});

describe("tombstone: racing appends", () => {
	it("an append lands before the end, or is told that the log is gone; nothing lands behind it", async () => {
		let landed = 0;
		for (let seed = 1; seed <= 60; seed++) {
			const { fraction } = seededRandom(seed);
			const { world } = await begin(1);
			const slow = delayed(world.store, () => Math.floor(fraction() * 6));
			const logs = Array.from({ length: 4 }, () => world.instance());
			for (const log of logs) if (fraction() < 0.5) await log.read(world.scope(), name);
			const appends = logs.slice(1).map((log, k) => appendOne(log, { store: slow }, name, `r${k}`));
			const end = logs[0]!.end({ store: slow }, name);
			const outcomes = await Promise.all(appends);
			expect(await end, `seed ${seed}`).toEqual({ kind: "ended" });
			const done = outcomes.filter(({ kind }) => kind === "done").length;
			for (const { kind } of outcomes) expect(["done", "gone"], `seed ${seed}`).toContain(kind);
			expect(await numbers(world), `seed ${seed}`).toEqual(Array.from({ length: done + 3 }, (_, k) => k));
			expect(await answers(world, () => world.instance())).toEqual(gone);
			landed += done;
		}
		// The race goes either way.
		expect(landed).toBeGreaterThan(20);
		expect(landed).toBeLessThan(160);
	});
});

describe("tombstone: after the purge", () => {
	for (const looks of ["the first look", "the second look"] as const) {
		it(`every call says gone after ${looks}: cold, and on an instance that knew the log`, async () => {
			const { world, log } = await begin();
			const stale = world.instance();
			await stale.read(world.scope(), name, "bodies");
			await log.end(world.scope(), name);
			world.clock.ms += 2 * hour;
			expect(await purge(world)).toBe("purged");
			expect(await numbers(world)).toEqual([0, 4]);
			if (looks === "the second look") {
				world.clock.ms += 25 * hour;
				expect(await purge(world)).toBe("finished");
				expect(await numbers(world)).toEqual([0]);
			}
			expect(await answers(world, () => log)).toEqual(gone);
			expect(await answers(world, () => stale)).toEqual(gone);
			expect(await answers(world, () => world.instance())).toEqual(gone);
			const dormant = world.instance();
			expect(await dormant.create(world.scope(), name, { tag: "t", genesis, records: [] })).toEqual({
				kind: "gone",
			});
		});
	}

	it("a view that was opened before it says so when its bodies are asked for", async () => {
		const { world, log } = await begin(3, 100_000);
		const reader = world.instance();
		const outcome = await reader.read(world.scope(), name, "index");
		if (outcome.kind !== "ok") throw new Error(outcome.kind);
		await log.end(world.scope(), name);
		world.clock.ms += 2 * hour;
		await purge(world);
		await expect(outcome.view.bodies([1, 2, 3])).rejects.toMatchObject({ name: "LogGone" });
		expect(await answers(world, () => reader)).toEqual(gone);
	});

	it("a log of one commit is purged to the same end", async () => {
		const { world, log } = await begin(0);
		await log.end(world.scope(), name);
		world.clock.ms += 2 * hour;
		expect(await purge(world)).toBe("purged");
		expect(await answers(world, () => world.instance())).toEqual(gone);
		world.clock.ms += 25 * hour;
		expect(await purge(world)).toBe("finished");
		expect(await answers(world, () => world.instance())).toEqual(gone);
	});
});

describe("tombstone: a write of a process that stood still while the log was ended and purged", () => {
	// The frozen write's number; how often the log was purged meanwhile.
	for (const entries of [0, 1, 3, 4]) {
		for (const looks of [1, 2]) {
			it(`number ${entries + 1}, after look ${looks}: is not acknowledged, and is taken away`, async () => {
				const { world, log } = await begin(entries);
				const frozen = world.instance();
				await frozen.read(world.scope(), name, "bodies");
				const gate = gated(world.store);
				const outcome = appendOne(frozen, { store: gate.store }, name, "frozen");
				await gate.reached;
				for (let k = 0; k < 3; k++) await appendOne(log, world.scope(), name, `later ${k}`);
				await log.end(world.scope(), name);
				world.clock.ms += 2 * hour;
				expect(await purge(world)).toBe("purged");
				if (looks === 2) {
					world.clock.ms += 25 * hour;
					expect(await purge(world)).toBe("finished");
				}
				const before = await numbers(world);
				gate.open();
				// It might have landed before the end, too: nobody can tell any more.
				expect(["gone", "unavailable"]).toContain((await outcome).kind);
				expect(await appendOne(frozen, world.scope(), name, "frozen")).toEqual({ kind: "gone" });
				expect(await numbers(world)).toEqual(before);
				expect(await answers(world, () => frozen)).toEqual(gone);
			});
		}
	}

	it("while it lies there, nobody takes it for a log, and the next look of the purge takes it away", async () => {
		for (const number of [1, 2, 3, 9]) {
			for (const looks of [1, 2]) {
				const { world, log } = await begin(3);
				const stray = await world.store.get(commitKey(prefix, Math.min(number, 3)));
				if (stray.kind !== "found") throw new Error(stray.kind);
				await log.end(world.scope(), name);
				world.clock.ms += 2 * hour;
				await purge(world);
				if (looks === 2) {
					world.clock.ms += 25 * hour;
					await purge(world);
				}
				await world.store.put(commitKey(prefix, number), stray.bytes);
				expect(await answers(world, () => world.instance()), `number ${number}`).toEqual(gone);
				world.clock.ms += 25 * hour;
				expect(await purge(world), `number ${number}, look ${looks}`).toBe("finished");
				expect(await numbers(world)).toEqual([0]);
			}
		}
	});

	it("in a log that lives on, it is told from that: a late answer within the log is acknowledged", async () => {
		const { world } = await begin(3);
		const frozen = world.instance();
		await frozen.read(world.scope(), name, "bodies");
		const gate = gated(world.store);
		const outcome = appendOne(frozen, { store: gate.store }, name, "frozen");
		await gate.reached;
		world.clock.ms += 2 * hour;
		gate.open();
		expect(await outcome).toMatchObject({ kind: "done", answer: { seq: 4 } });
		expect(await numbers(world)).toEqual([0, 1, 2, 3, 4]);
	});
});

/** The same store, each of whose requests takes so many turns of the event loop before it takes effect. */
function delayed(store: ObjectStore, turns: () => number): ObjectStore {
	const later = async <T>(send: () => Promise<T>): Promise<T> => {
		for (let k = turns(); k > 0; k--) await new Promise((resolve) => setImmediate(resolve));
		return send();
	};
	return {
		put: (...args) => later(() => store.put(...args)),
		get: (...args) => later(() => store.get(...args)),
		list: (...args) => later(() => store.list(...args)),
		delete: (...args) => later(() => store.delete(...args)),
	};
}

/** The same store, but PUTs wait until it is opened. */
function gated(store: ObjectStore): { store: ObjectStore; reached: Promise<void>; open: () => void } {
	const reached = Promise.withResolvers<void>();
	const opened = Promise.withResolvers<void>();
	return {
		reached: reached.promise,
		open: opened.resolve,
		store: {
			put: async (...args): Promise<PutOutcome> => {
				reached.resolve();
				await opened.promise;
				return store.put(...args);
			},
			get: (...args) => store.get(...args),
			list: (...args) => store.list(...args),
			delete: (...args) => store.delete(...args),
		},
	};
}
