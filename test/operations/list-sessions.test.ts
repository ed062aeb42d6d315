import { describe, expect, it } from "vitest";
import { snapshotsPrefix } from "../../src/log/keys.ts";
import { purgeSnapshots } from "../../src/log/purge.ts";
import { appendEntries } from "../../src/operations/append-entries.ts";
import { createSession } from "../../src/operations/create-session.ts";
import { deleteSession } from "../../src/operations/delete-session.ts";
import { type ListRequest, listSessions } from "../../src/operations/list-sessions.ts";
import { updateSession } from "../../src/operations/update-session.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { Seeded } from "../simulation/seeded.ts";
import { append, byTime, create, ids, list, said } from "./steps.ts";
import { type Instance, requestsOf, World } from "./world.ts";

const minute = 60_000;

describe("listSessions: what it shows", () => {
	it("creation, activity, renaming and deletion, on any instance", async () => {
		const world = new World();
		const [a, b] = [world.instance(), world.instance()];
		await create(world, a, "one", { cwd: "/x", metadata: { k: 1 } });
		await create(world, b, "two", { name: "Second", parentSession: "one" });
		expect((await list(a)).sessions).toMatchObject([
			{
				id: "two",
				name: "Second",
				parentSession: "one",
				cwd: "/",
				messageCount: 1,
				firstMessage: "hello from two",
				seq: 2,
			},
			{ id: "one", cwd: "/x", messageCount: 1, entryCount: 1, metadata: { k: 1 }, seq: 1 },
		]);
		await append(world, b, "one", "again");
		expect((await list(a)).sessions).toMatchObject([
			{ id: "one", messageCount: 2, firstMessage: "hello from one", seq: 2 },
			{ id: "two" },
		]);
		await updateSession(a.call(), { id: "two", name: "Renamed" });
		expect((await list(b)).sessions[1]).toMatchObject({ id: "two", name: "Renamed", seq: 3 });
		await deleteSession(b.call(), { id: "one" });
		expect(ids(await list(a))).toEqual(["two"]);
		expect(ids(await list(world.instance()))).toEqual(["two"]);
	});

	it("each is what the session itself answers", async () => {
		const world = new World();
		const a = world.instance();
		const outcomes = [];
		for (const id of ["x", "y"])
			outcomes.push(await createSession(a.call(), { id, name: `name of ${id}`, entries: [said(world, id)] }));
		const sessions = outcomes.map((outcome) => outcome.kind === "done" && outcome.value);
		expect((await list(world.instance(), { filter: { order: "created" } })).sessions).toEqual(sessions);
	});

	it("a name that an appended entry gives is listed before the answer, whatever the lag", async () => {
		const world = new World();
		const slow = () => world.instance({ activityLag: 3_600_000 });
		const a = slow();
		await create(world, a, "s");
		await appendEntries(a.call(), {
			id: "s",
			body: { type: "session_info", name: "Named" },
			keepLeaf: false,
		});
		expect((await list(slow())).sessions).toMatchObject([{ id: "s", name: "Named", seq: 2 }]);
	});

	it("nothing of another namespace", async () => {
		const world = new World();
		await create(world, world.instance(), "mine");
		expect(ids(await list(world.instance(), {}, "somebody else"))).toEqual([]);
		const { nextCursor } = await list(world.instance(), { limit: 1 });
		expect(nextCursor).toBeUndefined();
	});
});

describe("listSessions: pages", () => {
	it("no gap and no repeat while sessions come, go and move, on many instances", {
		timeout: 60_000,
	}, async () => {
		for (let seed = 1; seed <= 12; seed++) {
			const world = new World();
			const random = new Seeded(seed);
			const settings = { shards: 1 + (seed % 3), activityLag: 0 };
			const instances = Array.from({ length: 3 }, () => world.instance(settings));
			const any = () => random.pick(instances);
			const alive = new Set<string>();
			for (let k = 0; k < 24; k++) {
				await create(world, any(), `s${k}`);
				alive.add(`s${k}`);
			}
			const before = [...alive];
			const order = random.pick(["modified", "created"] as const);
			const shown: string[] = [];
			let cursor: string | undefined;
			do {
				const page = await list(any(), {
					filter: { order },
					limit: random.between(1, 6),
					...(cursor && { cursor }),
				});
				shown.push(...ids(page));
				cursor = page.nextCursor;
				for (let k = 0; k < 3; k++) {
					const id = random.pick(before);
					if (random.chance(0.3)) await create(world, any(), `new${shown.length}-${k}`);
					else if (random.chance(0.2) && alive.delete(id)) await deleteSession(any().call(), { id });
					else if (alive.has(id)) await append(world, any(), id);
				}
			} while (cursor !== undefined);
			expect(new Set(shown).size, `seed ${seed}`).toBe(shown.length);
			for (const id of before) if (alive.has(id)) expect(shown, `seed ${seed}`).toContain(id);
		}
	});

	it("a session that was deleted or renamed since the first page is not, or differently, on the second", async () => {
		const world = new World();
		const a = world.instance();
		for (const id of ["d", "c", "b", "a"]) await create(world, a, id);
		const first = await list(a, { limit: 2 });
		expect(ids(first)).toEqual(["a", "b"]);
		await deleteSession(a.call(), { id: "c" });
		await updateSession(a.call(), { id: "d", name: "Now called so" });
		const second = await list(world.instance(), { limit: 2, cursor: first.nextCursor! });
		expect(second.sessions).toMatchObject([{ id: "d", name: "Now called so" }]);
		expect(second.nextCursor).toBeUndefined();
	});

	it("a cursor of another list, another namespace, an altered or an invented one is refused", async () => {
		const world = new World();
		const a = world.instance();
		for (let k = 0; k < 5; k++) await create(world, a, `s${k}`);
		const cursor = (await list(a, { limit: 2 })).nextCursor!;
		const refused = async (request: Partial<ListRequest>, namespace?: string) =>
			expect(
				await listSessions(a.call(namespace), { filter: byTime, limit: 2, cursor, ...request }),
			).toMatchObject({
				kind: "refused",
				code: "invalid_request",
				errors: [{ path: "cursor" }],
			});
		await refused({}, "somebody else");
		await refused({ filter: { order: "created" } });
		await refused({ filter: { order: "modified", q: "x" } });
		await refused({ filter: { order: "modified", parent: "x" } });
		for (const bad of [
			"",
			".",
			"x",
			"💥",
			cursor.slice(1),
			cursor.slice(0, -1),
			`${cursor}x`,
			`${cursor}.`,
			"x".repeat(10_000),
			`e30.${cursor.split(".")[1]}`,
		]) {
			await refused({ cursor: bad });
		}
		for (let at = 0; at < cursor.length; at++) {
			const altered = `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`;
			await refused({ cursor: altered });
		}
		expect(ids(await list(a, { limit: 2, cursor }))).toHaveLength(2);
	});

	it("a cursor ends when the versions it was taken from are removed; one by creation doesn't", async () => {
		const world = new World();
		const a = world.instance();
		for (let k = 0; k < 5; k++) await create(world, a, `s${k}`);
		const cursor = (await list(a, { limit: 2 })).nextCursor!;
		const byCreation = { filter: { order: "created" as const }, limit: 2 };
		const other = (await list(a, byCreation)).nextCursor!;
		await append(world, a, "s0");
		world.clock.ms += 61 * minute;
		await purgeSnapshots(world.store, "somebody", { now: world.clock.now(), after: 60 * minute, again: 0 });
		const b = world.instance();
		expect(await listSessions(b.call(), { filter: byTime, limit: 2, cursor })).toMatchObject({
			code: "invalid_request",
		});
		expect(ids(await list(b, { ...byCreation, cursor: other }))).toEqual(["s2", "s1"]);
	});
});

describe("listSessions: requests", () => {
	it("cold 1 LIST + 1 GET, warm 1 GET; 304 cold 1 LIST, warm 1 GET; a changed list behind a cursor 1 GET more", async () => {
		const world = new World();
		const writer = world.instance();
		for (let k = 0; k < 5; k++) await create(world, writer, `s${k}`);
		const reader = world.instance();
		const count = async (instance: Instance, request: Partial<ListRequest> = {}) => {
			const call = instance.call();
			const outcome = await listSessions(call, { filter: byTime, limit: 2, ...request });
			return { outcome, sent: requestsOf(call) };
		};
		expect((await count(reader)).sent).toEqual({ list: 1, get: 1, put: 0 });
		const { outcome, sent } = await count(reader);
		expect(sent).toEqual({ list: 0, get: 1, put: 0 });
		if (outcome.kind !== "list") throw new Error("no list");
		const ifNoneMatch = [outcome.etag.slice(2)];
		expect(await count(reader, { ifNoneMatch })).toEqual({
			outcome: { kind: "unchanged", etag: outcome.etag },
			sent: { list: 0, get: 1, put: 0 },
		});
		expect((await count(world.instance(), { ifNoneMatch })).sent).toEqual({ list: 1, get: 0, put: 0 });
		const cursor = outcome.nextCursor!;
		expect((await count(reader, { cursor, ifNoneMatch })).outcome.kind).toBe("list");
		expect((await count(world.instance(), { cursor })).sent).toEqual({ list: 1, get: 1, put: 0 });
		await append(world, writer, "s0");
		expect((await count(reader, { ifNoneMatch })).outcome.kind).toBe("list");
		expect((await count(world.instance(), { cursor })).sent).toEqual({ list: 1, get: 2, put: 0 });
	});

	it("create, rename and delete: 1 PUT of the catalogue beside the session's own", async () => {
		const world = new World();
		const a = world.instance();
		await create(world, a, "first");
		const making = a.call();
		await createSession(making, { id: "s" });
		expect(requestsOf(making)).toEqual({ list: 0, get: 0, put: 2 });
		const renamed = a.call();
		await updateSession(renamed, { id: "s", name: "x" });
		expect(requestsOf(renamed)).toEqual({ list: 0, get: 0, put: 2 });
		const deleted = a.call();
		await deleteSession(deleted, { id: "s" });
		expect(requestsOf(deleted)).toEqual({ list: 0, get: 0, put: 2 });
		const cold = world.instance().call();
		await createSession(cold, { id: "t" });
		expect(requestsOf(cold)).toEqual({ list: 1, get: 1, put: 2 });
		// The catalogue's LIST may well take longer than the session's own PUT.
		const { promise: created, resolve } = Promise.withResolvers<void>();
		const slow: ObjectStore = {
			get: (...args) => world.store.get(...args),
			delete: (...args) => world.store.delete(...args),
			put: (...args) => world.store.put(...args).finally(resolve),
			list: async (...args) => {
				await created;
				await new Promise((done) => setImmediate(done));
				return world.store.list(...args);
			},
		};
		const late = world.instance().call("somebody", slow);
		await createSession(late, { id: "u" });
		expect(requestsOf(late)).toEqual({ list: 1, get: 1, put: 2 });
	});

	it("appends send nothing for the catalogue before their window ends", async () => {
		const world = new World();
		const a = world.instance({ activityLag: 3_600_000 });
		await create(world, a, "s");
		const call = a.call();
		await appendEntries(call, { id: "s", body: said(world, "x"), keepLeaf: false });
		expect(requestsOf(call)).toEqual({ list: 0, get: 0, put: 1 });
		expect((await world.store.list(snapshotsPrefix("somebody"))).objects).toHaveLength(1);
	});
});
