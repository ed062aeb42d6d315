import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ChatCompletions } from "../../src/summarizer/chat-completions.ts";
import {
	answers,
	type ChatReply,
	type ChatRequest,
	type ChatServer,
	chunk,
	says,
	startChatServer,
	streams,
} from "../summarizer/chat-server.ts";
import { assistant, text, toolCall, toolResult } from "./chat.ts";
import { storedEntries } from "./files-and-pi.ts";
import { type Reply, user, World } from "./world.ts";

const key = "sk-summaries-secret";
const never = () => new AbortController().signal;

let chat: ChatServer;
beforeAll(async () => {
	chat = await startChatServer();
});
afterAll(() => chat.close());
afterEach(() => {
	chat.requests.length = 0;
	chat.reply = says("A summary.");
});

function summarizing(abortAfter: (milliseconds: number) => AbortSignal = never): World {
	const settings = { url: chat.url, key, model: "small", timeout: 60_000, prices: { input: 1, output: 10 } };
	const summarizer = new ChatCompletions(settings, { fetch: (url, init) => fetch(url, init), abortAfter });
	return new World({ summarizer });
}

const reading = toolCall("c1", "read", { path: "src/a.ts" });
const writing = toolCall("c2", "edit", { path: "src/b.ts", text: "const b = 2;" });

/** u1 → a1 → u2 → a2 (reads and edits files) → r1 → u3, the leaf; and beside u2: v2. */
async function worked(world: World): Promise<string> {
	return world.session([
		user("Make tea.", { id: "u1" }),
		assistant("Which one?", { id: "a1" }),
		user("Black, with src/a.ts.", { id: "v2" }),
		user("Green, with src/b.ts.", { id: "u2", parentId: "a1" }),
		assistant(
			"I look.",
			{ id: "a2" },
			{ content: [text("I look."), reading, writing], stopReason: "toolUse" },
		),
		toolResult("c1", "const a = 1;", { id: "r1" }),
		user("Thanks a lot.", { id: "u3" }),
	]);
}

/** What the service was asked, as one text. */
function prompt(request: ChatRequest | undefined): string {
	return request?.body.messages.map(({ content }) => content).join("\n") ?? "";
}

/** Nothing was stored: the log is as long as it was, on an instance that knows nothing. */
async function expectUnchanged(world: World, session: string, seq: number): Promise<void> {
	expect((await world.cold().get(`${session}/leaf`)).body.seq).toBe(seq);
}

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

describe("compactSession with the summarizer", () => {
	const long = (words: string, id: string) => user(`${words} ${"word ".repeat(200)}`, { id });

	it("sums up what the plan says, and carries the earlier summary on", async () => {
		const world = summarizing();
		const session = await world.session([
			long("First", "u1"),
			assistant("one", { id: "a1" }, { content: [text("one"), reading] }),
			long("Second", "u2"),
			long("Third", "u3"),
		]);
		chat.reply = says("## Goal\nTea");
		const first = await world.post(`${session}/compact`, { keepRecentTokens: 300 });
		expect(first.status).toBe(201);
		expect(first.headers.get("Location")).toBe(`${session}/entries/${first.body.entry.id}`);
		expect(first.body).toMatchObject({
			seq: 5,
			entry: {
				type: "compaction",
				parentId: "u3",
				firstKeptEntryId: "u2",
				summary: "## Goal\nTea\n\n## Files Read\n- src/a.ts",
				details: { readFiles: ["src/a.ts"], modifiedFiles: [] },
				usage: { totalTokens: 1280 },
				tokensBefore: expect.any(Number),
			},
		});
		expect(prompt(chat.requests[0])).toContain("First");
		for (const other of ["Second", "Third", "earlier-summary>\n"]) {
			expect(prompt(chat.requests[0])).not.toContain(other);
		}
		await world.post(`${session}/entries`, long("Fourth", "u4"));
		chat.reply = says("## Goal\nTea and cake");
		const second = await world.post(`${session}/compact`, {
			keepRecentTokens: 100,
			customInstructions: "Mind the cake.",
			details: { by: "us" },
		});
		expect(second.body.entry).toMatchObject({
			firstKeptEntryId: "u4",
			summary: "## Goal\nTea and cake\n\n## Files Read\n- src/a.ts",
			details: { by: "us", readFiles: ["src/a.ts"] },
		});
		const asked = prompt(chat.requests[1]);
		expect(asked).toContain("<earlier-summary>\n## Goal\nTea\n</earlier-summary>");
		expect(asked).toContain("Mind the cake.");
		for (const kept of ["Second", "Third"]) expect(asked).toContain(kept);
		for (const other of ["First", "Fourth"]) expect(asked).not.toContain(other);
	});

	it("sums up the beginning of a split turn by itself, and adds up what both cost", async () => {
		const world = summarizing();
		const session = await world.session([
			long("Before", "u0"),
			long("Start", "u1"),
			assistant("one", { id: "a1" }, { content: [text(`one ${"word ".repeat(200)}`), reading] }),
			toolResult("c1", "x", { id: "r1" }),
			assistant(`two ${"word ".repeat(200)}`, { id: "a2" }),
		]);
		const plan = (await world.get(`${session}/compaction-plan?keepRecentTokens=100`)).body;
		expect(plan).toMatchObject({ isSplitTurn: true, firstKeptEntryId: "a2" });
		chat.reply = (response, request) =>
			says(prompt(request).includes("Before") ? "History." : "Turn.")(response, request);
		const { body } = await world.post(`${session}/compact`, { keepRecentTokens: 100 });
		expect(body.entry).toMatchObject({
			summary: "History.\n\n---\n\n# The Turn Under Way\n\nTurn.\n\n## Files Read\n- src/a.ts",
			firstKeptEntryId: "a2",
			usage: { input: 2000, output: 160, totalTokens: 2560 },
		});
		expect(chat.requests).toHaveLength(2);
	});

	it("of a split turn with nothing new before it keeps the earlier summary as it is", async () => {
		const world = summarizing();
		const session = await world.session([long("Before", "u0"), long("Start", "u1")]);
		await world.post(`${session}/compact`, { summary: "What was before.", firstKeptEntryId: "u1" });
		await world.post(`${session}/entries`, {
			entries: [
				assistant("one", { id: "a1" }, { content: [text(`one ${"word ".repeat(200)}`)] }),
				assistant(`two ${"word ".repeat(200)}`, { id: "a2" }),
			],
		});
		chat.reply = says("Turn.");
		const { body } = await world.post(`${session}/compact`, { keepRecentTokens: 100 });
		expect(body.entry.summary).toBe("What was before.\n\n---\n\n# The Turn Under Way\n\nTurn.");
		expect(chat.requests).toHaveLength(1);
	});

	it("keeps what comes after it was asked, and sums up nothing again for that", async () => {
		const world = summarizing();
		const session = await world.session([long("First", "u1"), long("Second", "u2"), long("Third", "u3")]);
		chat.reply = async (response, request) => {
			await world.cold().post(`${session}/entries`, user("Meanwhile.", { id: "u4" }));
			await says("A summary.")(response, request);
		};
		const { body } = await world.post(`${session}/compact`, { keepRecentTokens: 300 });
		expect(body.entry).toMatchObject({ parentId: "u4", firstKeptEntryId: "u2" });
		expect(chat.requests).toHaveLength(1);
		const { messages } = (await world.get(`${session}/context`)).body;
		expect(messages).toHaveLength(4);
		expect(messages[3].content).toBe("Meanwhile.");
	});

	it("sums up again where what it hides was edited meanwhile", async () => {
		const world = summarizing();
		const session = await world.session([long("First", "u1"), long("Second", "u2"), long("Third", "u3")]);
		chat.reply = async (response, request) => {
			if (chat.requests.length === 1) {
				await world.cold().post(`${session}/entries`, {
					type: "context_edit",
					targetId: "u1",
					replacement: { content: "Zeroth" },
				});
			}
			await says(`Summary ${chat.requests.length}.`)(response, request);
		};
		const { body } = await world.post(`${session}/compact`, { keepRecentTokens: 300 });
		expect(body.entry.summary).toBe("Summary 2.");
		expect(prompt(chat.requests[1])).toContain("Zeroth");
		expect(prompt(chat.requests[1])).not.toContain("First");
	});

	it("gives up with 409 where the leaf moves to another branch each time", async () => {
		const world = summarizing();
		const session = await world.session([
			long("First", "u1"),
			long("Second", "u2"),
			long("Third", "u3"),
			{ ...long("Other", "v1"), parentId: null },
			long("Others", "v2"),
			long("Otherwise", "v3"),
		]);
		const leaves = ["u3", "v3", "u3"];
		chat.reply = async (response, request) => {
			await world.cold().put(`${session}/leaf`, { targetId: leaves[chat.requests.length - 1] });
			await says("A summary.")(response, request);
		};
		const reply = await world.post(`${session}/compact`, { keepRecentTokens: 300 });
		expect([reply.status, reply.body.code]).toEqual([409, "conflict"]);
		await expectUnchanged(world, session, 6 + 3);
	});

	it("sums up all before the entry that is to be kept, where one is named, and all of it for null", async () => {
		const world = summarizing();
		const entries = [long("First", "u1"), long("Second", "u2"), long("Third", "u3")];
		const session = await world.session(entries);
		const named = await world.post(`${session}/compact`, { firstKeptEntryId: "u3" });
		expect(named.body.entry).toMatchObject({ firstKeptEntryId: "u3" });
		expect(prompt(chat.requests[0])).toMatch(/First[\s\S]*Second/);
		const other = await world.session(entries);
		const all = await world.post(`${other}/compact`, { firstKeptEntryId: null });
		expect(all.body.entry.firstKeptEntryId).toBe(all.body.entry.id);
		expect(prompt(chat.requests[1])).toMatch(/First[\s\S]*Second[\s\S]*Third/);
		const ask = async (firstKeptEntryId: string) =>
			(await world.post(`${session}/compact`, { firstKeptEntryId })).status;
		expect(await ask("nowhere")).toBe(404);
		expect(await ask("u1")).toBe(422);
		expect(await ask("u3")).toBe(422);
		expect(chat.requests).toHaveLength(2);
	});

	it("a repeat with its key gives the first answer, one with another content is a conflict", async () => {
		const world = summarizing();
		const session = await world.session([long("First", "u1"), long("Second", "u2"), long("Third", "u3")]);
		const ask = (body: object) => world.post(`${session}/compact`, body, { "Idempotency-Key": "k" });
		const first = await ask({ keepRecentTokens: 300 });
		await world.post(`${session}/entries`, user("later"));
		const second = await ask({ keepRecentTokens: 300 });
		expect([second.status, second.text]).toEqual([200, first.text]);
		for (const body of [{ keepRecentTokens: 301 }, {}, { summary: "A summary." }]) {
			expect((await ask(body)).status).toBe(409);
		}
		expect(chat.requests).toHaveLength(1);
		await expectUnchanged(world, session, 5);
	});

	it("asks nobody where there is nothing to compact", async () => {
		const world = summarizing();
		const session = await world.session([user("short")]);
		const reply = await world.post(`${session}/compact`);
		expect([reply.status, reply.body.detail]).toEqual([422, "There is nothing to compact"]);
		expect(chat.requests).toHaveLength(0);
	});
});

describe("repeated compactions: lose nothing", () => {
	it("each message is in the context or in what the summaries were made of", async () => {
		const world = summarizing();
		/** A model that repeats each word it was told of, and says no more. */
		chat.reply = (response, request) => {
			const told = prompt(request).match(/\bword\d+\b/g) ?? [];
			return says(`Heard: ${[...new Set(told)].join(" ")}`)(response, request);
		};
		const session = await world.session([user("word0")]);
		let words = 1;
		let compactions = 0;
		for (let round = 0; round < 12; round++) {
			const entries = Array.from({ length: 1 + ((round * 5) % 7) }, (_, at) => {
				const filler = "and ".repeat((round * 131 + at * 57) % 300);
				const said = `word${words++} ${filler}`;
				return at % 3 === 0 ? user(said) : assistant(said);
			});
			await world.post(`${session}/entries`, { entries });
			const keepRecentTokens = (round * 97) % 400;
			const reply = await world.post(`${session}/compact`, { keepRecentTokens });
			if (reply.status === 201) compactions++;
			else expect(reply.status).toBe(422);
			const context = (await world.get(`${session}/context`)).text;
			for (let word = 0; word < words; word++) expect(context).toMatch(new RegExp(`\\bword${word}\\b`));
		}
		expect(compactions).toBeGreaterThan(8);
	});
});

describe("summaries that fail: nothing is stored", () => {
	const calls: Record<string, [string, object]> = {
		navigateTree: ["navigate", { targetId: "v2", summarize: true, label: "L" }],
		compactSession: ["compact", { keepRecentTokens: 1 }],
	};
	const failures: Record<string, ChatReply> = {
		"it answers 500": answers(500, { error: { message: `key ${key}: Thanks a lot.` } }),
		"it answers 401": answers(401, { error: { message: `wrong key ${key}` } }),
		"it slows us down": answers(429, "slow"),
		"its answer is cut off": says("Half of", { finish: "length" }),
		"it calls a tool": streams([chunk({ tool_calls: [{ id: "c" }] }), chunk({}, "tool_calls"), "[DONE]"]),
		"its answer is empty": says(""),
		"its stream breaks off": streams([chunk({ content: "Half of" })]),
		"its stream brings an error": streams([
			chunk({ content: "Half" }),
			'{"error":{"message":"Thanks a lot."}}',
		]),
		"it answers no JSON": answers(200, "<html>Thanks a lot.</html>"),
		"the connection breaks": (response) => void response.destroy(),
	};

	function expectUnavailable(reply: Reply): void {
		expect([reply.status, reply.body.code]).toEqual([503, "summarizer_unavailable"]);
		expect(reply.headers.get("Retry-After")).toMatch(/^\d+$/);
		expect(reply.text).not.toMatch(/sk-|Thanks|Half of|127\.0\.0\.1/);
	}

	for (const [call, [path, body]] of Object.entries(calls)) {
		for (const [what, reply] of Object.entries(failures)) {
			it(`${call}: ${what}`, async () => {
				const world = summarizing();
				const session = await worked(world);
				chat.reply = reply;
				expectUnavailable(await world.post(`${session}/${path}`, body, { "Idempotency-Key": "k" }));
				await expectUnchanged(world, session, 7);
				expect(JSON.stringify(world.lines)).not.toMatch(/sk-|Thanks|tea|Half of|127\.0\.0\.1/);
				chat.reply = says("Better now.");
				const again = await world.post(`${session}/${path}`, body, { "Idempotency-Key": "k" });
				expect([200, 201]).toContain(again.status);
				expect(again.headers.get("Idempotency-Replayed")).toBeNull();
			});
		}

		it(`${call}: it takes too long`, async () => {
			const clock = new AbortController();
			const world = summarizing(() => clock.signal);
			const session = await worked(world);
			chat.reply = streams([chunk({ content: "Half of" })], false);
			const came = chat.next();
			const reply = world.post(`${session}/${path}`, body);
			const request = await came;
			clock.abort();
			expectUnavailable(await reply);
			await request.gone;
			await expectUnchanged(world, session, 7);
		});

		it(`${call}: the client leaves, and the summarizer is told`, async () => {
			const world = summarizing();
			const session = await worked(world);
			chat.reply = () => {};
			const client = new AbortController();
			const came = chat.next();
			const reply = world.send("POST", `${session}/${path}`, {
				body: JSON.stringify(body),
				headers: { "Content-Type": "application/json" },
				signal: client.signal,
			});
			const request = await came;
			client.abort();
			await request.gone;
			expect((await reply).status).toBe(503);
			await expectUnchanged(world, session, 7);
		});

		it(`${call}: the connection to the client is gone, under Node`, async () => {
			const world = summarizing();
			const session = await worked(world);
			chat.reply = () => {};
			const server = createAdaptorServer({ fetch: (request) => world.fetch(request) });
			await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
			const { port } = server.address() as AddressInfo;
			const client = new AbortController();
			const came = chat.next();
			const reply = fetch(`http://localhost:${port}${session}/${path}`, {
				method: "POST",
				body: JSON.stringify(body),
				headers: { "Content-Type": "application/json" },
				signal: client.signal,
			});
			const request = await came;
			client.abort();
			await expect(reply).rejects.toThrow("aborted");
			await request.gone;
			await expectUnchanged(world, session, 7);
			await new Promise((resolve) => server.close(resolve));
		});

		it(`${call}: none is configured`, async () => {
			const world = new World();
			const session = await worked(world);
			const reply = await world.post(`${session}/${path}`, body);
			expect([reply.status, reply.body.code]).toEqual([501, "not_configured"]);
			await expectUnchanged(world, session, 7);
			await world.call("DELETE", session);
			expect((await world.post(`${session}/${path}`, body)).status).toBe(410);
			expect((await world.post(`/v1/sessions/nowhere/${path}`, body)).status).toBe(404);
		});
	}
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
