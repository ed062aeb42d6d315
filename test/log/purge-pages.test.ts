import { describe, expect, it } from "vitest";
import { logPrefix } from "../../src/log/keys.ts";
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
});
