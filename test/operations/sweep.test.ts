import { describe, expect, it } from "vitest";
import { encodeTombstone } from "../../src/log/commit.ts";
import { logPrefix, logsPrefix, snapshotsPrefix } from "../../src/log/keys.ts";
import { appendEntries } from "../../src/operations/append-entries.ts";
import { createSession } from "../../src/operations/create-session.ts";
import { deleteSession } from "../../src/operations/delete-session.ts";
import { listSessions } from "../../src/operations/list-sessions.ts";
import { openSession } from "../../src/operations/open-session.ts";
import { type SweepSettings, sweep, sweepDefaults } from "../../src/operations/sweep.ts";
import { type ObjectStore, StoreUnavailable } from "../../src/store/object-store.ts";
import { type Instance, World } from "./world.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

async function create(instance: Instance, id: string, text = "hello", namespace?: string) {
	const message = { type: "message", message: { role: "user", content: text, timestamp: 1 } };
	const outcome = await createSession(instance.call(namespace), { id, entries: [message] });
	expect(outcome.kind).toBe("done");
}

async function append(instance: Instance, id: string, text: string) {
	const body = { type: "message", message: { role: "user", content: text, timestamp: 1 } };
	const outcome = await appendEntries(instance.call(), { id, body, keepLeaf: false });
	expect(outcome.kind).toBe("done");
}

async function listed(instance: Instance, namespace?: string) {
	const outcome = await listSessions(instance.call(namespace), { filter: { order: "created" }, limit: 200 });
	if (outcome.kind !== "list") throw new Error(outcome.kind);
	return outcome.sessions.map(({ id }) => id).sort();
}

/** Instances whose lists learn nothing: what happens where a process dies right after the session's own commit. */
function cutOff(world: World): Instance {
	const instance = world.instance();
	const silent = {
		prepare() {},
		record: async () => ({ kind: "done" }),
		activity: async () => {},
		remove: async () => ({ kind: "done" }),
		settings: instance.catalogue.settings,
	};
	return { ...instance, call: (...args) => Object.assign(instance.call(...args), { catalogue: silent }) };
}

const run = (
	world: World,
	options: { compare?: boolean; stop?: () => boolean; store?: ObjectStore } = {},
	settings: Partial<SweepSettings> = {},
) => sweep(world.instance().sweeper(options.store), { ...sweepDefaults, ...settings }, options);

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

	it("5,000 objects, a crash at every removal: the next run goes on, and at the end nothing is left", async () => {
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

describe("sweep: what a crash between a session and its list has left out", () => {
	it("a creation is listed by a repeat, or by the daily comparison", async () => {
		const world = new World();
		const dying = cutOff(world);
		await create(world.instance(), "known");
		const call = (instance: Instance) => createSession(instance.call(), { id: "repeated", key: "k" });
		expect((await call(dying)).kind).toBe("done");
		await create(dying, "swept");
		expect(await listed(world.instance())).toEqual(["known"]);
		expect(await call(world.instance())).toMatchObject({ kind: "done", replayed: true });
		expect(await listed(world.instance())).toEqual(["known", "repeated"]);
		expect(await run(world)).toMatchObject({ listed: 1, unlisted: 0, problems: [] });
		expect(await listed(world.instance())).toEqual(["known", "repeated", "swept"]);
		expect(await run(world, { compare: true })).toMatchObject({ listed: 0, unlisted: 0 });
	});

	it("activity that was never listed is found by the number of the newest commit", async () => {
		const world = new World();
		await create(world.instance(), "s");
		await append(cutOff(world), "s", "more");
		const seqs = async () => {
			const outcome = await listSessions(world.instance().call(), { filter: { order: "created" }, limit: 9 });
			return outcome.kind === "list" ? outcome.sessions.map(({ seq }) => seq) : [];
		};
		expect(await seqs()).toEqual([1]);
		expect(await run(world)).toMatchObject({ listed: 1 });
		expect(await seqs()).toEqual([2]);
	});

	it("a deletion is taken out of lists by a repeat, or by the daily comparison, and purged", async () => {
		const world = new World();
		const instance = world.instance();
		for (const id of ["a", "b", "c"]) await create(instance, id, "secret");
		const dying = cutOff(world);
		for (const id of ["a", "b"]) await deleteSession(dying.call(), { id });
		expect(await listed(world.instance())).toEqual(["a", "b", "c"]);
		expect(await deleteSession(world.instance().call(), { id: "a" })).toMatchObject({ code: "gone" });
		expect(await listed(world.instance())).toEqual(["b", "c"]);
		expect(await run(world)).toMatchObject({ unlisted: 1 });
		expect(await listed(world.instance())).toEqual(["c"]);
		world.clock.ms += 61 * minute;
		expect(await run(world)).toMatchObject({ purged: 2 });
	});

	it("a damaged catalogue is put anew from the logs; the deleted stay away", async () => {
		const world = new World();
		const instance = world.instance();
		for (const id of ["a", "b", "c"]) await create(instance, id);
		await create(instance, "x", "hello", "somebody else");
		await deleteSession(instance.call(), { id: "b" });
		const newest = (await world.store.list(snapshotsPrefix("somebody"), { limit: 1 })).objects[0]!;
		await world.store.put(newest.key, new TextEncoder().encode("README"));
		const report = await run(world);
		expect(report).toMatchObject({
			done: true,
			rebuilt: 1,
			problems: [{ name: "Corrupt", key: newest.key }],
		});
		expect(await listed(world.instance())).toEqual(["a", "c"]);
		expect(await listed(world.instance(), "somebody else")).toEqual(["x"]);
		world.clock.ms += 61 * minute;
		expect(await run(world)).toMatchObject({ purged: 1, problems: [] });
	});

	it("a damaged session is a problem of its own; all others are done", async () => {
		const world = new World();
		const dying = cutOff(world);
		for (const id of ["a", "b", "c"]) await create(dying, id);
		const key = (await world.store.list(logPrefix({ namespace: "somebody", id: "b" }))).objects[0]!.key;
		await world.store.put(key, new TextEncoder().encode("x".repeat(1000)));
		expect(await run(world)).toMatchObject({ done: true, listed: 2, problems: [{ name: "Corrupt", key }] });
		expect(await listed(world.instance())).toEqual(["a", "c"]);
	});

	it("a card whose log was taken away by other means goes", async () => {
		const world = new World();
		const instance = world.instance();
		for (const id of ["a", "b"]) await create(instance, id);
		await world.store.delete(
			(await world.store.list(logPrefix({ namespace: "somebody", id: "a" }))).objects.map(({ key }) => key),
		);
		expect(await run(world)).toMatchObject({ unlisted: 1 });
		expect(await listed(world.instance())).toEqual(["b"]);
	});

	it("another number of shards takes over what was listed, and what was deleted", async () => {
		const world = new World();
		const before = world.instance({ shards: 2, activityLag: 0 });
		const ids = Array.from({ length: 20 }, (_, k) => `s${k}`);
		for (const id of [...ids, "deleted"]) await create(before, id, "secret");
		await deleteSession(before.call(), { id: "deleted" });
		const instanceAfter = () => world.instance({ shards: 3, activityLag: 0 });
		const runAfter = () => sweep(instanceAfter().sweeper(), sweepDefaults, {});
		await create(instanceAfter(), "new");
		await runAfter();
		expect(await listed(instanceAfter())).toEqual([...ids, "new"].sort());
		world.clock.ms += 61 * minute;
		expect(await runAfter()).toMatchObject({ purged: 1 });
		expect([...(await world.contents()).keys()].some((key) => key.includes("/c/sessions-2-"))).toBe(false);
		expect(await listed(instanceAfter())).toEqual([...ids, "new"].sort());
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
