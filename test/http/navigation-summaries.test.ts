import { describe, expect, it } from "vitest";
import { says } from "../summarizer/chat-server.ts";
import { storedEntries } from "./files-and-pi.ts";
import { chat, expectUnchanged, prompt, summarizing, worked } from "./summarizing.ts";
import { user } from "./world.ts";

describe("navigateTree with summarize", () => {
	it("sums up what is left behind, and records files, tokens and cost on the entry", async () => {
		const world = summarizing();
		const session = await worked(world);
		chat.reply = says("## Goal\nGreen tea");
		const reply = await world.post(`${session}/navigate`, {
			targetId: "v2",
			summarize: true,
			label: "green",
		});
		expect(reply.status).toBe(200);
		expect(reply.body).toMatchObject({
			commonAncestorId: "a1",
			editorText: "Black, with src/a.ts.",
			seq: 9,
			summaryEntry: {
				type: "branch_summary",
				parentId: "a1",
				fromId: "u3",
				summary: "## Goal\nGreen tea\n\n## Files Read\n- src/a.ts\n\n## Files Modified\n- src/b.ts",
				details: { readFiles: ["src/a.ts"], modifiedFiles: ["src/b.ts"] },
				usage: { input: 1000, output: 80, cacheRead: 200, totalTokens: 1280, cost: { output: 0.0008 } },
			},
		});
		const { cost } = (await world.get(`${session}/stats`)).body;
		expect(cost).toBeCloseTo(0.001 + 0.0002 + 0.0008, 12);
		const asked = prompt(chat.requests[0]);
		expect(asked).toContain("User: Green, with src/b.ts.");
		expect(asked).toContain('Assistant calls edit(path: "src/b.ts"');
		expect(asked).toContain("User: Thanks a lot.");
		for (const other of ["Make tea.", "Which one?", "Black", "const a = 1;"])
			expect(asked).not.toContain(other);
	});

	it("minds the caller's instructions, beside ours or instead of them", async () => {
		const world = summarizing();
		const session = await worked(world);
		const customInstructions = "Only the tea.";
		await world.post(`${session}/navigate`, { targetId: "v2", summarize: true, customInstructions });
		expect(prompt(chat.requests[0])).toMatch(/## Next Steps[\s\S]*Only the tea\.$/);
		await world.post(`${session}/navigate`, {
			targetId: "u3",
			summarize: true,
			customInstructions,
			replaceInstructions: true,
		});
		expect(prompt(chat.requests[1])).toContain("Only the tea.");
		expect(prompt(chat.requests[1])).not.toContain("## Next Steps");
	});

	it("asks nobody where nothing is left behind, or what is left says nothing", async () => {
		const world = summarizing();
		const session = await worked(world);
		await world.put(`${session}/leaf`, { targetId: "a1" });
		const down = await world.post(`${session}/navigate`, { targetId: "a2", summarize: true });
		expect(down.body).toEqual({ leafId: "a2", commonAncestorId: "a1", seq: 9 });
		await world.post(`${session}/entries`, { type: "model_change", provider: "openai", modelId: "gpt-5" });
		const silent = await world.post(`${session}/navigate`, { targetId: "a2", summarize: true });
		expect(silent.body).toEqual({ leafId: "a2", commonAncestorId: "a2", seq: 11 });
		expect((await world.post(`${session}/navigate`, { targetId: "a2", summarize: true })).body.seq).toBe(11);
		expect(chat.requests).toHaveLength(0);
	});

	it("sums up again where the branch has grown meanwhile, and stores no summary of less", async () => {
		const world = summarizing();
		const session = await worked(world);
		const first = chat.next();
		const held = Promise.withResolvers<void>();
		chat.reply = async (response, request) => {
			await held.promise;
			await says(`Summary ${chat.requests.length}.`)(response, request);
		};
		const navigated = world.post(`${session}/navigate`, { targetId: "v2", summarize: true });
		await first;
		const other = world.cold();
		await other.post(`${session}/entries`, user("One more thing.", { id: "u9" }));
		held.resolve();
		const reply = await navigated;
		expect(reply.body.summaryEntry).toMatchObject({
			fromId: "u9",
			summary: expect.stringMatching(/^Summary 2\./),
		});
		expect(prompt(chat.requests[0])).not.toContain("One more thing.");
		expect(prompt(chat.requests[1])).toContain("One more thing.");
	});

	it("gives up with 409 where the branch grows each time, and stores nothing", async () => {
		const world = summarizing();
		const session = await worked(world);
		chat.reply = async (response, request) => {
			await world.cold().post(`${session}/entries`, user("And more."));
			await says("A summary.")(response, request);
		};
		const reply = await world.post(`${session}/navigate`, { targetId: "v2", summarize: true });
		expect([reply.status, reply.body.code]).toEqual([409, "conflict"]);
		expect(chat.requests).toHaveLength(3);
		await expectUnchanged(world, session, 7 + 3);
	});

	it("a repeat with its key gives the first answer, and asks nobody again", async () => {
		const world = summarizing();
		const session = await worked(world);
		const again = () =>
			world.post(`${session}/navigate`, { targetId: "v2", summarize: true }, { "Idempotency-Key": "k" });
		const first = await again();
		await world.post(`${session}/entries`, user("later"));
		const second = await again();
		expect([second.status, second.text, second.headers.get("Idempotency-Replayed")]).toEqual([
			200,
			first.text,
			"true",
		]);
		expect(second.headers.get("ETag")).toBe(first.headers.get("ETag"));
		expect(chat.requests).toHaveLength(1);
	});

	it("two of one key at once: one summary is stored, and both are told the same", async () => {
		const world = summarizing();
		const session = await worked(world);
		const body = { targetId: "v2", summarize: true };
		const both = await Promise.all(
			[world.cold(), world.cold()].map((instance) =>
				instance.post(`${session}/navigate`, body, { "Idempotency-Key": "k" }),
			),
		);
		expect(both.map(({ status }) => status)).toEqual([200, 200]);
		expect(both[0]?.text).toBe(both[1]?.text);
		await expectUnchanged(world, session, 8);
	});

	it("asks nobody for a target that isn't there, or on another state than If-Match names", async () => {
		const world = summarizing();
		const session = await worked(world);
		const ask = (targetId: string, headers = {}) =>
			world.post(`${session}/navigate`, { targetId, summarize: true }, headers);
		expect((await ask("nowhere")).status).toBe(404);
		expect((await ask("v2", { "If-Match": '"3"' })).status).toBe(412);
		expect(chat.requests).toHaveLength(0);
	});

	it("is 412 where the state changes while the summary is written", async () => {
		const world = summarizing();
		const session = await worked(world);
		chat.reply = async (response, request) => {
			await world.cold().post(`${session}/entries`, user("Elsewhere.", { parentId: "a1" }));
			await says("A summary.")(response, request);
		};
		const known = { "If-Match": (await world.get(session)).headers.get("ETag") ?? "" };
		const reply = await world.post(`${session}/navigate`, { targetId: "v2", summarize: true }, known);
		expect(reply.status).toBe(412);
		await expectUnchanged(world, session, 8);
	});
});

describe("a branch longer than the budget", () => {
	it("is read from its end as far as it fits, older summaries of branches a little further", async () => {
		const world = summarizing();
		const word = (id: string, n: number) => user(`${id} ${"x".repeat(n * 4)}`, { id });
		const session = await world.session([
			word("root", 1),
			word("old", 60_000),
			word("mid", 60_000),
			word("new", 40_000),
		]);
		await world.post(`${session}/navigate`, { targetId: "root", summarize: true });
		const asked = prompt(chat.requests[0]);
		expect(asked).toContain("User: mid");
		expect(asked).toContain("User: new");
		expect(asked).not.toContain("User: old");
		expect((await storedEntries(world, session)).at(-1)).toMatchObject({ fromId: "new" });
	});
});
