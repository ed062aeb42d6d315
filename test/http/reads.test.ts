import { describe, expect, it } from "vitest";
import { idsOf, note, tree } from "./small-tree.ts";
import { requestsOf, user, World } from "./world.ts";

describe("getSession", () => {
	it("tells what the log holds", async () => {
		const { world, session } = await tree();
		for (const instance of [world, world.cold()]) {
			expect((await instance.get(session)).body).toEqual({
				id: "s",
				version: 3,
				timestamp: expect.any(String),
				cwd: "/",
				name: "Named",
				leafId: "d",
				entryCount: 9,
				messageCount: 3,
				firstMessage: "Alpha",
				modified: new Date(1_767_323_045_000).toISOString(),
				seq: 10,
			});
		}
	});

	it("an empty one has no name, no first message and no leaf", async () => {
		const world = new World();
		const made = await world.post("/v1/sessions", {
			cwd: "C:\\x",
			parentSession: "p-1",
			metadata: { a: [1, { b: null }] },
		});
		const session = {
			id: expect.stringMatching(/^[0-9a-f-]{14}7[0-9a-f]{3}-[89ab]/),
			version: 3,
			timestamp: new Date(world.clock.now()).toISOString(),
			cwd: "C:\\x",
			parentSession: "p-1",
			leafId: null,
			entryCount: 0,
			messageCount: 0,
			modified: made.body.timestamp,
			seq: 0,
			metadata: { a: [1, { b: null }] },
		};
		expect(made.body).toEqual(session);
		expect(made.headers.get("ETag")).toBe('W/"0-0"');
		expect((await world.cold().get(`/v1/sessions/${made.body.id}`)).body).toEqual(session);
		const none = await world.send("POST", "/v1/sessions");
		expect(none.status).toBe(201);
	});

	it("a first message is cut at 256 characters, never inside a pair", async () => {
		const world = new World();
		const session = await world.session([user(`${"x".repeat(255)}🙂 and more`)]);
		expect((await world.get(session)).body.firstMessage).toBe("x".repeat(255));
		const other = await world.session([
			user(""),
			user([
				{ type: "text", text: "one" },
				{ type: "text", text: "two" },
			] as never),
		]);
		expect((await world.cold().get(other)).body.firstMessage).toBe("one two");
	});
});

describe("createSession", () => {
	it("the name's entry follows the entries", async () => {
		const world = new World();
		const session = await world.session([user("a", { id: "a" })], { name: " My\nname " });
		const { entries } = (await world.get(`${session}/entries`)).body;
		expect(entries.at(-1)).toMatchObject({ type: "session_info", parentId: "a", name: "My name" });
		expect(entries).toHaveLength(2);
		const unnamed = await world.session([], { name: " " });
		expect((await world.get(unnamed)).body).toMatchObject({ entryCount: 0, seq: 0 });
	});

	it("what is wrong with a field or an entry is told by its path, and nothing is made", async () => {
		const world = new World({ config: { limits: { entryBytes: 2000, batchEntries: 2 } } });
		const bad: [object, number, string][] = [
			[{ id: "../x" }, 400, "id"],
			[{ id: "x\u0000" }, 400, "id"],
			[{ id: "\ud800" }, 400, "id"],
			[{ id: "__proto__" }, 400, "id"],
			[{ id: "" }, 400, "id"],
			[{ id: null }, 400, "id"],
			[{ cwd: 7 }, 400, "cwd"],
			[{ name: {} }, 400, "name"],
			[{ parentSession: "a/b" }, 400, "parentSession"],
			[{ metadata: [] }, 400, "metadata"],
			[{ metadata: null }, 400, "metadata"],
			[{ entries: {} }, 400, "entries"],
			[{ entries: [{ type: "none" }] }, 400, "entries.0.type"],
			[{ entries: [note("a"), note("b", { parentId: "none" })] }, 404, "entries.1.parentId"],
			[{ entries: [{ type: "label", targetId: "none", label: "x" }] }, 404, "entries.0.targetId"],
			[
				{ entries: [note("a"), { type: "context_edit", targetId: "a", replacement: null }] },
				422,
				"entries.1.",
			],
			[{ entries: [note("a"), note("a")] }, 409, "entries.1.id"],
			[{ name: "x".repeat(513) }, 413, "name"],
			[{ metadata: { x: "y".repeat(8192) } }, 413, "metadata"],
			[{ entries: [note("a", { data: "x".repeat(2000) })] }, 413, "entries.0"],
		];
		for (const [body, status, path] of bad) {
			const reply = await world.post("/v1/sessions", { id: "made", ...body });
			expect([reply.status, JSON.stringify(body)]).toEqual([status, JSON.stringify(body)]);
			expect(idsOf(reply.body.errors.map((issue: { path: string }) => ({ id: issue.path })))).toContain(path);
		}
		const many = await world.post("/v1/sessions", { entries: [note("a"), note("b"), note("c")] });
		expect(many.status).toBe(413);
		expect((await world.cold().get("/v1/sessions/made")).status).toBe(404);
	});

	it("metadata is plain data, whatever its keys", async () => {
		const world = new World();
		const text = '{"metadata":{"__proto__":{"x":1},"constructor":1,"toString":[]}}';
		const made = await world.post("/v1/sessions", text);
		expect(JSON.stringify(made.body.metadata)).toBe(text.slice(12, -1));
		const again = await world.cold().get(`/v1/sessions/${made.body.id}`);
		expect(JSON.stringify(again.body.metadata)).toBe(text.slice(12, -1));
	});
});

describe("leaf", () => {
	it("moves to any entry but leaf entries, and to nothing", async () => {
		const { world, session } = await tree();
		expect((await world.cold().get(`${session}/leaf`)).body).toEqual({ leafId: "d", seq: 10 });
		const moved = await world.put(`${session}/leaf`, { targetId: "e" });
		expect(moved.body).toEqual({
			leafId: "e",
			seq: 11,
			entry: {
				type: "leaf",
				id: expect.any(String),
				parentId: "d",
				timestamp: expect.any(String),
				targetId: "e",
			},
		});
		expect(moved.headers.get("ETag")).toBe('W/"11-1"');
		expect((await world.cold().put(`${session}/leaf`, { targetId: null })).body).toMatchObject({
			leafId: null,
			seq: 12,
		});
		expect((await world.get(`${session}/leaf`)).body).toEqual({ leafId: null, seq: 12 });
		expect((await world.get(`${session}/context`)).body).toEqual({
			messages: [],
			thinkingLevel: "off",
			model: null,
			leafId: null,
			seq: 12,
		});
		expect((await world.get(`${session}/branch`)).body).toEqual({ entries: [], leafId: null, seq: 12 });
		for (const [targetId, status] of [
			["none", 404],
			["", 404],
			["x", 422],
			[7, 400],
			[undefined, 400],
		] as const) {
			const reply = await world.put(`${session}/leaf`, { targetId });
			expect([targetId, reply.status]).toEqual([targetId, status]);
		}
		const root = await world.post(`${session}/entries`, note("again"));
		expect(root.body.entries[0].parentId).toBeNull();
	});

	it("costs a LIST and a GET for an instance that knows nothing", async () => {
		const { world, session } = await tree();
		for (let turn = 0; turn < 9; turn++) await world.post(`${session}/entries`, note(`n${turn}`));
		expect(requestsOf(await world.cold().get(`${session}/leaf`))).toMatchObject({ list: 1, get: 1 });
	});
});
