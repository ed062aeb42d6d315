import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answers, chunk, says, streams } from "../summarizer/chat-server.ts";
import { ChatWorker, textOf } from "./chat-worker.ts";
import { ChatWorld } from "./chat-world.ts";

let world: ChatWorld;
beforeAll(async () => {
	world = await ChatWorld.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(() => world.reset());

describe("the chat Worker in trouble", { timeout: 60_000 }, () => {
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
			const id = world.newId();
			await world.chat.say(id, { id: "q1", text: "Rome?" });
			world.model.reply = reply;
			const turn = { id: "q2", text: "And rain?" };
			const events = await world.chat.say(id, turn);
			expect([events.at(-1)?.event, events.at(-1)?.data.code]).toEqual(outcome);
			expect(JSON.stringify(events)).not.toContain("sk-123");
			if (outcome[0] === "429") expect(events.at(-1)?.data.retryAfter).toBe("7");
			expect(await world.logOf(id)).toEqual(["q1", "q1-a", "q2"]);
			expect((await world.leaflog.session(id).leaf()).leafId).toBe("q2");
			world.model.reply = says("Museums.");
			expect(textOf(await world.chat.say(id, turn))).toBe("Museums.");
			expect(await world.logOf(id)).toEqual(["q1", "q1-a", "q2", "q2-a"]);
		});
	}

	it("a connection that is cut in the middle of a piece is a model that broke off", async () => {
		const id = world.newId();
		world.model.reply = (response) => {
			response.writeHead(200, { "Content-Type": "text/event-stream" });
			response.write(`data: ${chunk({ content: "Forum" })}\n\ndata: {"choi`, () => response.destroy());
		};
		const events = await world.chat.say(id, { id: "q1", text: "Rome?" });
		expect([textOf(events), events.at(-1)?.data.code]).toEqual(["Forum", "model_failed"]);
		expect(await world.logOf(id)).toEqual(["q1"]);
	});

	it("a Worker that dies while the model speaks: a sound session, and another Worker finishes the turn", async () => {
		const id = world.newId();
		world.model.reply = streams([chunk({ content: "Forum" })], false);
		const doomed = await ChatWorker.start(world.bundle, world.variables({ MODEL_PATIENCE: "60" }));
		const response = await doomed.send(id, { id: "q1", text: "Rome?" });
		await response.body?.getReader().read();
		await doomed.kill();
		const session = world.leaflog.session(id);
		expect(await session.leaf()).toEqual({ leafId: "q1", seq: 1 });
		expect((await session.context({ format: "llm" })).messages).toMatchObject([{ content: "Rome?" }]);
		expect((await session.export()).trim().split("\n")).toHaveLength(2);
		world.model.reply = says("Museums.");
		expect((await world.chat.say(id, { id: "q1", text: "Rome?" })).at(-1)?.event).toBe("answer");
		expect(await world.logOf(id)).toEqual(["q1", "q1-a"]);
	});

	it("a reader who leaves: the answer is stored all the same", async () => {
		const id = world.newId();
		const on = Promise.withResolvers<void>();
		world.model.reply = async (response) => {
			const say = (...given: Parameters<typeof chunk>) => response.write(`data: ${chunk(...given)}\n\n`);
			response.writeHead(200, { "Content-Type": "text/event-stream" });
			say({ content: "Forum, " });
			await on.promise;
			await sleep(200);
			say({ content: "then " });
			say({ content: "Trastevere." }, "stop");
			response.end("data: [DONE]\n\n");
		};
		const response = await world.chat.send(id, { id: "q1", text: "Rome?" });
		const reader = response.body!.getReader();
		await reader.read();
		await reader.cancel();
		on.resolve();
		for await (const event of world.leaflog.session(id).watch({ after: 1 })) {
			expect(event).toMatchObject({
				entry: { id: "q1-a", message: { content: [{ text: "Forum, then Trastevere." }] } },
			});
			break;
		}
	});
});
