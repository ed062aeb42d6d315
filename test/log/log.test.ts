import { describe, expect, it } from "vitest";
import { appendOne, contentsOf, genesis, World } from "./instances.ts";

const name = { namespace: "n", id: "s" };

describe("log", () => {
	it("cold reading equals what the writer knows, at every length", async () => {
		const world = new World();
		const writer = world.instance();
		await writer.create(world.scope(), name, { tag: "make", genesis, records: [] });
		for (let k = 1; k <= 200; k++) {
			const outcome = await appendOne(writer, world.scope(), name, `e${k}`, 100 + ((k * 997) % 4000));
			expect(outcome).toMatchObject({ kind: "done", answer: { seq: k, replayed: false } });
			const [warm, cold] = [
				await writer.read(world.scope(), name),
				await world.instance().read(world.scope(), name),
			];
			if (warm.kind !== "ok" || cold.kind !== "ok") throw new Error(`${warm.kind} ${cold.kind}`);
			if (k % 10 === 0 || k < 20) expect(await contentsOf(cold.view)).toEqual(await contentsOf(warm.view));
		}
	});
});

describe("log: a read after a look for the newest commit", () => {
	it("asks nothing again that the look found out", async () => {
		const world = new World();
		const log = world.instance();
		await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
		await appendOne(log, world.scope(), name, "e1");
		for (const instance of [log, world.instance()]) {
			for (const read of ["read", "tip"] as const) {
				const [both, alone] = [world.scope(), world.scope()];
				const other = instance === log ? log : world.instance();
				await other[read](alone, name);
				const same = instance === log ? log : world.instance();
				expect(await same.newestCommit(both, name)).toBe(1);
				expect(await same[read](both, name)).toMatchObject({ kind: "ok" });
				const requests = (scope: typeof both) => [
					scope.store.counts().list.requests,
					scope.store.counts().get.requests,
				];
				expect(requests(both)).toEqual(requests(alone));
			}
		}
	});

	it("is used once: a later read of the same request looks anew", async () => {
		const world = new World();
		const log = world.instance();
		await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
		const scope = world.scope();
		await log.newestCommit(scope, name);
		await log.read(scope, name);
		await appendOne(world.instance(), world.scope(), name, "e1");
		expect(await log.read(scope, name)).toMatchObject({ kind: "ok", view: { length: 1 } });
	});
});
