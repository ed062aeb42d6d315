import { describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { appendOne, genesis, World } from "./instances.ts";

const name = { namespace: "n", id: "s" };

describe("turns", () => {
	it("a writer that is silent for others is silent for seconds at most, however slow the store was", async () => {
		const world = new World();
		const minute = 60_000;
		const slow: ObjectStore = {
			put: (...args) => {
				world.clock.ms += minute;
				return world.store.put(...args);
			},
			get: (...args) => world.store.get(...args),
			list: (...args) => world.store.list(...args),
			delete: (...args) => world.store.delete(...args),
		};
		const log = world.instance({ winsInARow: 3 });
		await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
		const begun = world.clock.ms;
		for (let k = 0; k < 12; k++) await appendOne(log, { store: slow }, name, `e${k}`);
		const silent = world.clock.ms - begun - 12 * minute;
		expect(silent).toBeGreaterThan(0);
		expect(silent).toBeLessThan(4 * 10_000);
	});
});
