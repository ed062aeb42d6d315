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

describe("the chat Worker", { timeout: 60_000 }, () => {
	it("streams the answer, stores both, and sends the history with the next turn", async () => {
		const id = world.newId();
		const first = await world.chat.say(id, { id: "q1", text: "Two days in Rome?" });
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
		await world.chat.say(id, { id: "q2", text: "With children?" });
		expect(world.whatModelsGot()).toEqual([
			["Be kind.", "Two days in Rome?"],
			["Be kind.", "Two days in Rome?", "Forum, then Trastevere.", "With children?"],
		]);
		expect(world.model.requests[0]?.body).toMatchObject({ model: "small-1", stream: true });
		expect(await world.logOf(id)).toEqual(["q1", "q1-a", "q2", "q2-a"]);
	});

	it("an edited question and another answer are branches; the conversation is where the last one is", async () => {
		const id = world.newId();
		await world.chat.say(id, { id: "q1", text: "Rome?" });
		await world.chat.say(id, { id: "q2", text: "And rain?" });
		await world.chat.say(id, { id: "q3", text: "And sun?", parentId: "q1-a" });
		await world.chat.say(id, { id: "again", parentId: "q3" });
		await world.chat.say(id, { id: "q4", text: "Paris?", parentId: null });
		await world.chat.say(id, { id: "q5", text: "And sun, in May?", parentId: "q1-a" });
		const got = world.whatModelsGot();
		expect(got[2]?.slice(1)).toEqual(["Rome?", "Forum, then Trastevere.", "And sun?"]);
		expect(got[3]).toEqual(got[2]);
		expect(got[4]?.slice(1)).toEqual(["Paris?"]);
		const branch = await (await fetch(`${world.chat.url}/chat/${id}`)).json();
		expect(branch).toMatchObject({
			leafId: "q5-a",
			siblings: { q1: ["q1", "q4"], q5: ["q2", "q3", "q5"] },
		});
		expect(
			(await world.leaflog.session(id).branch({ from: "again-a", siblings: true })).siblings,
		).toMatchObject({
			"again-a": ["q3-a", "again-a"],
		});
	});

	it("a turn that is repeated: the same answer, the model not asked again, nothing stored", async () => {
		const id = world.newId();
		for (const turn of [
			{ id: "q1", text: "Rome?" },
			{ id: "again", parentId: "q1" },
		]) {
			const first = await world.chat.say(id, turn);
			const asked = world.model.requests.length;
			const log = await world.logOf(id);
			const second = await world.chat.say(id, turn);
			expect(second).toEqual([first.at(-1)]);
			expect(world.model.requests.length).toBe(asked);
			expect(await world.logOf(id)).toEqual(log);
		}
		const [other] = await world.chat.say(id, { id: "q1", text: "Something else" });
		expect([other?.event, other?.data.code]).toEqual(["409", "conflict"]);
	});

	it("the same turn twice at once, in a session that isn't there yet: one answer is stored, and told to both", async () => {
		const id = world.newId();
		let spoken = 0;
		world.model.reply = (response, request) => says(`Answer ${++spoken}`)(response, request);
		const both = await Promise.all([1, 2].map(() => world.chat.say(id, { id: "q1", text: "Rome?" })));
		expect(await world.logOf(id)).toEqual(["q1", "q1-a"]);
		const [one, other] = both.map((events) => events.at(-1));
		expect(one?.data.entry).toEqual((await world.leaflog.session(id).entry("q1-a")).entry);
		expect(other?.data.entry).toEqual(one?.data.entry);
	});

	it("somebody who goes elsewhere while the model speaks stays there; the answer is beside them", async () => {
		const id = world.newId();
		await world.chat.say(id, { id: "q1", text: "Rome?" });
		const session = world.leaflog.session(id);
		world.model.reply = async (response, request) => {
			await session.setLeaf("q1");
			await says("Museums.")(response, request);
		};
		const events = await world.chat.say(id, { id: "q2", text: "And rain?" });
		expect(events.at(-1)?.data).toMatchObject({ leafId: "q1", entry: { id: "q2-a", parentId: "q2" } });
		expect((await session.leaf()).leafId).toBe("q1");
		// Something that is no move, such as a label elsewhere, changes nothing.
		world.model.reply = async (response, request) => {
			await session.append({ type: "usage", kind: "other", provider: "p", model: "m", usage: {} } as never, {
				keepLeaf: true,
			});
			await says("Museums.")(response, request);
		};
		const more = await world.chat.say(id, { id: "q3", text: "And sun?" });
		expect(more.at(-1)?.data.leafId).toBe("q3-a");
	});
});

describe("compaction", { timeout: 60_000 }, () => {
	const long = (word: string) => `${word} `.repeat(400).trim();
	/** Without usage: tokens are then reckoned from the text. */
	const speaks = (text: string) => streams([chunk({ content: text }, "stop"), "[DONE]"]);

	it("near the end of what the model can read the older part is summarized, and sent as a summary from then on", async () => {
		const small = await ChatWorker.start(world.bundle, world.variables({ CONTEXT_TOKENS: "2000" }));
		try {
			const id = world.newId();
			const summary = "They plan a trip.";
			world.model.reply = (response, request) => {
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
			world.model.requests.length = 0;
			await small.say(id, { id: "next", text: "And then?" });
			const sent = JSON.stringify(world.model.requests[0]?.body.messages);
			expect(sent).toContain(summary);
			expect(sent).not.toContain("question0");
			expect(sent).toContain("And then?");
			// Nothing is lost of what was said.
			expect(JSON.stringify(await world.leaflog.session(id).branch())).toContain("question0");
		} finally {
			await small.kill();
		}
	});

	it("a summary that fails: the answer is told and stored, and a later turn makes the summary", async () => {
		const small = await ChatWorker.start(world.bundle, world.variables({ CONTEXT_TOKENS: "2000" }));
		try {
			const id = world.newId();
			let failing = true;
			let refused = 0;
			world.model.reply = (response, request) => {
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
