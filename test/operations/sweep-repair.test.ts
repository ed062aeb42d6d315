import { describe, expect, it } from "vitest";
import { logPrefix, snapshotsPrefix } from "../../src/log/keys.ts";
import { createSession } from "../../src/operations/create-session.ts";
import { deleteSession } from "../../src/operations/delete-session.ts";
import { listSessions } from "../../src/operations/list-sessions.ts";
import { sweep, sweepDefaults } from "../../src/operations/sweep.ts";
import { append, create, cutOff, listed, minute, run } from "./sweep-steps.ts";
import { type Instance, World } from "./world.ts";

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
