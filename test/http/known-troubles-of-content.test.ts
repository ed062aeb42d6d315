import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { expectSame, pi } from "../session/pi.ts";
import { text, toolResult } from "./chat.ts";
import { importedFile, importFile, inPi, storedEntries } from "./files-and-pi.ts";
import { at, chain, expectAsInPi, expectSound, message, troubled } from "./troubles.ts";
import { user, World } from "./world.ts";

/** What sessions were broken by elsewhere. Each of them must read as in pi, stay in lists, and answer every call. */

describe("known troubles of content", () => {
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
