import { describe, expect, it } from "vitest";
import { commitKey, logPrefix } from "../../src/log/keys.ts";
import { purgeLog } from "../../src/log/purge.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { appendOne, genesis, World } from "./instances.ts";

const name = { namespace: "n", id: "s" };
const day = 24 * 60 * 60_000;

/** The same store, but a page of a LIST holds one key. */
function shortPages(store: ObjectStore): ObjectStore {
	return {
		put: (...args) => store.put(...args),
		get: (...args) => store.get(...args),
		list: (prefix, options) => store.list(prefix, { ...options, limit: 1 }),
		delete: (...args) => store.delete(...args),
	};
}

describe("purge", () => {
	it("is not finished while a short page hides what is left", async () => {
		const world = new World();
		const log = world.instance();
		await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
		await appendOne(log, world.scope(), name, "e1");
		await log.end(world.scope(), name);
		const store = shortPages(world.store);
		const purge = (now: number) => purgeLog(store, logPrefix(name), { now, after: 0, again: day });
		const keys = async () => (await world.store.list(logPrefix(name))).objects.length;
		expect(await purge(world.clock.ms)).toBe("purged");
		expect(await keys()).toBe(2);
		expect(await purge(world.clock.ms + day)).toBe("finished");
		expect(await keys()).toBe(1);
	});

	it("that stopped halfway: whoever reads is told that the log is gone, whatever is left", async () => {
		for (let left = 0; left < 2 ** 5; left++) {
			const world = new World();
			const log = world.instance();
			await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
			for (let n = 1; n <= 5; n++) await appendOne(log, world.scope(), name, `e${n}`);
			await log.end(world.scope(), name);
			const prefix = logPrefix(name);
			const kept = new Set(
				[1, 2, 3, 4, 5].filter((n) => left & (1 << (n - 1))).map((n) => commitKey(prefix, n)),
			);
			const halfway: ObjectStore = {
				put: (...args) => world.store.put(...args),
				get: (...args) => world.store.get(...args),
				list: (...args) => world.store.list(...args),
				delete: (keys) => world.store.delete(keys.filter((key) => !kept.has(key))),
			};
			await purgeLog(halfway, prefix, { now: world.clock.ms, after: 0, again: day });
			expect(await world.instance().read(world.scope(), name)).toEqual({ kind: "gone" });
			expect(await world.instance().tip(world.scope(), name)).toEqual({ kind: "gone" });
			expect(await appendOne(world.instance(), world.scope(), name, "late")).toEqual({ kind: "gone" });
		}
	});
});
