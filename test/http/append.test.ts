import { describe, expect, it } from "vitest";
import { limits } from "../../schemas/limits.ts";
import { requestsOf, user, World } from "./world.ts";

const note = (more: object = {}) => ({ type: "custom", customType: "note", ...more });
const assistant = (callIds: readonly string[], more: object = {}) => ({
	type: "message",
	message: {
		role: "assistant",
		content: callIds.map((id) => ({ type: "toolCall", id, name: "bash", arguments: {} })),
		api: "x",
		provider: "p",
		model: "m",
		usage: {
			input: 1,
			output: 1,
			cacheRead: 0,
			cacheWrite: 0,
			totalTokens: 2,
			cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
		},
		stopReason: "toolUse",
		timestamp: 1,
	},
	...more,
});
const result = (callId: string, more: object = {}) => ({
	type: "message",
	message: {
		role: "toolResult",
		toolCallId: callId,
		toolName: "bash",
		content: [{ type: "text", text: "done" }],
		isError: false,
		timestamp: 2,
	},
	...more,
});

describe("appendEntry", () => {
	it("one entry: id, parent and time are filled in, the leaf moves", async () => {
		const world = new World();
		const session = await world.session([user("a", { id: "a" })]);
		const reply = await world.post(`${session}/entries`, user("b"));
		expect(reply.status).toBe(201);
		const [entry] = reply.body.entries;
		expect(entry).toEqual({
			...user("b"),
			id: expect.stringMatching(/^[0-9a-f]{8}$/),
			parentId: "a",
			timestamp: new Date(world.clock.now()).toISOString(),
		});
		expect(reply.body).toEqual({ entries: [entry], leafId: entry.id, seq: 2 });
		expect(reply.headers.get("ETag")).toBe('W/"2-1"');
		expect(requestsOf(reply)).toMatchObject({ put: 1, "bytes-read": 0 });
		expect((await world.cold().get(`${session}/leaf`)).body).toEqual({ leafId: entry.id, seq: 2 });
	});

	it("what is given is kept, in its order: id, time, parent, and every field that we don't know", async () => {
		const world = new World();
		const session = await world.session([user("a", { id: "a" }), user("b", { id: "b" })]);
		const entry = `{"type":"custom","customType":"x","id":"__proto__","parentId":"a","timestamp":"2020-01-01T01:00:00+01:00",
			"data":{"__proto__":{"polluted":1},"constructor":[1e21,-0.5,"\\u0000\\ud800"],"toString":null},"later":{"b":1,"a":2}}`;
		const reply = await world.post(`${session}/entries`, entry);
		expect(reply.status).toBe(201);
		expect(JSON.stringify(reply.body.entries[0])).toBe(JSON.stringify(JSON.parse(entry)));
		for (const instance of [world, world.cold()]) {
			const { body } = await instance.get(`${session}/entries/__proto__`);
			expect(JSON.stringify(body.entry)).toBe(JSON.stringify(JSON.parse(entry)));
			expect(body.seq).toBe(3);
		}
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});

	it("ids like __proto__ and constructor are plain ids, as parents, targets and labels too", async () => {
		const world = new World();
		const session = await world.session();
		for (const id of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
			expect((await world.get(`${session}/entries/${id}`)).status).toBe(404);
			expect((await world.get(`${session}/branch?from=${id}`)).status).toBe(404);
			expect((await world.post(`${session}/entries`, note({ parentId: id }))).status).toBe(404);
			expect((await world.put(`${session}/leaf`, { targetId: id })).status).toBe(404);
			expect((await world.post(`${session}/entries`, note({ id }))).status).toBe(201);
			const label = { type: "label", targetId: id, label: id };
			expect((await world.post(`${session}/entries`, label)).status).toBe(201);
			expect((await world.put(`${session}/leaf`, { targetId: id })).body.leafId).toBe(id);
			expect((await world.cold().get(`${session}/entries/${id}`)).body).toMatchObject({ label: id });
		}
		const labels = (await world.get(`${session}/labels`)).body.labels;
		expect(labels.map(({ label }: { label: string }) => label)).toEqual([
			"constructor",
			"__proto__",
			"toString",
			"hasOwnProperty",
		]);
		const siblings = (await world.get(`${session}/branch?include=siblings`)).body.siblings;
		expect(Object.keys(siblings)).toEqual(["__proto__", "toString", "hasOwnProperty"]);
	});

	it("a batch is chained, each entry on the one before, in one commit", async () => {
		const world = new World();
		const session = await world.session([user("a", { id: "a" })]);
		const entries = [
			note({ id: "b" }),
			note({ id: "c" }),
			note({ id: "d", parentId: "b" }),
			{ type: "leaf", id: "l", targetId: "a" },
			note({ id: "e" }),
			note({ id: "root", parentId: null }),
			{ type: "label", id: "m", targetId: "e", label: "x" },
		];
		const reply = await world.post(`${session}/entries`, { entries });
		expect(reply.status).toBe(201);
		const parents = reply.body.entries.map((entry: { id: string; parentId: string }) => [
			entry.id,
			entry.parentId,
		]);
		expect(parents).toEqual([
			["b", "a"],
			["c", "b"],
			["d", "b"],
			["l", "d"],
			["e", "a"],
			["root", null],
			["m", "root"],
		]);
		expect(reply.body).toMatchObject({ leafId: "m", seq: 8 });
		expect(reply.headers.get("ETag")).toBe('W/"8-1"');
		expect(requestsOf(reply)).toMatchObject({ put: 1 });
	});

	it("keepLeaf: the same commit ends with a leaf entry back to where the leaf was", async () => {
		const world = new World();
		const session = await world.session([user("a", { id: "a" })]);
		const entries = [note({ id: "b", parentId: null }), note({ id: "c" })];
		const reply = await world.post(`${session}/entries?keepLeaf=true`, { entries });
		expect(reply.body).toMatchObject({ leafId: "a", seq: 4 });
		expect(reply.body.entries.map(({ id }: { id: string }) => id)).toEqual(["b", "c"]);
		expect(requestsOf(reply)).toMatchObject({ put: 1 });
		const log = (await world.cold().get(`${session}/entries`)).body.entries;
		expect(log[3]).toEqual({
			type: "leaf",
			id: expect.stringMatching(/^[0-9a-f]{8}$/),
			parentId: "c",
			timestamp: expect.any(String),
			targetId: "a",
		});
		const empty = await world.session();
		const first = await world.post(`${empty}/entries?keepLeaf=true`, note());
		expect(first.body).toMatchObject({ leafId: null, seq: 2 });
		expect((await world.post(`${empty}/entries?keepLeaf=false`, note())).body.seq).toBe(3);
	});

	it("all or nothing: what is wrong with one entry stores none, and the leaf stays", async () => {
		const world = new World();
		const session = await world.session([user("a", { id: "a" }), assistant(["t1"], { id: "b" })]);
		const before = (await world.get(`${session}/entries`)).text;
		const bad: [object, number, string][] = [
			[note({ parentId: "nowhere" }), 404, "entries.1.parentId"],
			[{ type: "label", targetId: "nowhere", label: "x" }, 404, "entries.1.targetId"],
			[{ type: "leaf", targetId: "nowhere" }, 404, "entries.1.targetId"],
			[{ type: "context_edit", targetId: "nowhere", replacement: null }, 404, "entries.1.targetId"],
			[{ type: "context_edit", targetId: "fine", replacement: null }, 422, "entries.1."],
			[{ type: "context_edit", targetId: "a", replacement: null, parentId: null }, 422, "entries.1."],
			[{ type: "context_edit", targetId: "a", replacement: { content: 7 } }, 422, "entries.1."],
			[compaction("nowhere"), 404, "entries.1.firstKeptEntryId"],
			[{ ...compaction("a"), parentId: null }, 422, "entries.1."],
			[note({ id: "a" }), 409, ""],
		];
		for (const [entry, status, path] of bad) {
			const reply = await world.post(`${session}/entries`, { entries: [note({ id: "fine" }), entry] });
			expect([reply.status, JSON.stringify(entry)]).toEqual([status, JSON.stringify(entry)]);
			if (path !== "") expect(reply.body.errors[0].path).toBe(path);
		}
		expect(
			(await world.post(`${session}/entries`, { entries: [note({ id: "x" }), note({ id: "x" })] })).status,
		).toBe(409);
		expect((await world.cold().get(`${session}/entries`)).text).toBe(before);
	});

	it("shape: 400 that names the field, for one entry and in a batch", async () => {
		const world = new World();
		const session = await world.session([user("a", { id: "a" })]);
		const bad: [unknown, string][] = [
			[{}, "type"],
			[{ type: "nonsense" }, "type"],
			[{ type: "__proto__" }, "type"],
			[{ type: "constructor" }, "type"],
			[{ type: 7 }, "type"],
			[note({ id: "" }), "id"],
			[note({ id: "a b" }), "id"],
			[note({ id: "a\u0000" }), "id"],
			[note({ id: "\ud800" }), "id"],
			[note({ id: "x".repeat(65) }), "id"],
			[note({ id: 7 }), "id"],
			[note({ parentId: 7 }), "parentId"],
			[note({ timestamp: "yesterday" }), "timestamp"],
			[note({ timestamp: "2026-13-45T99:00:00Z" }), "timestamp"],
			[note({ timestamp: 7 }), "timestamp"],
			[{ type: "custom", customType: 7 }, "customType"],
			[{ type: "message" }, "message"],
			[{ type: "message", message: { role: "user" } }, "message.content"],
			[{ type: "message", message: { role: 7 } }, "message.role"],
			[{ type: "leaf" }, "targetId"],
			[{ type: "session_info" }, "name"],
			[{ type: "model_change", provider: "p" }, "modelId"],
			[{ type: "compaction", summary: "s", firstKeptEntryId: "a", tokensBefore: "1" }, "tokensBefore"],
			[{ type: "custom", customType: "leaflog.leaf" }, "customType"],
		];
		for (const [entry, path] of bad) {
			const one = await world.post(`${session}/entries`, entry);
			expect([one.status, one.body.code, JSON.stringify(entry)]).toEqual([
				400,
				"invalid_request",
				JSON.stringify(entry),
			]);
			expect(one.body.errors.map((issue: { path: string }) => issue.path)).toContain(path);
			const batch = await world.post(`${session}/entries`, { entries: [note(), entry] });
			expect(batch.status).toBe(400);
			expect(batch.body.errors.map((issue: { path: string }) => issue.path)).toContain(`entries.1.${path}`);
		}
		for (const body of [
			{ entries: [] },
			{ entries: {} },
			{ entries: null },
			{ entries: [note()], more: 1 },
			{ entries: [1] },
		]) {
			expect((await world.post(`${session}/entries`, body)).status).toBe(400);
		}
		expect((await world.post(`${session}/entries?keepLeaf=maybe`, note())).status).toBe(400);
		expect((await world.post(`${session}/entries?keepLeaf=true&keepLeaf=true`, note())).status).toBe(400);
		expect((await world.get(session)).body.seq).toBe(1);
	});

	it("limits: 413 for an entry, a batch, a name, metadata and a session that are too large", async () => {
		const world = new World({
			config: { limits: { entryBytes: 1000, batchEntries: 3, sessionEntries: 5 } },
		});
		const session = await world.session([user("a", { id: "a" })]);
		const large = [
			note({ data: "x".repeat(1000) }),
			note({ data: "é".repeat(500) }),
			{ entries: [note(), note(), note(), note()] },
			{ type: "session_info", name: "x".repeat(limits.nameCharacters + 1) },
			{ type: "session_info", name: "x", metadata: { x: "y".repeat(limits.metadataBytes) } },
		];
		for (const body of large) {
			const reply = await world.post(`${session}/entries`, body);
			expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
		}
		expect((await world.post(`${session}/entries`, { entries: [note(), note(), note()] })).status).toBe(201);
		expect((await world.post(`${session}/entries?keepLeaf=true`, note())).status).toBe(413);
		expect((await world.post(`${session}/entries`, note())).body.seq).toBe(5);
		expect((await world.post(`${session}/entries`, note())).status).toBe(413);
		expect((await world.get(session)).body.seq).toBe(5);
	});

	it("a large entry, and strings with anything in them, come back as they were", async () => {
		const world = new World();
		const session = await world.session();
		const text = `\u0000\ud800 \u2028 ${"x".repeat(3_900_000)}`;
		expect((await world.post(`${session}/entries`, user(text, { id: "big" }))).status).toBe(201);
		const { body } = await world.cold().get(`${session}/entries/big`);
		expect(body.entry.message.content === text).toBe(true);
		const tooBig = await world.post(`${session}/entries`, user("x".repeat(5_000_000)));
		expect(tooBig.status).toBe(413);
	}, 30_000);

	it("a tool result whose call was left behind is 409 that names where it belongs", async () => {
		const world = new World();
		const session = await world.session([
			user("a", { id: "a" }),
			assistant(["call-1"], { id: "b" }),
			{ type: "leaf", targetId: "a" },
			user("other", { id: "c" }),
		]);
		const reply = await world.post(`${session}/entries`, result("call-1"));
		expect([reply.status, reply.body.code]).toEqual([409, "conflict"]);
		expect(reply.body.detail).toContain("entry b");
		expect((await world.post(`${session}/entries`, result("call-1", { parentId: "b" }))).status).toBe(201);
		expect((await world.post(`${session}/entries`, result("unheard-of"))).status).toBe(201);
	});

	it("entries are normalized as they are stored: names, labels, edits, compactions", async () => {
		const world = new World();
		const session = await world.session([
			{
				type: "message",
				id: "s",
				message: { role: "system", content: "be kind", timestamp: 1 },
			},
			assistant(["t"], { id: "b" }),
		]);
		const reply = await world.post(`${session}/entries`, {
			entries: [
				{ type: "session_info", name: " a\r\n\nb " },
				{ type: "context_edit", targetId: "b", replacement: { content: "cut" } },
				{ type: "compaction", id: "c", summary: "s", firstKeptEntryId: null, tokensBefore: 1 },
				{ type: "label", targetId: "b", label: "  " },
			],
		});
		expect(reply.status).toBe(201);
		const [name, edit, compacted, label] = reply.body.entries;
		expect(name.name).toBe("a b");
		expect(edit.replacement).toEqual({ content: [{ type: "text", text: "cut" }] });
		expect(compacted).toMatchObject({
			firstKeptEntryId: "c",
			systemMessage: { role: "system", content: "be kind", timestamp: world.clock.now() },
		});
		expect(label.label.trim()).toBe("");
	});

	it("a compaction of a cold instance reads the system messages that it needs", async () => {
		const world = new World();
		const filler = Array.from({ length: 300 }, (_, n) => user(`${n} ${"x".repeat(800)}`));
		const system = { type: "message", message: { role: "system", content: "be kind", timestamp: 1 } };
		const session = await world.session([system, ...filler]);
		const reply = await world.cold().post(`${session}/entries`, compaction(null));
		expect(reply.status).toBe(201);
		expect(reply.body.entries[0].systemMessage.content).toBe("be kind");
	});
});

function compaction(firstKeptEntryId: string | null): object {
	return { type: "compaction", summary: "s", firstKeptEntryId, tokensBefore: 1 };
}
