import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { expectSame, pi, piSession } from "../session/pi.ts";
import { assistant, text, toolCall, toolResult } from "./chat.ts";
import { inPi, storedEntries } from "./files-and-pi.ts";
import { at, chain, expectAsInPi, expectSound, header, label, message, troubled } from "./troubles.ts";
import { user, World } from "./world.ts";

/** What sessions were broken by elsewhere. Each of them must read as in pi, stay in lists, and answer every call. */

describe("known troubles of branches", () => {
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
