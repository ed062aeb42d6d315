import { describe, expect, it } from "vitest";
import { encodeTombstone } from "../../src/log/commit.ts";
import { logPrefix, logsPrefix, snapshotsPrefix } from "../../src/log/keys.ts";
import { createSession } from "../../src/operations/create-session.ts";
import { deleteSession } from "../../src/operations/delete-session.ts";
import { openSession } from "../../src/operations/open-session.ts";
import { sweep, sweepDefaults } from "../../src/operations/sweep.ts";
import { type ObjectStore, StoreUnavailable } from "../../src/store/object-store.ts";
import { append, create, cutOff, day, listed, minute, run } from "./sweep-steps.ts";
import { World } from "./world.ts";

describe("sweep: what deleted sessions leave", () => {
	it("stays for the purge delay, then leaves, and a day later only the tombstone is there", async () => {
		const world = new World();
		const instance = world.instance();
		for (const id of ["kept", "deleted"]) {
			await create(instance, id, `secret of ${id}`);
			for (let k = 0; k < 5; k++) await append(instance, id, `more of ${id}`);
		}
		await deleteSession(instance.call(), { id: "deleted" });
		expect(await listed(world.instance())).toEqual(["kept"]);
		const about = async (text: string) =>
			[...(await world.contents())].filter(([, content]) => content.includes(text)).length;

		world.clock.ms += 59 * minute;
		expect(await run(world)).toMatchObject({ done: true, purged: 0, waiting: 1, problems: [] });
		expect(await about("of deleted")).toBeGreaterThan(0);

		world.clock.ms += 2 * minute;
		expect(await run(world)).toMatchObject({ done: true, purged: 1, finished: 0 });
		expect(await about("of deleted")).toBe(0);
		expect(await about("of kept")).toBeGreaterThan(5);

		expect(await run(world)).toMatchObject({ purged: 0, finished: 0, waiting: 1 });
		world.clock.ms += day;
		expect(await run(world)).toMatchObject({ purged: 0, finished: 1 });
		const left = [...(await world.contents()).keys()].filter((key) =>
			key.startsWith(logPrefix({ namespace: "somebody", id: "deleted" })),
		);
		expect(left).toHaveLength(1);
		world.clock.ms += 2 * 60 * minute;
		expect(await run(world)).toMatchObject({ purged: 0, finished: 0, waiting: 0 });
		expect(
			JSON.stringify(
				[...(await world.contents())].filter(([key]) => key.startsWith(snapshotsPrefix("somebody"))),
			),
		).not.toContain("deleted");

		expect((await openSession(world.instance().call(), "deleted")).kind).toBe("refused");
		expect(await createSession(world.instance().call(), { id: "deleted" })).toMatchObject({ code: "gone" });
		expect(await deleteSession(world.instance().call(), { id: "deleted" })).toMatchObject({ code: "gone" });
	});

	it("old versions of the catalogue leave with it, the newest stays", async () => {
		const world = new World();
		const instance = world.instance();
		for (let k = 0; k < 30; k++) await create(instance, `s${k}`);
		world.clock.ms += 61 * minute;
		await create(instance, "last");
		const versions = async () => (await world.store.list(snapshotsPrefix("somebody"))).objects.length;
		expect(await versions()).toBe(31);
		await run(world);
		expect(await versions()).toBe(2);
		world.clock.ms += 61 * minute;
		await run(world);
		expect(await versions()).toBe(1);
		expect(await listed(world.instance())).toHaveLength(31);
	});

	it("5,000 objects, a crash at every removal: the next run goes on, and at the end nothing is left", {
		timeout: 60_000,
	}, async () => {
		const world = new World();
		const instance = world.instance();
		await create(instance, "big", "secret");
		const prefix = logPrefix({ namespace: "somebody", id: "big" });
		for (let k = 0; k < 60; k++) await append(instance, "big", "secret");
		const sample = [...(await world.contents())].find(([key]) => key.startsWith(prefix))![1];
		await deleteSession(instance.call(), { id: "big" });
		// As many as 5,000 appends leave; below the tombstone nobody looks at what they hold.
		for (let n = 100; n < 5000; n++)
			await world.store.put(`${prefix}${9_999_999_999 - n}-${n}.jsonl`, new TextEncoder().encode(sample));
		const top = (await world.store.list(prefix, { limit: 1 })).objects[0]!;
		const tombstone = await world.store.get(top.key);
		expect(tombstone.kind).toBe("found");
		await world.store.delete(
			(await world.store.list(prefix)).objects.filter(({ size }) => size < 200).map(({ key }) => key),
		);
		await world.store.put(
			`${prefix}${9_999_999_999 - 5000}-5000.jsonl`,
			encodeTombstone(prefix, 5000, "writer-id"),
		);
		world.clock.ms += 61 * minute;
		let crashes = 0;
		const crashing: ObjectStore = {
			get: (...args) => world.store.get(...args),
			put: (...args) => world.store.put(...args),
			list: (...args) => world.store.list(...args),
			delete: async (keys) => {
				await world.store.delete(keys.slice(0, 700));
				crashes += 1;
				throw new StoreUnavailable("crash");
			},
		};
		for (let attempt = 0; attempt < 4; attempt++) {
			expect((await run(world, { store: crashing })).problems).toHaveLength(1);
			expect(await openSession(world.instance().call(), "big")).toMatchObject({ code: "gone" });
		}
		expect(crashes).toBe(4);
		expect(await run(world)).toMatchObject({ purged: 1, problems: [] });
		const left = [...(await world.contents())].filter(([key]) => key.startsWith(prefix));
		expect(left.map(([key]) => key.split("-").at(-1))).toEqual(["5000.jsonl", "0.jsonl"]);
		expect(left.map(([, content]) => content).join()).not.toContain("secret");
		world.clock.ms += 25 * 60 * minute;
		expect(await run(world)).toMatchObject({ finished: 1, problems: [] });
		expect((await world.store.list(prefix)).objects).toHaveLength(1);
	});

	it("a write that lands after the purge is removed a day later", async () => {
		const world = new World();
		const instance = world.instance();
		await create(instance, "s", "secret");
		await append(instance, "s", "secret");
		const prefix = logPrefix({ namespace: "somebody", id: "s" });
		const late = (await world.store.list(prefix, { limit: 1 })).objects[0]!.key;
		const found = await world.store.get(late);
		await deleteSession(instance.call(), { id: "s" });
		world.clock.ms += 61 * minute;
		await run(world);
		if (found.kind === "found") await world.store.put(late, found.bytes, { ifAbsent: true });
		expect(await openSession(world.instance().call(), "s")).toMatchObject({ code: "gone" });
		world.clock.ms += 25 * 60 * minute;
		await run(world);
		expect([...(await world.contents()).values()].join()).not.toContain("secret");
	});
});

describe("sweep: in slices", () => {
	it("stopped after each piece of work, it goes on where it was, in namespaces and within one, and ends", async () => {
		const world = new World();
		const dying = cutOff(world);
		const names = Array.from({ length: 7 }, (_, k) => `namespace ${k}`);
		for (const [k, name] of names.entries())
			for (let s = 0; s <= k; s++) await create(dying, `s${s}`, "hello", name);
		let slices = 0;
		let done = false;
		while (!done && slices < 100) {
			done = (await run(world, { stop: () => true })).done;
			slices += 1;
		}
		expect(done).toBe(true);
		expect(slices).toBeGreaterThan(20);
		for (const [k, name] of names.entries()) expect(await listed(world.instance(), name)).toHaveLength(k + 1);
	});

	it("notes that are no notes are begun anew", async () => {
		const world = new World();
		await create(cutOff(world), "s");
		for (const name of ["catalogues", "logs"])
			await world.store.put(`~sweep/${name}`, new TextEncoder().encode('{"namespace":"../../x'));
		expect(await run(world)).toMatchObject({ done: true, listed: 1 });
	});

	it("costs, where there is nothing to do, 1 LIST and 1 GET a namespace beside walking through the bucket", async () => {
		const world = new World();
		const instance = world.instance();
		for (let k = 0; k < 10; k++) await create(instance, "s", "hello", `namespace ${k}`);
		await run(world);
		const sweeper = world.instance();
		const call = sweeper.call();
		await sweep({ ...sweeper.sweeper(), scope: call.scope }, sweepDefaults);
		const { list, get, put } = call.scope.store.counts();
		expect(list.requests).toBe(10 + 1);
		expect(get.requests).toBe(10 + 3);
		expect(put.requests).toBe(2);
	});

	it("objects that are none of ours are left alone", async () => {
		const world = new World();
		await create(world.instance(), "s");
		const foreign = [
			"README",
			"a/b/c",
			`${logsPrefix("somebody")}x`,
			`${snapshotsPrefix("somebody")}x`,
			"zzz",
		];
		for (const key of foreign) await world.store.put(key, new Uint8Array(1));
		world.clock.ms += day;
		expect(await run(world)).toMatchObject({ done: true, problems: [] });
		const keys = new Set((await world.contents()).keys());
		for (const key of foreign) expect(keys).toContain(key);
	});
});
