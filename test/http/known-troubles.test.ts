import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { expectSame, pi, piSession } from "../session/pi.ts";
import { assistant, text, toolCall, toolResult } from "./chat.ts";
import { imported, importedFile, importFile, inPi, storedEntries } from "./files-and-pi.ts";
import { requestsOf, user, World } from "./world.ts";

/** What sessions were broken by elsewhere. Each of them must read as in pi, stay in lists, and answer every call. */

const at = "2026-01-01T00:00:00.000Z";
const header = { type: "session", version: 3, id: "troubled", timestamp: at, cwd: "/work" };

/** Entries one below the other, unless they say otherwise. */
function chain(...entries: readonly object[]): Entry[] {
	let parentId: string | null = null;
	return entries.map((given, place) => {
		const entry = { id: `e${place}`, parentId, timestamp: at, ...given } as unknown as Entry;
		parentId = entry.id;
		return entry;
	});
}

/** Every read answers, none with 500, and the session is in the list. */
async function expectSound(world: World, session: string): Promise<void> {
	const { leafId } = (await world.get(`${session}/leaf`)).body;
	const reads = [
		"",
		"/entries",
		"/branch?include=siblings",
		"/context",
		"/context?format=llm",
		"/context?view=entries",
		"/context?view=projection",
		"/tree",
		"/tree?labeled=true&q=a",
		"/labels",
		"/stats",
		"/fork-points",
		"/export",
		"/export?format=log",
		"/children",
		...(leafId === null ? [] : [`/entries/${leafId}`, `/navigation?targetId=${leafId}`]),
	];
	for (const path of reads) {
		const reply = await world.get(`${session}${path}`);
		expect([path, reply.status, reply.status === 200 ? "" : reply.text]).toEqual([path, 200, ""]);
	}
	expect([200, 422]).toContain((await world.get(`${session}/compaction-plan?keepRecentTokens=1`)).status);
	const { sessions } = (await world.get("/v1/sessions?limit=200")).body;
	const id = session.split("/").at(-1);
	expect(sessions.map((one: { id: string }) => one.id)).toContain(id);
}

/** The context at the leaf, and the tree, are pi's on the session's export. */
async function expectAsInPi(world: World, session: string): Promise<void> {
	const reference = await inPi(world, session);
	const { messages, thinkingLevel } = (await world.get(`${session}/context`)).body;
	const expected = reference.buildSessionContext();
	expectSame(
		{ messages, thinkingLevel },
		{ messages: expected.messages, thinkingLevel: expected.thinkingLevel },
	);
	const { nodes } = (await world.get(`${session}/tree`)).body;
	// The export ends with a mark where the leaf isn't its last entry.
	const written = reference.getEntries().filter(({ customType }: Entry) => customType !== "leaflog.leaf");
	expect(nodes).toHaveLength(written.length);
}

async function troubled(entries: readonly object[]) {
	const world = new World();
	const session = await imported(world, header, entries);
	await expectSound(world, session);
	return { world, session };
}

const message = (role: string, content: unknown, more: object = {}) => ({
	type: "message",
	message: { role, content, timestamp: 1_767_225_600_000, ...more },
});
const label = (targetId: string, name: string, more: object = {}) => ({
	type: "label",
	targetId,
	label: name,
	...more,
});

describe("known troubles", () => {
	it("a path with labels in its middle: the new session leaves them out, and has them at its end", async () => {
		const entries = chain(
			message("user", "a"),
			label("e0", "start"),
			label("e0", "begin"),
			message("assistant", [text("b")]),
			label("e3", "answer"),
			message("user", "c"),
		);
		const { world, session } = await troubled(entries);
		await expectAsInPi(world, session);
		const made = await world.post(`${session}/branched-sessions`, { leafId: "e5", id: "made" });
		const stored = await storedEntries(world, "/v1/sessions/made");
		expect(stored.map(({ id, parentId }) => [id, parentId]).slice(0, 3)).toEqual([
			["e0", null],
			["e3", "e0"],
			["e5", "e3"],
		]);
		expect(stored.slice(3).map(({ targetId, label: name }) => [targetId, name])).toEqual([
			["e0", "begin"],
			["e3", "answer"],
		]);
		expect(stored[3]?.parentId).toBe("e5");
		expect(made.body.leafId).toBe(stored[4]?.id);
		await expectAsInPi(world, "/v1/sessions/made");
		await expectSound(world, "/v1/sessions/made");
	});

	it("a firstKeptEntryId that names a label: the next kept entry takes its place, and the context stays", async () => {
		const entries = chain(
			message("user", "old"),
			message("user", "older"),
			label("e0", "here"),
			message("user", "kept"),
			{ type: "compaction", summary: "S", firstKeptEntryId: "e2", tokensBefore: 5 },
			message("user", "new"),
		);
		const { world, session } = await troubled(entries);
		await expectAsInPi(world, session);
		await world.post(`${session}/branched-sessions`, { leafId: "e5", id: "made" });
		const stored = await storedEntries(world, "/v1/sessions/made");
		expect(stored.find(({ type }) => type === "compaction")?.firstKeptEntryId).toBe("e3");
		const [one, other] = await Promise.all(
			[session, "/v1/sessions/made"].map((path) => world.get(`${path}/context`)),
		);
		expect(other?.body.messages).toEqual(one?.body.messages);
		expect(one?.body.messages).toHaveLength(3);
		const reference = piSession(header, entries);
		reference.createBranchedSession("e5");
		expectSame(stored.slice(0, 5), reference.getEntries().slice(0, 5));
	});

	it("a summary of a branch with omitted and edited messages: what was omitted is not read, what was edited is read as edited", async () => {
		const entries = chain(
			message("user", "start"),
			message("user", "a secret"),
			message("assistant", [text("a long answer")]),
			{ type: "context_edit", targetId: "e1", replacement: null },
			{ type: "context_edit", targetId: "e2", replacement: { content: "short" } },
			message("user", "thanks"),
		);
		const { world, session } = await troubled(entries);
		await expectAsInPi(world, session);
		const reply = await world.get(`${session}/navigation?targetId=e0&tokenBudget=0`);
		expect(reply.body.entriesToSummarize.map(({ id }: Entry) => id)).toEqual(["e2", "e5"]);
		const reference = await inPi(world, session);
		const left = pi.collectEntriesForBranchSummary(reference, "e5", "e0").entries;
		const { messages } = pi.prepareBranchEntries(left, 0);
		expect(messages.map((one: { content: unknown }) => one.content)).toEqual([[text("short")], "thanks"]);
	});

	it("an older compaction in the kept range: it gives nothing, and the next plan carries on the newer summary", async () => {
		const entries = chain(
			message("user", "one"),
			message("user", "two"),
			{ type: "compaction", summary: "older", firstKeptEntryId: "e1", tokensBefore: 5 },
			message("user", "three"),
			{ type: "compaction", summary: "newer", firstKeptEntryId: "e1", tokensBefore: 9 },
			message("user", "four"),
			message("user", "five"),
		);
		const { world, session } = await troubled(entries);
		await expectAsInPi(world, session);
		const { messages } = (await world.get(`${session}/context`)).body;
		expect(messages.map((one: { content?: string; summary?: string }) => one.summary ?? one.content)).toEqual(
			["newer", "two", "three", "four", "five"],
		);
		const plan = (await world.get(`${session}/compaction-plan?keepRecentTokens=1`)).body;
		expect(plan).toMatchObject({ previousSummary: "newer", firstKeptEntryId: "e6" });
		expect(plan.entriesToSummarize.map(({ id }: Entry) => id)).toEqual(["e1", "e3", "e5"]);
	});

	it("orphan tool results: kept where they are, counted, and never where a cut is made", async () => {
		const entries = chain(
			message("toolResult", [text("whose?")], { toolCallId: "nobody", toolName: "read", isError: false }),
			message("user", "x".repeat(400)),
			message("toolResult", [text("again")], { toolCallId: "nobody", toolName: "read", isError: false }),
			message("toolResult", [text("y".repeat(400))], {
				toolCallId: "nobody",
				toolName: "read",
				isError: false,
			}),
			message("assistant", [text("done")]),
		);
		const { world, session } = await troubled(entries);
		await expectAsInPi(world, session);
		expect((await world.get(`${session}/stats`)).body.toolResults).toBe(3);
		const plan = (await world.get(`${session}/compaction-plan?keepRecentTokens=50`)).body;
		expect(plan.firstKeptEntryId).toBe("e4");
		const appended = await world.post(`${session}/entries`, toolResult("nobody-either", "late"));
		expect([appended.status, appended.body.entries[0].parentId]).toEqual([201, "e4"]);
		const tree = (await world.get(`${session}/tree`)).body.nodes;
		expect(tree.find(({ id }: Entry) => id === "e3")).toMatchObject({
			role: "toolResult",
			toolCallId: "nobody",
		});
	});

	it("a session whose parent is gone, or round in a circle: it stays in the list, and among the parent's children", async () => {
		const world = new World();
		await world.session([user("root")], { id: "parent" });
		await world.post("/v1/sessions/parent/clone", { id: "child" });
		await world.post("/v1/sessions/child/clone", { id: "grandchild" });
		await world.call("DELETE", "/v1/sessions/parent");
		await world.session([user("a")], { id: "one", parentSession: "other" });
		await world.session([user("b")], { id: "other", parentSession: "one" });
		await world.session([user("c")], { id: "own", parentSession: "own" });
		await world.session([user("d")], { id: "stray", parentSession: "nowhere" });
		for (const id of ["child", "grandchild", "one", "other", "own", "stray"]) {
			await expectSound(world, `/v1/sessions/${id}`);
		}
		expect((await world.get("/v1/sessions/child")).body.parentSession).toBe("parent");
		const children = async (id: string) =>
			(await world.get(`/v1/sessions/${id}/children`)).body.sessions.map((one: { id: string }) => one.id);
		expect(await children("child")).toEqual(["grandchild"]);
		expect(await children("one")).toEqual(["other"]);
		expect(await children("own")).toEqual(["own"]);
		const under = (await world.get("/v1/sessions?parent=parent")).body.sessions;
		expect(under.map((one: { id: string }) => one.id)).toEqual(["child"]);
	});

	it("two compactions under one parent: each branch has its own context", async () => {
		const world = new World();
		const session = await world.session([
			user("one", { id: "u1" }),
			user("two", { id: "u2" }),
			user("three", { id: "u3" }),
		]);
		const first = await world.post(`${session}/compact`, { summary: "first", firstKeptEntryId: "u3" });
		await world.put(`${session}/leaf`, { targetId: "u3" });
		const second = await world.post(`${session}/compact`, { summary: "second", firstKeptEntryId: "u2" });
		expect(second.status).toBe(201);
		expect(second.body.entry.parentId).toBe(first.body.entry.parentId);
		await expectSound(world, session);
		await expectAsInPi(world, session);
		const reference = await inPi(world, session);
		for (const { id } of [first.body.entry, second.body.entry]) {
			reference.branch(id);
			const { messages } = (await world.get(`${session}/context?from=${id}`)).body;
			expectSame(messages, reference.buildSessionContext().messages);
		}
	});

	it("a stale writer with an old parent: it grows a branch, and nobody's entries are lost", async () => {
		const world = new World();
		const session = await world.session([user("one", { id: "u1" })]);
		const stale = world.cold();
		await stale.get(`${session}/tree`);
		await world.post(`${session}/entries`, assistant("here", { id: "a1" }));
		const late = await stale.post(`${session}/entries`, assistant("there", { id: "b1", parentId: "u1" }));
		expect([late.status, late.body.leafId, late.body.seq]).toEqual([201, "b1", 3]);
		const checked = await stale.post(`${session}/entries`, user("x"), { "If-Match": 'W/"1-0"' });
		expect(checked.status).toBe(412);
		const branch = (await world.get(`${session}/branch?include=siblings`)).body;
		expect(branch.entries.map(({ id }: Entry) => id)).toEqual(["u1", "b1"]);
		expect(branch.siblings).toEqual({ b1: ["a1", "b1"] });
		await expectSound(world, session);
		await expectAsInPi(world, session);
	});

	it("a tool result appended after the leaf moved away: 409 that names its place, and there it is taken", async () => {
		const world = new World();
		const session = await world.session([
			user("go", { id: "u1" }),
			assistant("run", { id: "a1" }, { content: [toolCall("c1", "bash")], stopReason: "toolUse" }),
		]);
		await world.post(`${session}/navigate`, { targetId: "u1" });
		const lost = await world.post(`${session}/entries`, toolResult("c1", "done"));
		expect([lost.status, lost.body.code]).toEqual([409, "conflict"]);
		expect(lost.body.detail).toContain("a1");
		expect((await world.get(`${session}/leaf`)).body).toEqual({ leafId: null, seq: 3 });
		const path = `${session}/entries?keepLeaf=true`;
		const found = await world.post(path, toolResult("c1", "done", { id: "r1", parentId: "a1" }));
		expect([found.status, found.body.leafId]).toEqual([201, null]);
		const { messages } = (await world.get(`${session}/context?from=r1`)).body;
		expect(messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "toolResult"]);
		await expectSound(world, session);
	});

	it("a name with newlines: one line, wherever it comes from", async () => {
		const world = new World();
		const session = await world.session([user("hello")], { name: "\n A\r\n\r\nname \n" });
		expect((await world.get(session)).body.name).toBe("A name");
		await world.post(`${session}/entries`, { type: "session_info", name: "B\n\n\nname" });
		expect((await world.get(session)).body.name).toBe("B name");
		await world.call("PATCH", session, { name: "C\rname\n" });
		expect((await world.get(session)).body.name).toBe("C name");
		expect((await inPi(world, session)).getSessionName()).toBe("C name");
		const made = await world.post(`${session}/branched-sessions`, {
			leafId: (await world.get(`${session}/leaf`)).body.leafId,
			name: "D\nname",
		});
		expect(made.body.name).toBe("D name");
		const { sessions } = (await world.get("/v1/sessions")).body;
		expect(sessions.map((one: { name: string }) => one.name).sort()).toEqual(["C name", "D name"]);
		await expectSound(world, session);
	});

	it("null or string content where an array is expected: read as nothing, or as it is", async () => {
		const entries = chain(
			message("user", null),
			message("assistant", null),
			message("assistant", "a string", { stopReason: "stop" }),
			message("toolResult", "a string", { toolCallId: "c", toolName: "read", isError: false }),
			{ type: "custom_message", customType: "note", content: null, display: true },
			{ type: "message", message: null },
			{ type: "message" },
			message("user", [null, 7, "x", { type: "text" }, { type: "text", text: 5 }, { type: "image" }]),
			message("user", "fine"),
		);
		const { world, session } = await troubled(entries);
		const { messages } = (await world.get(`${session}/context`)).body;
		expect(messages.slice(0, 5).map(({ content }: { content: unknown }) => content)).toEqual([
			[],
			[],
			"a string",
			"a string",
			[],
		]);
		expect((await world.get(session)).body).toMatchObject({ messageCount: 8, firstMessage: "fine" });
		for (const [path, body] of [
			["clone", {}],
			["copies", {}],
			["fork", { entryId: "e8" }],
		] as const) {
			const made = await world.post(`${session}/${path}`, body);
			expect(made.status).toBe(201);
			await expectSound(world, `/v1/sessions/${(made.body.session ?? made.body).id}`);
		}
		const moved = await world.post(`${session}/navigate`, { targetId: "e0", summary: { text: "S" } });
		expect(moved.body).toMatchObject({ editorText: "", commonAncestorId: "e0" });
		await expectSound(world, session);
	});

	it("missing usage or cost: counted as nothing", async () => {
		const usage = { input: 10, output: 5, cacheRead: 1, cacheWrite: 2 };
		const entries = chain(
			message("assistant", [text("a")]),
			message("assistant", [text("b")], { usage: null }),
			message("assistant", [text("c")], { provider: "p", model: "m", usage }),
			message("assistant", [text("d")], {
				provider: "p",
				model: "m",
				usage: { ...usage, input: "many", cost: {} },
			}),
			message("assistant", [text("e")], { usage: { cost: { total: 0.5 } } }),
			message("assistant", [text("f")], { usage: { ...usage, cost: { total: null } } }),
			{ type: "usage", kind: "k", provider: "p", model: "m" },
			{ type: "compaction", summary: "S", firstKeptEntryId: "e5", usage: "none" },
			{ type: "branch_summary", fromId: "e0", summary: "S", usage: { cost: 3 } },
		);
		const { world, session } = await troubled(entries);
		const { tokens, cost, models } = (await world.get(`${session}/stats`)).body;
		expect(tokens).toEqual({ input: 20, output: 15, cacheRead: 3, cacheWrite: 6, total: 44 });
		expect(cost).toBe(0.5);
		expect(models).toContainEqual({ model: "p/m", tokens: 26, cost: 0 });
	});

	it("an image bigger than the limit: 413 before the leaf moves", async () => {
		const world = new World();
		const session = await world.session([user("one", { id: "u1" })]);
		const data = "A".repeat(4 * 1024 * 1024);
		const picture = message("user", [text("look"), { type: "image", data, mimeType: "image/png" }]);
		const reply = await world.post(`${session}/entries`, picture);
		expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
		const batch = await world.post(`${session}/entries`, { entries: [user("two"), picture] });
		expect(batch.status).toBe(413);
		for (const instance of [world, world.cold()]) {
			expect((await instance.get(`${session}/leaf`)).body).toEqual({ leafId: "u1", seq: 1 });
		}
		const smaller = message("user", [
			{ type: "image", data: data.slice(0, 3_000_000), mimeType: "image/png" },
		]);
		expect((await world.post(`${session}/entries`, smaller)).status).toBe(201);
		await expectSound(world, session);
	});

	it("2,000 custom entries of 50 KB: context and list don't read them", { timeout: 120_000 }, async () => {
		const world = new World();
		const session = await world.session([user("begin", { id: "u1" })]);
		const data = "d".repeat(50_000);
		for (let batch = 0; batch < 20; batch++) {
			const entries = Array.from({ length: 100 }, () => ({ type: "custom", customType: "state", data }));
			expect((await world.post(`${session}/entries`, { entries })).status).toBe(201);
		}
		await world.post(`${session}/entries`, user("end", { id: "u2" }));
		const context = await world.cold().get(`${session}/context`);
		expect(context.body.messages).toHaveLength(2);
		const list = await world.cold().get("/v1/sessions");
		expect(list.body.sessions[0]).toMatchObject({ firstMessage: "begin" });
		const stats = await world.cold().get(`${session}/stats`);
		for (const reply of [context, list, stats]) {
			expect(requestsOf(reply)["bytes-read"]).toBeLessThan(3_000_000);
		}
		expect((await world.cold().get(session)).body).toMatchObject({ entryCount: 2002, messageCount: 2 });
	});

	it("a branch tip among 1,362 that share a prefix: found, read, forked and left as any other", {
		timeout: 120_000,
	}, async () => {
		const tips = 1362;
		const prefix = chain(
			...Array.from({ length: 30 }, (_, n) => message(n % 2 ? "assistant" : "user", `p${n}`)),
		);
		const branches = Array.from({ length: tips }, (_, n) => ({
			id: `t${n}`,
			parentId: "e29",
			timestamp: at,
			...message("user", `tip ${n}`),
		}));
		const { world, session } = await troubled([...prefix, ...branches]);
		await world.put(`${session}/leaf`, { targetId: "t700" });
		await expectAsInPi(world, session);
		const branch = (await world.get(`${session}/branch?limit=1&include=siblings`)).body;
		expect(branch.siblings.t700).toHaveLength(tips);
		expect((await world.get(`${session}/tree`)).body.nodes[29].children).toHaveLength(tips);
		const clone = await world.post(`${session}/clone`);
		expect(clone.body.session).toMatchObject({ entryCount: 31, messageCount: 31, leafId: "t700" });
		const moved = await world.post(`${session}/navigate`, { targetId: "t1361" });
		expect(moved.body).toMatchObject({ leafId: "e29", editorText: "tip 1361", commonAncestorId: "e29" });
		expect((await world.get(`${session}/fork-points`)).body.points).toHaveLength(15 + tips);
	});

	it("a v1 file with a fused line before a compaction: the compaction keeps what it meant", async () => {
		const line = (content: string) => JSON.stringify({ ...message("user", content), timestamp: at });
		const file = [
			JSON.stringify({ type: "session", id: "v1", timestamp: at, cwd: "/work" }),
			line("one"),
			line("lost one") + line("lost two"),
			line("two"),
			line("three"),
			// Places among the records that were read: the header is 0, "one" is 1, "two" is 2.
			JSON.stringify({
				type: "compaction",
				timestamp: at,
				summary: "S",
				firstKeptEntryIndex: 2,
				tokensBefore: 9,
			}),
			line("four"),
		];
		const world = new World();
		const strict = await importFile(world, `${file.join("\n")}\n`, "repair=false");
		expect([strict.status, strict.body.errors[0].line]).toEqual([422, 3]);
		const session = await importedFile(world, `${file.join("\n")}\n`);
		await expectSound(world, session);
		const { messages } = (await world.get(`${session}/context`)).body;
		const said = messages.map((one: { content?: string; summary?: string }) => one.summary ?? one.content);
		expect(said).toEqual(["S", "two", "three", "four"]);
		const stored = await storedEntries(world, session);
		expect(stored.map((entry) => (entry.message as { content?: string })?.content ?? entry.type)).toEqual([
			"one",
			"lost one",
			"lost two",
			"two",
			"three",
			"compaction",
			"four",
		]);
		const reference = pi.parseSessionEntries(file.join("\n"));
		pi.migrateSessionEntries(reference);
		const expected = pi.SessionManager.inMemory("/work", undefined, reference).buildSessionContext().messages;
		expectSame(
			messages.map(({ role }: { role: string }) => role),
			expected.map(({ role }: { role: string }) => role),
		);
		await expectAsInPi(world, session);
	});
});

describe("paths that go round in a circle, as a file may have them", () => {
	it("are cut on import, and every call ends", async () => {
		const entries = [
			{ ...message("user", "a"), id: "a", parentId: "c", timestamp: at },
			{ ...message("user", "b"), id: "b", parentId: "a", timestamp: at },
			{ ...message("user", "c"), id: "c", parentId: "b", timestamp: at },
			{ ...message("user", "own"), id: "own", parentId: "own", timestamp: at },
		];
		const { world, session } = await troubled(entries);
		for (const targetId of ["a", "b", "c", "own"]) {
			expect((await world.post(`${session}/navigate`, { targetId, summary: { text: "S" } })).status).toBe(
				200,
			);
			expect((await world.post(`${session}/fork`, { entryId: targetId, position: "at" })).status).toBe(201);
		}
		await expectSound(world, session);
		await expectAsInPi(world, session);
	});
});
