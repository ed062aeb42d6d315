import { describe, expect, it } from "vitest";
import { at, idsOf, note, tree } from "./small-tree.ts";
import { user, World } from "./world.ts";

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
