import { describe, expect, it } from "vitest";
import { says } from "../summarizer/chat-server.ts";
import { assistant, text, toolResult } from "./chat.ts";
import { chat, expectUnchanged, prompt, reading, summarizing } from "./summarizing.ts";
import { user } from "./world.ts";

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
