import { describe, expect, it } from "vitest";
import type { Scope } from "../../src/log/log.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { appendOne, contentsOf, genesis, World } from "./instances.ts";

const name = { namespace: "n", id: "s" };

/** A store whose answers take a turn of the event loop each, so that callers interleave. */
function interleaved(store: ObjectStore): ObjectStore {
	const later = async <T>(send: () => Promise<T>): Promise<T> => {
		await new Promise((resolve) => setImmediate(resolve));
		return send();
	};
	return {
		put: (...args) => later(() => store.put(...args)),
		get: (...args) => later(() => store.get(...args)),
		list: (...args) => later(() => store.list(...args)),
		delete: (...args) => later(() => store.delete(...args)),
	};
}

/** The same store, but a PUT is never answered. */
function neverPuts(store: ObjectStore): ObjectStore {
	return {
		put: () => new Promise(() => {}),
		get: (...args) => store.get(...args),
		list: (...args) => store.list(...args),
		delete: (...args) => store.delete(...args),
	};
}

async function begin(): Promise<{
	world: World;
	scope: Scope & { store: { counts(): { put: { requests: number } } } };
}> {
	const world = new World();
	const contended = new World(interleaved(world.store));
	await world.instance().create(world.scope(), name, { tag: "make", genesis, records: [] });
	return { world: contended, scope: contended.scope() };
}

describe("contention: instances that append one entry each at once", () => {
	for (const n of [2, 3, 4, 8, 16, 32]) {
		it(`${n} instances: each is acknowledged once, with at most (N+1)/2 PUTs an append`, async () => {
			const { world, scope } = await begin();
			const outcomes = await Promise.all(
				Array.from({ length: n }, (_, k) => appendOne(world.instance(), scope, name, `e${k}`)),
			);
			const seqs = outcomes.map((outcome) => (outcome.kind === "done" ? outcome.answer.seq : -1));
			expect([...seqs].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, k) => k + 1));
			expect(scope.store.counts().put.requests / n).toBeLessThanOrEqual((n + 1) / 2);
		});
	}

	it("64 appends at once in one instance need at most 8 PUTs", async () => {
		const { world, scope } = await begin();
		const log = world.instance();
		const outcomes = await Promise.all(
			Array.from({ length: 64 }, (_, k) => appendOne(log, scope, name, `e${k}`)),
		);
		expect(new Set(outcomes.map((outcome) => (outcome.kind === "done" ? outcome.answer.seq : -1))).size).toBe(
			64,
		);
		expect(scope.store.counts().put.requests).toBeLessThanOrEqual(8);
		const [warm, cold] = [await log.read(scope, name), await world.instance().read(scope, name)];
		if (warm.kind !== "ok" || cold.kind !== "ok") throw new Error("unreadable");
		expect(await contentsOf(cold.view)).toEqual(await contentsOf(warm.view));
	});

	it("a request whose leader never returns looks for itself", async () => {
		const { world, scope } = await begin();
		const log = world.instance();
		let stuck = true;
		const dead: Scope = { store: neverPuts(scope.store) };
		void appendOne(log, dead, name, "dead").then(() => {
			stuck = false;
		});
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect(await appendOne(log, scope, name, "alive")).toMatchObject({ kind: "done", answer: { seq: 1 } });
		expect(stuck).toBe(true);
	});

	it("a writer that is far behind catches up with one LIST after two losses", async () => {
		const { world, scope } = await begin();
		const [ahead, behind] = [world.instance(), world.instance()];
		await appendOne(behind, scope, name, "first");
		for (let k = 0; k < 40; k++) await appendOne(ahead, scope, name, `e${k}`);
		const own = world.scope();
		expect(await appendOne(behind, own, name, "last")).toMatchObject({ kind: "done", answer: { seq: 42 } });
		expect(own.store.counts().put.requests).toBeLessThanOrEqual(3);
		expect(own.store.counts().list.requests).toBe(1);
	});
});
