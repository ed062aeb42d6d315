import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChatCompletions, type ChatCompletionsSettings } from "../../src/summarizer/chat-completions.ts";
import type { SummaryRequest } from "../../src/summarizer/summarizer.ts";
import {
	answers,
	type ChatReply,
	type ChatServer,
	chunk,
	says,
	startChatServer,
	streams,
	usage,
} from "./chat-server.ts";

const key = "sk-very-secret";
const prompt: SummaryRequest = { system: "Summarize.", prompt: "The talk of the town" };

let chat: ChatServer;
beforeAll(async () => {
	chat = await startChatServer();
});
afterAll(() => chat.close());

function summarizer(settings: Partial<ChatCompletionsSettings> = {}, abortAfter = AbortSignal.timeout) {
	return new ChatCompletions(
		{ url: chat.url, key, model: "small", timeout: 60_000, ...settings },
		{ fetch: (url, init) => fetch(url, init), abortAfter },
	);
}

/** What a request comes to where the service answers so. */
function outcomeOf(reply: ChatReply, settings: Partial<ChatCompletionsSettings> = {}) {
	chat.reply = reply;
	return summarizer(settings).summarize(prompt);
}

describe("chat completions: the request", () => {
	it("names the model, brings the key and both texts, and asks for a stream with usage", async () => {
		await outcomeOf(says("Fine."));
		const request = chat.requests.at(-1);
		expect(request?.path).toBe("/v1/chat/completions");
		expect(request?.headers.authorization).toBe(`Bearer ${key}`);
		expect(request?.body).toEqual({
			model: "small",
			messages: [
				{ role: "system", content: "Summarize." },
				{ role: "user", content: "The talk of the town" },
			],
			stream: true,
			stream_options: { include_usage: true },
		});
	});

	it("goes to the address itself where it names the call, and sends neither key nor limit that it wasn't given", async () => {
		await outcomeOf(says("Fine."), {
			url: `${chat.url}/chat/completions?version=2`,
			key: undefined,
			maxTokens: 500,
		});
		const request = chat.requests.at(-1);
		expect(request?.path).toBe("/v1/chat/completions?version=2");
		expect(request?.headers.authorization).toBeUndefined();
		expect(request?.body.max_tokens).toBe(500);
	});

	it("refuses an address that is none of http", () => {
		expect(() => summarizer({ url: "ftp://here/" })).toThrow(TypeError);
	});

	it("is well-formed text even where a surrogate lost its other half", async () => {
		chat.reply = says("Fine.");
		await summarizer().summarize({ ...prompt, prompt: "a\ud800b" });
		expect(chat.requests.at(-1)?.body.messages[1]?.content).toBe("a\ufffdb");
	});
});

describe("chat completions: a summary", () => {
	const whole = {
		model: "small-1",
		choices: [{ index: 0, message: { role: "assistant", content: "## Goal\nTea" }, finish_reason: "stop" }],
		usage,
	};
	const tokens = { input: 1000, output: 80, cacheRead: 200, cacheWrite: 0, totalTokens: 1280 };
	const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

	it("is put together from a stream, with the usage of its last chunk", async () => {
		expect(await outcomeOf(says("## Goal\nTea"))).toEqual({
			kind: "summary",
			text: "## Goal\nTea",
			model: "small-1",
			usage: { ...tokens, cost: free },
		});
	});

	it("is taken whole where the service doesn't stream", async () => {
		expect(await outcomeOf(answers(200, whole))).toEqual({
			kind: "summary",
			text: "## Goal\nTea",
			model: "small-1",
			usage: { ...tokens, cost: free },
		});
	});

	it("costs what the service says, else what the prices make of it", async () => {
		const prices = { input: 2, output: 10, cacheRead: 1 };
		const priced = await outcomeOf(says("Fine."), { prices });
		expect(priced).toMatchObject({ usage: { cost: { input: 0.002, output: 0.0008, cacheRead: 0.0002 } } });
		const total = priced.kind === "summary" ? priced.usage?.cost.total : undefined;
		expect(total).toBeCloseTo(0.003, 12);
		const told = await outcomeOf(says("Fine.", { usage: { ...usage, cost: 0.25 } }), { prices });
		expect(told).toMatchObject({ usage: { cost: { total: 0.25 } } });
	});

	it("has no usage where the service told none", async () => {
		const outcome = await outcomeOf(streams([chunk({ content: "Fine." }, "stop"), "[DONE]"]));
		expect(outcome).toEqual({ kind: "summary", text: "Fine.", model: "small-1" });
	});
});

describe("chat completions: no summary", () => {
	const call = { index: 0, id: "c", type: "function", function: { name: "read", arguments: "{}" } };
	const cases: Record<string, [ChatReply, object]> = {
		"an answer that was cut off at its limit": [
			says("Half of", { finish: "length" }),
			{ reason: "truncated" },
		],
		"a whole answer that was cut off": [
			answers(200, { choices: [{ message: { content: "Half of" }, finish_reason: "length" }] }),
			{ reason: "truncated" },
		],
		"a tool call instead of an answer": [
			streams([chunk({ tool_calls: [call] }), chunk({}, "tool_calls"), "[DONE]"]),
			{ reason: "tool_call" },
		],
		"a tool call beside an answer, whatever it says of its end": [
			streams([
				chunk({ content: "Let me look." }),
				chunk({ tool_calls: [call] }),
				chunk({}, "stop"),
				"[DONE]",
			]),
			{ reason: "tool_call" },
		],
		"a whole answer with a tool call": [
			answers(200, {
				choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }],
			}),
			{ reason: "tool_call" },
		],
		"an answer of nothing but space": [says(" \n\t "), { reason: "empty" }],
		"an answer without content": [
			answers(200, { choices: [{ message: { role: "assistant", content: null }, finish_reason: "stop" }] }),
			{ reason: "empty" },
		],
		"no choices": [answers(200, { choices: [] }), { reason: "empty" }],
		"a filter that steps in": [says("I can", { finish: "content_filter" }), { reason: "refused" }],
		"a refusal": [streams([chunk({ refusal: "No." }), chunk({}, "stop"), "[DONE]"]), { reason: "refused" }],
		"a stream that ends in the middle": [streams([chunk({ content: "Half of" })]), { reason: "unreachable" }],
		"an error in the middle of a stream": [
			streams([chunk({ content: "Half of" }), JSON.stringify({ error: { message: "overloaded" } })]),
			{ reason: "rejected" },
		],
		"an error with status 200": [
			answers(200, { error: { message: "no such model" } }),
			{ reason: "rejected" },
		],
		"a chunk that is no JSON": [streams([chunk({ content: "Half" }), "{oops"]), { reason: "malformed" }],
		"a chunk of another shape": [streams(["[1, 2]"]), { reason: "malformed" }],
		"a body that is no JSON": [answers(200, "<html>"), { reason: "malformed" }],
		"an empty body": [answers(200, ""), { reason: "malformed" }],
		"JSON of another protocol": [answers(200, { output: "Fine." }), { reason: "malformed" }],
		"a line without an end": [streams([`"${"x".repeat(5_000_000)}`]), { reason: "malformed" }],
		"a body without an end": [answers(200, `"${"x".repeat(5_000_000)}`), { reason: "malformed" }],
		"a summary larger than any session would hold": [
			streams([...Array<string>(20).fill(chunk({ content: "x".repeat(60_000) })), "[DONE]"]),
			{ reason: "malformed" },
		],
		"a wrong key": [
			answers(401, { error: { message: `wrong key ${key}` } }),
			{ reason: "rejected", status: 401 },
		],
		"too many requests": [answers(429, "slow down"), { reason: "rejected", status: 429 }],
		"a broken service": [answers(500, "oh"), { reason: "rejected", status: 500 }],
		"a redirection, which would take the key elsewhere": [
			answers(307, "", { Location: "http://127.0.0.1:9/" }),
			{ reason: "rejected", status: 307 },
		],
		"a connection that breaks off before the answer": [
			(response) => void response.destroy(),
			{ reason: "unreachable" },
		],
		"a connection that breaks off within the answer": [
			(response) => {
				response.writeHead(200, { "Content-Type": "text/event-stream" });
				response.write(`data: ${chunk({ content: "Half of" })}\n\n`, () => response.destroy());
			},
			{ reason: "unreachable" },
		],
	};
	for (const [name, [reply, expected]] of Object.entries(cases)) {
		it(name, async () => {
			const outcome = await outcomeOf(reply);
			expect(outcome).toEqual({ kind: "unavailable", ...expected });
			expect(JSON.stringify(outcome)).not.toContain(key);
		});
	}

	it("nobody listens", async () => {
		const other = await startChatServer();
		await other.close();
		const outcome = await summarizer({ url: other.url }).summarize(prompt);
		expect(outcome).toEqual({ kind: "unavailable", reason: "unreachable" });
	});
});

describe("chat completions: giving up", () => {
	const hangs: Record<string, ChatReply> = {
		"before it answers": () => {},
		"in the middle of its answer": streams([chunk({ content: "Half of" })], false),
	};
	for (const [when, reply] of Object.entries(hangs)) {
		it(`a service that hangs ${when}: timeout, and the connection is closed`, async () => {
			chat.reply = reply;
			const clock = new AbortController();
			const came = chat.next();
			const asked: number[] = [];
			const outcome = summarizer({ timeout: 1234 }, (milliseconds) => {
				asked.push(milliseconds);
				return clock.signal;
			}).summarize(prompt);
			const request = await came;
			clock.abort();
			expect(await outcome).toEqual({ kind: "unavailable", reason: "timeout" });
			await request.gone;
			expect(asked).toEqual([1234]);
		});

		it(`a caller that leaves while it hangs ${when}: aborted, and the connection is closed`, async () => {
			chat.reply = reply;
			const caller = new AbortController();
			const came = chat.next();
			const outcome = summarizer().summarize({ ...prompt, signal: caller.signal });
			const request = await came;
			caller.abort();
			expect(await outcome).toEqual({ kind: "unavailable", reason: "aborted" });
			await request.gone;
		});
	}

	it("an error whose text never ends: it isn't read, and the connection is closed", async () => {
		chat.reply = (response) => {
			response.writeHead(500, { "Content-Type": "text/plain" });
			response.write("and so on ");
		};
		const came = chat.next();
		expect(await summarizer().summarize(prompt)).toEqual({
			kind: "unavailable",
			reason: "rejected",
			status: 500,
		});
		await (await came).gone;
	});

	it("a caller that left before: nothing is sent", async () => {
		const before = chat.requests.length;
		const outcome = await summarizer().summarize({ ...prompt, signal: AbortSignal.abort() });
		expect(outcome).toEqual({ kind: "unavailable", reason: "aborted" });
		expect(chat.requests.length).toBe(before);
	});
});
