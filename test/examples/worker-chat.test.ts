import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Leaflog } from "../../client/src/client.ts";
import { startServer } from "../client/service.ts";
import {
	answers,
	type ChatServer,
	chunk,
	says,
	startChatServer,
	streams,
} from "../summarizer/chat-server.ts";
import { Bundle, ChatWorker, eventsOf, textOf } from "./chat-worker.ts";

let bundle: Bundle;
let model: ChatServer;
let server: Awaited<ReturnType<typeof startServer>>;
let chat: ChatWorker;
let leaflog: Leaflog;

const variables = (more: Record<string, string> = {}) => ({
	LEAFLOG_URL: server.url,
	MODEL_URL: model.url,
	MODEL: "small-1",
	MODEL_PATIENCE: "1",
	...more,
});

beforeAll(async () => {
	bundle = await Bundle.of("examples/worker-chat");
	model = await startChatServer();
	server = await startServer();
	leaflog = new Leaflog({ baseUrl: server.url });
	chat = await ChatWorker.start(bundle, variables());
}, 120_000);
afterAll(async () => {
	await chat?.kill();
	await server?.close();
	await model?.close();
});

beforeEach(() => {
	model.requests.length = 0;
	model.reply = says("Forum, then Trastevere.");
});

let sessions = 0;
const newId = () => `chat-${++sessions}`;

/** Ids of the log's entries, in order. */
async function logOf(id: string): Promise<string[]> {
	const ids: string[] = [];
	for await (const entry of leaflog.session(id).allEntries()) ids.push(entry.id);
	return ids;
}

const whatModelsGot = () => model.requests.map(({ body }) => body.messages.map(({ content }) => content));

describe("the chat Worker", { timeout: 60_000 }, () => {
	it("streams the answer, stores both, and sends the history with the next turn", async () => {
		const id = newId();
		const first = await chat.say(id, { id: "q1", text: "Two days in Rome?" });
		expect(textOf(first)).toBe("Forum, then Trastevere.");
		expect(first.filter(({ event }) => event === "text").length).toBeGreaterThan(1);
		const last = first.at(-1);
		expect(last?.event).toBe("answer");
		expect(last?.data).toMatchObject({ leafId: "q1-a", seq: 2, entry: { id: "q1-a", parentId: "q1" } });
		expect(last?.data.entry.message).toMatchObject({
			role: "assistant",
			content: [{ type: "text", text: "Forum, then Trastevere." }],
			model: "small-1",
			stopReason: "stop",
			usage: { input: 1000, output: 80, cacheRead: 200, totalTokens: 1280 },
		});
		await chat.say(id, { id: "q2", text: "With children?" });
		expect(whatModelsGot()).toEqual([
			["Be kind.", "Two days in Rome?"],
			["Be kind.", "Two days in Rome?", "Forum, then Trastevere.", "With children?"],
		]);
		expect(model.requests[0]?.body).toMatchObject({ model: "small-1", stream: true });
		expect(await logOf(id)).toEqual(["q1", "q1-a", "q2", "q2-a"]);
	});

	it("an edited question and another answer are branches; the conversation is where the last one is", async () => {
		const id = newId();
		await chat.say(id, { id: "q1", text: "Rome?" });
		await chat.say(id, { id: "q2", text: "And rain?" });
		await chat.say(id, { id: "q3", text: "And sun?", parentId: "q1-a" });
		await chat.say(id, { id: "again", parentId: "q3" });
		await chat.say(id, { id: "q4", text: "Paris?", parentId: null });
		await chat.say(id, { id: "q5", text: "And sun, in May?", parentId: "q1-a" });
		const got = whatModelsGot();
		expect(got[2]?.slice(1)).toEqual(["Rome?", "Forum, then Trastevere.", "And sun?"]);
		expect(got[3]).toEqual(got[2]);
		expect(got[4]?.slice(1)).toEqual(["Paris?"]);
		const branch = await (await fetch(`${chat.url}/chat/${id}`)).json();
		expect(branch).toMatchObject({
			leafId: "q5-a",
			siblings: { q1: ["q1", "q4"], q5: ["q2", "q3", "q5"] },
		});
		expect((await leaflog.session(id).branch({ from: "again-a", siblings: true })).siblings).toMatchObject({
			"again-a": ["q3-a", "again-a"],
		});
	});

	it("a turn that is repeated: the same answer, the model not asked again, nothing stored", async () => {
		const id = newId();
		for (const turn of [
			{ id: "q1", text: "Rome?" },
			{ id: "again", parentId: "q1" },
		]) {
			const first = await chat.say(id, turn);
			const asked = model.requests.length;
			const log = await logOf(id);
			const second = await chat.say(id, turn);
			expect(second).toEqual([first.at(-1)]);
			expect(model.requests.length).toBe(asked);
			expect(await logOf(id)).toEqual(log);
		}
		const [other] = await chat.say(id, { id: "q1", text: "Something else" });
		expect([other?.event, other?.data.code]).toEqual(["409", "conflict"]);
	});

	it("the same turn twice at once, in a session that isn't there yet: one answer is stored, and told to both", async () => {
		const id = newId();
		let spoken = 0;
		model.reply = (response, request) => says(`Answer ${++spoken}`)(response, request);
		const both = await Promise.all([1, 2].map(() => chat.say(id, { id: "q1", text: "Rome?" })));
		expect(await logOf(id)).toEqual(["q1", "q1-a"]);
		const [one, other] = both.map((events) => events.at(-1));
		expect(one?.data.entry).toEqual((await leaflog.session(id).entry("q1-a")).entry);
		expect(other?.data.entry).toEqual(one?.data.entry);
	});

	for (const [trouble, reply, outcome] of [
		[
			"has too much to do",
			answers(429, { error: "slow down" }, { "Retry-After": "7" }),
			["429", "model_busy"],
		],
		["fails", answers(500, "<html>key sk-123</html>"), ["502", "model_failed"]],
		["refuses", answers(400, { error: { message: "context_length_exceeded" } }), ["502", "model_failed"]],
		["never answers", () => {}, ["504", "model_silent"]],
		["answers with something else", answers(200, "<html>"), ["error", "model_failed"]],
		["says nothing", streams([chunk({}, "stop"), "[DONE]"]), ["error", "model_failed"]],
		["breaks off", streams([chunk({ content: "Forum, th" })]), ["error", "model_failed"]],
		[
			"tells of an error",
			streams([chunk({ content: "Fo" }), '{"error":{"code":500}}']),
			["error", "model_failed"],
		],
		["says what isn't JSON", streams([chunk({ content: "Fo" }), "{"]), ["error", "model_failed"]],
		["falls silent", streams([chunk({ content: "Forum" })], false), ["error", "model_silent"]],
	] as const) {
		it(`a model that ${trouble}: the caller is told, the question waits, and the same turn gets its answer`, async () => {
			const id = newId();
			await chat.say(id, { id: "q1", text: "Rome?" });
			model.reply = reply;
			const turn = { id: "q2", text: "And rain?" };
			const events = await chat.say(id, turn);
			expect([events.at(-1)?.event, events.at(-1)?.data.code]).toEqual(outcome);
			expect(JSON.stringify(events)).not.toContain("sk-123");
			if (outcome[0] === "429") expect(events.at(-1)?.data.retryAfter).toBe("7");
			expect(await logOf(id)).toEqual(["q1", "q1-a", "q2"]);
			expect((await leaflog.session(id).leaf()).leafId).toBe("q2");
			model.reply = says("Museums.");
			expect(textOf(await chat.say(id, turn))).toBe("Museums.");
			expect(await logOf(id)).toEqual(["q1", "q1-a", "q2", "q2-a"]);
		});
	}

	it("a connection that is cut in the middle of a piece is a model that broke off", async () => {
		const id = newId();
		model.reply = (response) => {
			response.writeHead(200, { "Content-Type": "text/event-stream" });
			response.write(`data: ${chunk({ content: "Forum" })}\n\ndata: {"choi`, () => response.destroy());
		};
		const events = await chat.say(id, { id: "q1", text: "Rome?" });
		expect([textOf(events), events.at(-1)?.data.code]).toEqual(["Forum", "model_failed"]);
		expect(await logOf(id)).toEqual(["q1"]);
	});

	it("a Worker that dies while the model speaks: a sound session, and another Worker finishes the turn", async () => {
		const id = newId();
		model.reply = streams([chunk({ content: "Forum" })], false);
		const doomed = await ChatWorker.start(bundle, variables({ MODEL_PATIENCE: "60" }));
		const response = await doomed.send(id, { id: "q1", text: "Rome?" });
		await response.body?.getReader().read();
		await doomed.kill();
		const session = leaflog.session(id);
		expect(await session.leaf()).toEqual({ leafId: "q1", seq: 1 });
		expect((await session.context({ format: "llm" })).messages).toMatchObject([{ content: "Rome?" }]);
		expect((await session.export()).trim().split("\n")).toHaveLength(2);
		model.reply = says("Museums.");
		expect((await chat.say(id, { id: "q1", text: "Rome?" })).at(-1)?.event).toBe("answer");
		expect(await logOf(id)).toEqual(["q1", "q1-a"]);
	});

	it("a reader who leaves: the answer is stored all the same", async () => {
		const id = newId();
		const on = Promise.withResolvers<void>();
		model.reply = async (response) => {
			const say = (...given: Parameters<typeof chunk>) => response.write(`data: ${chunk(...given)}\n\n`);
			response.writeHead(200, { "Content-Type": "text/event-stream" });
			say({ content: "Forum, " });
			await on.promise;
			await sleep(200);
			say({ content: "then " });
			say({ content: "Trastevere." }, "stop");
			response.end("data: [DONE]\n\n");
		};
		const response = await chat.send(id, { id: "q1", text: "Rome?" });
		const reader = response.body!.getReader();
		await reader.read();
		await reader.cancel();
		on.resolve();
		for await (const event of leaflog.session(id).watch({ after: 1 })) {
			expect(event).toMatchObject({
				entry: { id: "q1-a", message: { content: [{ text: "Forum, then Trastevere." }] } },
			});
			break;
		}
	});

	it("somebody who goes elsewhere while the model speaks stays there; the answer is beside them", async () => {
		const id = newId();
		await chat.say(id, { id: "q1", text: "Rome?" });
		const session = leaflog.session(id);
		model.reply = async (response, request) => {
			await session.setLeaf("q1");
			await says("Museums.")(response, request);
		};
		const events = await chat.say(id, { id: "q2", text: "And rain?" });
		expect(events.at(-1)?.data).toMatchObject({ leafId: "q1", entry: { id: "q2-a", parentId: "q2" } });
		expect((await session.leaf()).leafId).toBe("q1");
		// Something that is no move, such as a label elsewhere, changes nothing.
		model.reply = async (response, request) => {
			await session.append({ type: "usage", kind: "other", provider: "p", model: "m", usage: {} } as never, {
				keepLeaf: true,
			});
			await says("Museums.")(response, request);
		};
		const more = await chat.say(id, { id: "q3", text: "And sun?" });
		expect(more.at(-1)?.data.leafId).toBe("q3-a");
	});
});

describe("compaction", { timeout: 60_000 }, () => {
	const long = (word: string) => `${word} `.repeat(400).trim();
	/** Without usage: tokens are then reckoned from the text. */
	const speaks = (text: string) => streams([chunk({ content: text }, "stop"), "[DONE]"]);

	it("near the end of what the model can read the older part is summarized, and sent as a summary from then on", async () => {
		const small = await ChatWorker.start(bundle, variables({ CONTEXT_TOKENS: "2000" }));
		try {
			const id = newId();
			const summary = "They plan a trip.";
			model.reply = (response, request) => {
				const asked = request.body.messages[0]?.content !== "Be kind.";
				return speaks(asked ? summary : long("answer"))(response, request);
			};
			let made: { entry: { type: string; summary: string } } | undefined;
			let turns = 0;
			for (; made === undefined && turns < 10; turns++) {
				const events = await small.say(id, { id: `q${turns}`, text: long(`question${turns}`) });
				made = events.find(({ event }) => event === "compacted")?.data;
			}
			expect(made?.entry).toMatchObject({ type: "compaction", summary });
			model.requests.length = 0;
			await small.say(id, { id: "next", text: "And then?" });
			const sent = JSON.stringify(model.requests[0]?.body.messages);
			expect(sent).toContain(summary);
			expect(sent).not.toContain("question0");
			expect(sent).toContain("And then?");
			// Nothing is lost of what was said.
			expect(JSON.stringify(await leaflog.session(id).branch())).toContain("question0");
		} finally {
			await small.kill();
		}
	});

	it("a summary that fails: the answer is told and stored, and a later turn makes the summary", async () => {
		const small = await ChatWorker.start(bundle, variables({ CONTEXT_TOKENS: "2000" }));
		try {
			const id = newId();
			let failing = true;
			let refused = 0;
			model.reply = (response, request) => {
				if (request.body.messages[0]?.content === "Be kind.")
					return speaks(long("answer"))(response, request);
				refused += failing ? 1 : 0;
				return (failing ? answers(500, "no") : says("A summary."))(response, request);
			};
			let turns = 0;
			for (; refused < 2 && turns < 10; turns++) {
				const events = await small.say(id, { id: `q${turns}`, text: long(`question${turns}`) });
				expect(events.at(-1)?.event).toBe("answer");
			}
			expect(refused).toBe(2);
			failing = false;
			const events = await small.say(id, { id: "next", text: "And then?" });
			expect(events.slice(-2).map(({ event }) => event)).toEqual(["answer", "compacted"]);
		} finally {
			await small.kill();
		}
	});
});

describe("who and what is let in", { timeout: 60_000 }, () => {
	const bad: readonly (readonly [unknown, string])[] = [
		["{", "The body"],
		["[]", "id: must"],
		[{ text: "hi" }, "id: must"],
		[{ id: "a b", text: "hi" }, "id: must"],
		[{ id: "x".repeat(61), text: "hi" }, "id: must"],
		[{ id: "q" }, "text or parentId"],
		[{ id: "q", text: " " }, "text: must"],
		[{ id: "q", text: 1 }, "text: must"],
		[{ id: "q", text: "hi", parentId: 1 }, "parentId: must"],
		[{ id: "q", text: "hi", more: 1 }, "more: is not known"],
	];
	for (const [body, detail] of bad) {
		it(`${JSON.stringify(body).slice(0, 60)}: 400, and nothing happens`, async () => {
			const id = newId();
			const response = await chat.send(id, body);
			expect(response.status).toBe(400);
			expect(((await response.json()) as { detail: string }).detail).toContain(detail);
			expect(model.requests).toEqual([]);
			await expect(leaflog.session(id).get()).rejects.toMatchObject({ status: 404 });
		});
	}

	it("other paths, methods and types; a parent that isn't there; an answer to an answer", async () => {
		const id = newId();
		expect((await fetch(`${chat.url}/`)).status).toBe(404);
		expect((await fetch(`${chat.url}/chat/a%2Fb`)).status).toBe(404);
		expect((await fetch(`${chat.url}/chat/${id}`, { method: "DELETE" })).status).toBe(405);
		expect((await fetch(`${chat.url}/chat/${id}`)).status).toBe(404);
		const plain = { headers: { "Content-Type": "text/plain" } };
		expect((await chat.send(id, { id: "q", text: "hi" }, plain)).status).toBe(400);
		await chat.say(id, { id: "q1", text: "Rome?" });
		model.requests.length = 0;
		const status = async (turn: object) => (await chat.send(id, turn)).status;
		expect(await status({ id: "q2", text: "hi", parentId: "none" })).toBe(404);
		expect(await status({ id: "q3", parentId: "none" })).toBe(404);
		expect(await status({ id: "q4", parentId: "q1-a" })).toBe(422);
		expect(model.requests).toEqual([]);
		expect(await logOf(id)).toEqual(["q1", "q1-a"]);
		await leaflog.session(id).delete();
		expect(await status({ id: "q5", text: "hi" })).toBe(410);
	});

	it("nobody without a token by another name than a loopback one", async () => {
		const { request } = await import("node:http");
		const { port } = new URL(chat.url);
		const status = await new Promise((resolve, reject) => {
			const headers = { Host: "evil.example", "Content-Type": "application/json" };
			const sent = request({ port, host: "127.0.0.1", path: "/chat/x", method: "POST", headers }, (answer) =>
				resolve(answer.statusCode),
			);
			sent.on("error", reject);
			sent.end(JSON.stringify({ id: "q1", text: "hi" }));
		});
		expect(status).toBe(401);
		expect(model.requests).toEqual([]);
	});

	it("Leaflog out of reach: 503 before any model is asked", async () => {
		const lost = await ChatWorker.start(bundle, variables({ LEAFLOG_URL: "http://127.0.0.1:9" }));
		try {
			const response = await lost.send(newId(), { id: "q1", text: "hi" });
			expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
				503,
				"unreachable",
			]);
			expect(model.requests).toEqual([]);
		} finally {
			await lost.kill();
		}
	});
});

describe("by a service binding, with credentials", { timeout: 180_000 }, () => {
	let both: ChatWorker;
	afterEach(() => both?.kill());

	it("each caller's own token decides: their own sessions, or 401 before any model is asked", async () => {
		const service = await Bundle.of(".");
		const { createHash } = await import("node:crypto");
		const keys = ["ann", "bob"].map((namespace) => ({
			sha256: createHash("sha256").update(`key-of-${namespace}-0123456789`).digest("hex"),
			namespace,
			scopes: ["sessions:read", "sessions:write"],
		}));
		both = await ChatWorker.start(bundle, variables({ LEAFLOG_URL: "https://leaflog.internal" }), {
			bundle: service,
			variables: { API_KEYS: JSON.stringify(keys) },
		});
		const by = (name: string) => ({ Authorization: `Bearer key-of-${name}-0123456789` });
		const id = newId();
		expect(textOf(await both.say(id, { id: "q1", text: "Rome?" }, by("ann")))).toBe(
			"Forum, then Trastevere.",
		);
		expect((await fetch(`${both.url}/chat/${id}`, { headers: by("ann") })).status).toBe(200);
		expect((await fetch(`${both.url}/chat/${id}`, { headers: by("bob") })).status).toBe(404);
		model.requests.length = 0;
		for (const headers of [by("eve"), {}]) {
			const [refused] = await both.say(id, { id: "q2", text: "hi" }, headers);
			expect(refused?.event).toBe("401");
		}
		expect(model.requests).toEqual([]);
		const events = await eventsOf(
			await both.send(id, { id: "q2", text: "And rain?" }, { headers: by("ann") }),
		);
		expect(events.at(-1)?.data).toMatchObject({ leafId: "q2-a", seq: 4 });
	});
});
