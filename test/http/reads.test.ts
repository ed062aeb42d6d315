import { describe, expect, it } from "vitest";
import { requestsOf, user, World } from "./world.ts";

const note = (id: string, more: object = {}) => ({ type: "custom", customType: "note", id, ...more });
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/**
 * a ─ b ─ c ─ d         (the leaf: d)
 *   │   └ e
 *   └ f ─ label(b) ─ name
 * g
 */
async function tree() {
	const world = new World();
	const session = await world.session(
		[
			user("Alpha", { id: "a", timestamp: at(1) }),
			note("b", { timestamp: at(5) }),
			user("Gamma", { id: "c", timestamp: at(3) }),
			note("d", { timestamp: at(4) }),
			user("Epsilon", { id: "e", parentId: "b", timestamp: at(2) }),
			note("f", { parentId: "a", timestamp: at(2) }),
			{ type: "label", id: "l", targetId: "b", label: "Mark", timestamp: at(6) },
			{ type: "session_info", id: "n", name: "Named", timestamp: at(7) },
			note("g", { parentId: null, timestamp: at(0) }),
			{ type: "leaf", id: "x", targetId: "d", timestamp: at(8) },
		],
		{ id: "s" },
	);
	return { world, session };
}

const idsOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

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

describe("listEntries", () => {
	it("pages through the log, leaf entries included, and gives what is new", async () => {
		const { world, session } = await tree();
		const seen: string[] = [];
		let after: number | undefined = 0;
		for (let page = 0; after !== undefined; page++) {
			const { body } = await world.cold().get(`${session}/entries?limit=3&after=${after}`);
			expect(body.seq).toBe(10);
			expect(body.entries.length).toBe(page < 3 ? 3 : 1);
			seen.push(...idsOf(body.entries));
			after = body.nextCursor;
		}
		expect(seen).toEqual(["a", "b", "c", "d", "e", "f", "l", "n", "g", "x"]);
		await world.post(`${session}/entries`, note("new"));
		const delta = (await world.get(`${session}/entries?after=10`)).body;
		expect(delta).toEqual({ entries: [expect.objectContaining({ id: "new", parentId: "d" })], seq: 11 });
		expect((await world.get(`${session}/entries?after=11`)).body).toEqual({ entries: [], seq: 11 });
		expect((await world.get(`${session}/entries?after=999999999`)).body).toEqual({ entries: [], seq: 11 });
	});

	it("by type: the cursor is there only where another of them follows", async () => {
		const { world, session } = await tree();
		const messages = (await world.get(`${session}/entries?type=message&limit=2`)).body;
		expect([idsOf(messages.entries), messages.nextCursor]).toEqual([["a", "c"], 3]);
		const rest = (await world.get(`${session}/entries?type=message&limit=2&after=3`)).body;
		expect([idsOf(rest.entries), rest.nextCursor]).toEqual([["e"], undefined]);
		const both = (await world.get(`${session}/entries?type=label&type=leaf`)).body;
		expect(idsOf(both.entries)).toEqual(["l", "x"]);
	});

	it("absurd parameters are 400", async () => {
		const { world, session } = await tree();
		for (const query of [
			"limit=0",
			"limit=1001",
			"limit=-1",
			"limit=1.5",
			"limit=1e2",
			"limit=",
			"limit=ten",
			"limit=99999999999999999999",
			"limit=1&limit=2",
			"after=-1",
			"after=x",
			"after=",
			"type=nonsense",
			"type=",
			"type=__proto__",
			"__proto__=1",
		]) {
			const reply = await world.get(`${session}/entries?${query}`);
			expect([reply.status, query]).toEqual([400, query]);
			expect(reply.body.errors[0].path).toContain(query.split("=")[0]);
		}
		expect((await world.get(`${session}/entries?limit=%31&type=custom%5Fmessage`)).status).toBe(200);
	});
});

describe("getEntry", () => {
	it("tells the version, its label and its children in tree order", async () => {
		const { world, session } = await tree();
		const b = (await world.cold().get(`${session}/entries/b`)).body;
		expect(b).toEqual({
			entry: expect.objectContaining({ id: "b", parentId: "a" }),
			seq: 10,
			label: "Mark",
			children: ["e", "c"],
		});
		const d = (await world.get(`${session}/entries/d`)).body;
		expect(d).toEqual({ entry: expect.objectContaining({ id: "d" }), seq: 10, children: [] });
		expect((await world.get(`${session}/entries/x`)).body.entry).toMatchObject({
			type: "leaf",
			parentId: "g",
		});
		for (const id of ["none", "%20", "a%2Fb", "..", "é", "x".repeat(300)]) {
			expect([404, 400]).toContain((await world.get(`${session}/entries/${id}`)).status);
		}
		expect((await world.get(`${session}/entries/a%00`)).status).toBe(400);
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

describe("getBranch", () => {
	it("gives the path of the leaf, or of `from`", async () => {
		const { world, session } = await tree();
		expect(idsOf((await world.get(`${session}/branch`)).body.entries)).toEqual(["a", "b", "c", "d"]);
		const from = (await world.cold().get(`${session}/branch?from=n`)).body;
		expect([idsOf(from.entries), from.leafId]).toEqual([["a", "f", "l", "n"], "d"]);
		expect(idsOf((await world.get(`${session}/branch?from=g`)).body.entries)).toEqual(["g"]);
		expect((await world.get(`${session}/branch?from=none`)).status).toBe(404);
		expect((await world.get(`${session}/branch?from=`)).status).toBe(400);
	});

	it("pages from the newest to the oldest", async () => {
		const { world, session } = await tree();
		const newest = (await world.get(`${session}/branch?limit=2`)).body;
		expect([idsOf(newest.entries), newest.nextBefore]).toEqual([["c", "d"], "c"]);
		const older = (await world.get(`${session}/branch?limit=2&before=c`)).body;
		expect([idsOf(older.entries), older.nextBefore]).toEqual([["a", "b"], undefined]);
		expect(idsOf((await world.get(`${session}/branch?before=d`)).body.entries)).toEqual(["a", "b", "c"]);
		expect((await world.get(`${session}/branch?before=a`)).body).toEqual({
			entries: [],
			leafId: "d",
			seq: 10,
		});
		expect((await world.get(`${session}/branch?before=none`)).status).toBe(404);
		expect((await world.get(`${session}/branch?before=e`)).status).toBe(422);
		for (const query of ["limit=0", "limit=100001", "limit=x", "include=nonsense", "include="]) {
			expect((await world.get(`${session}/branch?${query}`)).status).toBe(400);
		}
	});

	it("siblings: all children of the parent in tree order, for each entry that has any", async () => {
		const { world, session } = await tree();
		const { siblings } = (await world.get(`${session}/branch?include=siblings`)).body;
		expect(siblings).toEqual({ a: ["a", "g"], b: ["f", "b"], c: ["e", "c"] });
		const page = (await world.cold().get(`${session}/branch?include=siblings&limit=2`)).body;
		expect(page.siblings).toEqual({ c: ["e", "c"] });
		expect((await world.get(`${session}/branch`)).body.siblings).toBeUndefined();
	});
});

describe("getTree and listLabels", () => {
	it("all nodes, flat, leaf entries left out", async () => {
		const { world, session } = await tree();
		const { body } = await world.cold().get(`${session}/tree`);
		expect(body).toMatchObject({ roots: ["a", "g"], leafId: "d", seq: 10 });
		expect(idsOf(body.nodes)).toEqual(["a", "b", "c", "d", "e", "f", "l", "n", "g"]);
		expect(body.nodes[0]).toEqual({
			id: "a",
			parentId: null,
			type: "message",
			role: "user",
			timestamp: at(1),
			preview: "Alpha",
			children: ["f", "b"],
		});
		expect(body.nodes[1]).toMatchObject({ label: "Mark", labelTimestamp: at(6), children: ["e", "c"] });
	});

	it("a filter leaves what matches, and its ancestors", async () => {
		const { world, session } = await tree();
		const nodes = async (query: string) => idsOf((await world.get(`${session}/tree?${query}`)).body.nodes);
		expect(await nodes("labeled=true")).toEqual(["a", "b"]);
		expect(await nodes("labeled=false")).toHaveLength(9);
		expect(await nodes("q=eps")).toEqual(["a", "b", "e"]);
		expect(await nodes("q=MARK")).toEqual(["a", "b", "f", "l"]);
		expect(await nodes("types=message")).toEqual(["a", "b", "c", "e"]);
		expect(await nodes("types=label,session_info")).toEqual(["a", "f", "l", "n"]);
		expect(await nodes("types=label&types=message&q=g")).toEqual(["a", "b", "c"]);
		expect(await nodes("q=nothing+has+this")).toEqual([]);
		for (const query of ["types=nonsense", "labeled=yes", "labeled="]) {
			expect((await world.get(`${session}/tree?${query}`)).status).toBe(400);
		}
	});

	it("labels: the latest of each target", async () => {
		const { world, session } = await tree();
		const label = (targetId: string, text?: string) =>
			world.post(`${session}/entries`, {
				type: "label",
				targetId,
				...(text !== undefined && { label: text }),
			});
		await label("g", "G");
		expect((await world.cold().get(`${session}/labels`)).body).toEqual({
			labels: [
				{ targetId: "b", label: "Mark", timestamp: at(6) },
				{ targetId: "g", label: "G", timestamp: expect.any(String) },
			],
			seq: 11,
		});
		await label("b");
		await label("g", " ");
		expect((await world.get(`${session}/labels`)).body.labels).toEqual([]);
	});
});

describe("buildContext", () => {
	it("three views and two formats", async () => {
		const world = new World();
		const session = await world.session([
			user("a", { id: "a" }),
			{ type: "custom_message", id: "b", customType: "x", content: "told", display: true },
			{ type: "thinking_level_change", id: "c", thinkingLevel: "high" },
			{ type: "model_change", id: "d", provider: "p", modelId: "m" },
			note("e"),
		]);
		const rest = {
			thinkingLevel: "high",
			model: { provider: "p", modelId: "m" },
			leafId: "e",
			seq: 5,
		};
		const get = async (query: string) => (await world.cold().get(`${session}/context?${query}`)).body;
		const told = {
			role: "custom",
			customType: "x",
			content: "told",
			display: true,
			timestamp: expect.any(Number),
		};
		const [first] = (await get("")).messages;
		expect(first).toEqual({ role: "user", content: "a", timestamp: 1_767_323_045_000 });
		expect(await get("")).toEqual({ messages: [first, told], ...rest });
		const asUser = { role: "user", content: [{ type: "text", text: "told" }], timestamp: expect.any(Number) };
		expect(await get("format=llm")).toEqual({ messages: [first, asUser], ...rest });
		expect(idsOf((await get("view=entries")).entries)).toEqual(["a", "b", "c", "d", "e"]);
		const projected = await get("view=projection&format=llm");
		expect(projected.projection.slice(0, 3)).toEqual([
			{ sourceEntryId: "a", messages: [first] },
			{ sourceEntryId: "b", messages: [asUser] },
			{ sourceEntryId: "c", messages: [] },
		]);
		expect(await get("from=a")).toEqual({
			messages: [first],
			thinkingLevel: "off",
			model: null,
			leafId: "e",
			seq: 5,
		});
		for (const query of ["view=nonsense", "format=xml", "from=", "view=messages&view=entries"]) {
			expect((await world.get(`${session}/context?${query}`)).status).toBe(400);
		}
		expect((await world.get(`${session}/context?from=none`)).status).toBe(404);
	});
});
