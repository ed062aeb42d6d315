import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { countable, expectSame, pi } from "../session/pi.ts";
import { type RandomSession, randomSession } from "../session/random-session.ts";
import { assistant, toolCall, toolResult, usageOf } from "./chat.ts";
import { imported, inPi, pick, storedEntries } from "./files-and-pi.ts";
import { requestsOf, user, World } from "./world.ts";

const counted = ({ header, entries }: RandomSession): RandomSession => ({
	header,
	entries: countable(entries),
});

/** The same with more rules in them. */
const ruled = ({ header, entries }: RandomSession): RandomSession => ({
	header,
	entries: entries.map((entry, place) => {
		if (entry.type !== "message" || place % 6 !== 1) return entry;
		const sections = { rules: place % 4 === 1 ? null : `Rule ${place}.`, [`part${place % 3}`]: "x" };
		return { ...entry, message: { role: "system", content: `Be ${place}.`, sections, timestamp: 1 } };
	}),
});

const long = (words: string, id: string) => user(`${words} ${"word ".repeat(200)}`, { id });

/** Three long messages; about 250 tokens each. */
async function furnished() {
	const world = new World();
	const session = await world.session([long("First", "u1"), long("Second", "u2"), long("Third", "u3")]);
	return { world, session };
}

describe("planCompaction: as pi prepares it", () => {
	it("of random sessions, at any leaf", async () => {
		const outcomes = { nothing: 0, split: 0, whole: 0 };
		const cases = fc.sample(
			fc.tuple(randomSession(60).map(counted), fc.nat(99), fc.constantFrom(1, 40, 300, 20_000)),
			{ seed: 31, numRuns: 120 },
		);
		for (const [{ header, entries }, leaf, keepRecentTokens] of cases) {
			if (entries.length === 0) continue;
			const world = new World();
			const session = await imported(world, header, entries);
			await world.put(`${session}/leaf`, { targetId: pick(entries, leaf) });
			const reply = await world.get(`${session}/compaction-plan?keepRecentTokens=${keepRecentTokens}`);
			const path = (await inPi(world, session)).getBranch();
			const settings = { enabled: true, reserveTokens: 16_384, keepRecentTokens };
			const reference = pi.prepareCompaction(path, settings);
			if (reference === undefined) {
				expect([reply.status, reply.body.detail]).toEqual([422, "There is nothing to compact"]);
				outcomes.nothing++;
				continue;
			}
			const { entriesToSummarize, turnPrefixEntries, ...plan } = reply.body;
			expect(plan).toEqual({
				shouldCompact: pi.shouldCompact(reference.tokensBefore, 128_000, settings),
				firstKeptEntryId: reference.firstKeptEntryId,
				tokensBefore: reference.tokensBefore,
				isSplitTurn: reference.isSplitTurn,
				...(reference.previousSummary !== undefined && { previousSummary: reference.previousSummary }),
				seq: expect.any(Number),
			});
			// Each of them gives one message.
			expect(entriesToSummarize).toHaveLength(reference.messagesToSummarize.length);
			expect(turnPrefixEntries?.length ?? 0).toBe(reference.turnPrefixMessages.length);
			expect(turnPrefixEntries === undefined).toBe(!reference.isSplitTurn);
			const order = new Map(path.map((entry: Entry, place: number) => [entry.id, place]));
			const places = [...entriesToSummarize, ...(turnPrefixEntries ?? [])].map(({ id }: Entry) =>
				order.get(id),
			);
			expect(places).toEqual([...places].sort((one, other) => Number(one) - Number(other)));
			outcomes[reference.isSplitTurn ? "split" : "whole"]++;
		}
		for (const outcome of Object.values(outcomes)) expect(outcome).toBeGreaterThan(10);
	});

	it("says that it is time where the context has more tokens than the window less the reserve, strictly", async () => {
		const world = new World();
		const session = await world.session([
			long("First", "u1"),
			long("Second", "u2"),
			assistant("done", { id: "a2" }, { usage: usageOf(1000) }),
		]);
		const ask = async (query: string) =>
			(await world.get(`${session}/compaction-plan?keepRecentTokens=1&${query}`)).body;
		expect(await ask("contextWindow=1500&reserveTokens=500")).toMatchObject({
			shouldCompact: false,
			tokensBefore: 1000,
		});
		expect(await ask("contextWindow=1499&reserveTokens=500")).toMatchObject({ shouldCompact: true });
		expect(await ask("contextWindow=0")).toMatchObject({ shouldCompact: true });
		expect(await ask("reserveTokens=127000")).toMatchObject({ shouldCompact: false });
		expect(await ask("reserveTokens=127001")).toMatchObject({ shouldCompact: true });
	});

	it("refuses numbers that are none with 400", async () => {
		const { world, session } = await furnished();
		for (const query of [
			"keepRecentTokens=-1",
			"keepRecentTokens=x",
			"contextWindow=1e3",
			"reserveTokens=",
		]) {
			expect((await world.get(`${session}/compaction-plan?${query}`)).status).toBe(400);
		}
	});

	it("has nothing to do in an empty session, a short one, and one that ends in a compaction", async () => {
		const world = new World();
		const empty = await world.session();
		const short = await world.session([user("short")]);
		const { session } = await furnished();
		for (const path of [empty, short]) {
			expect((await world.get(`${path}/compaction-plan`)).status).toBe(422);
			expect((await world.post(`${path}/compact`, { summary: "S" })).status).toBe(422);
		}
		const ended = await world.session([long("First", "u1"), long("Second", "u2")]);
		await world.post(`${ended}/compact`, { summary: "S", keepRecentTokens: 1 });
		for (const reply of [
			await world.get(`${ended}/compaction-plan?keepRecentTokens=1`),
			await world.post(`${ended}/compact`, { summary: "T", keepRecentTokens: 1 }),
		]) {
			expect([reply.status, reply.body.code]).toEqual([422, "unprocessable"]);
		}
		expect(session).toBeDefined();
	});
});

describe("compactSession with the caller's summary", () => {
	it("leads to the context that pi has after the same, of random sessions", async () => {
		let compacted = 0;
		let checkpoints = 0;
		const cases = fc.sample(
			fc.tuple(randomSession(60).map(counted).map(ruled), fc.nat(99), fc.constantFrom(1, 40, 300)),
			{ seed: 32, numRuns: 80 },
		);
		for (const [{ header, entries }, leaf, keepRecentTokens] of cases) {
			if (entries.length === 0) continue;
			const world = new World();
			const session = await imported(world, header, entries);
			await world.put(`${session}/leaf`, { targetId: pick(entries, leaf) });
			const reference = await inPi(world, session);
			const settings = { enabled: true, reserveTokens: 1, keepRecentTokens };
			const plan = pi.prepareCompaction(reference.getBranch(), settings);
			const details = { readFiles: ["a.ts"], modifiedFiles: [] };
			const reply = await world.post(`${session}/compact`, { summary: "S", keepRecentTokens, details });
			if (plan === undefined) {
				expect(reply.status).toBe(422);
				continue;
			}
			expect(reply.status).toBe(201);
			const id = reference.appendCompaction("S", plan.firstKeptEntryId, plan.tokensBefore, details);
			const expected = reference.getEntry(id);
			const { entry } = reply.body;
			const timeless = (one: Entry & { systemMessage?: object }) => ({
				...one,
				id: "",
				timestamp: "",
				...(one.systemMessage && { systemMessage: { ...one.systemMessage, timestamp: 0 } }),
			});
			expectSame(timeless(entry), timeless(expected));
			const context = (await world.get(`${session}/context`)).body.messages;
			const same = (messages: { role: string }[]) =>
				messages.map((message, at) => (at < 2 ? { ...message, timestamp: 0 } : message));
			expectSame(same(context), same(reference.buildSessionContext().messages));
			compacted++;
			if (entry.systemMessage) checkpoints++;
		}
		expect(compacted).toBeGreaterThan(20);
		expect(checkpoints).toBeGreaterThan(5);
	});

	it("keeps from the entry that it names; null keeps nothing, as its own id does in pi", async () => {
		const { world, session } = await furnished();
		const named = await world.post(`${session}/compact`, {
			summary: "S",
			firstKeptEntryId: "u3",
			tokensBefore: 777,
			details: { any: ["thing"] },
		});
		expect([named.status, named.body]).toEqual([
			201,
			{
				seq: 4,
				entry: {
					type: "compaction",
					id: expect.stringMatching(/^[0-9a-f]{8}$/),
					parentId: "u3",
					timestamp: expect.any(String),
					summary: "S",
					firstKeptEntryId: "u3",
					tokensBefore: 777,
					details: { any: ["thing"] },
				},
			},
		]);
		expect((await storedEntries(world.cold(), session)).at(-1)).toEqual(named.body.entry);
		expect(named.headers.get("Location")).toBe(`${session}/entries/${named.body.entry.id}`);
		const nothing = await world.post(`${session}/compact`, { summary: "T", firstKeptEntryId: null });
		expect(nothing.body.entry.firstKeptEntryId).toBe(nothing.body.entry.id);
		const { messages } = (await world.get(`${session}/context`)).body;
		expect(messages.map(({ role, summary }: Record<string, unknown>) => [role, summary])).toEqual([
			["compactionSummary", "T"],
		]);
	});

	it("refuses what isn't there with 404, what isn't on the branch with 422, shapes with 400; nothing is stored", async () => {
		const { world, session } = await furnished();
		await world.post(`${session}/entries`, { ...user("aside"), id: "v1", parentId: "u1" });
		await world.put(`${session}/leaf`, { targetId: "u3" });
		const ask = async (body: object) => (await world.post(`${session}/compact`, body)).status;
		expect(await ask({ summary: "S", firstKeptEntryId: "nowhere" })).toBe(404);
		expect(await ask({ summary: "S", firstKeptEntryId: "v1" })).toBe(422);
		const bad = [
			{ summary: 7 },
			{ summary: null },
			{ summary: "S", firstKeptEntryId: 7 },
			{ summary: "S", firstKeptEntryId: "" },
			{ summary: "S", tokensBefore: "many" },
			{ summary: "S", keepRecentTokens: -1 },
			{ summary: "S", keepRecentTokens: 1.5 },
			{ summary: "S", usage: {} },
		];
		for (const body of bad) expect(await ask(body)).toBe(400);
		expect((await world.cold().get(`${session}/leaf`)).body).toEqual({ leafId: "u3", seq: 5 });
	});

	it("is one PUT, at the leaf it commits on: of two at once the second finds nothing to compact", async () => {
		const { world, session } = await furnished();
		const body = { summary: "S", keepRecentTokens: 1 };
		const instances = [world.cold(), world.cold()];
		for (const instance of instances) await instance.get(`${session}/tree`);
		const replies = await Promise.all(instances.map((instance) => instance.post(`${session}/compact`, body)));
		expect(replies.map(({ status }) => status).sort()).toEqual([201, 422]);
		const after = await world.post(`${session}/entries`, long("Fourth", "u4"));
		expect(after.body.seq).toBe(5);
		expect(requestsOf(await world.post(`${session}/compact`, body)).put).toBe(1);
	});

	it("a repeat with its key gives the first answer, however late; with another content it is a conflict", async () => {
		const { world, session } = await furnished();
		const body = { summary: "S", firstKeptEntryId: "u2", details: { a: 1 } };
		const ask = (instance: World, given: object) =>
			instance.post(`${session}/compact`, given, { "Idempotency-Key": "k" });
		const first = await ask(world, body);
		await world.post(`${session}/entries`, long("Fourth", "u4"));
		for (const instance of [world, world.cold()]) {
			const again = await ask(instance, body);
			expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([
				200,
				first.text,
				"true",
			]);
			expect(again.headers.get("ETag")).toBe(first.headers.get("ETag"));
		}
		for (const change of [
			{ summary: "T" },
			{ firstKeptEntryId: "u3" },
			{ details: { a: 2 } },
			{ tokensBefore: 1 },
		]) {
			expect((await ask(world, { ...body, ...change })).status).toBe(409);
		}
		for (const less of [{ summary: "S" }, { firstKeptEntryId: "u2" }, { details: { a: 1 } }]) {
			expect((await ask(world, less)).text).toBe(first.text);
		}
		expect((await world.cold().get(`${session}/leaf`)).body.seq).toBe(5);
	});

	it("with If-Match only on the state that is known", async () => {
		const { world, session } = await furnished();
		const body = { summary: "S", keepRecentTokens: 1 };
		expect((await world.post(`${session}/compact`, body, { "If-Match": 'W/"2-0"' })).status).toBe(412);
		expect((await world.post(`${session}/compact`, body, { "If-Match": 'W/"3-0-getTree"' })).status).toBe(
			201,
		);
	});

	it("hides nothing from the tree, the stats, and other branches", async () => {
		const { world, session } = await furnished();
		await world.post(`${session}/entries`, {
			entries: [
				assistant("a", { id: "a1" }, { content: [toolCall("c", "read")] }),
				toolResult("c", "r", { id: "r1" }),
			],
		});
		await world.post(`${session}/compact`, { summary: "S", keepRecentTokens: 1 });
		expect((await world.get(`${session}/tree`)).body.nodes).toHaveLength(6);
		expect((await world.get(`${session}/context?from=u3`)).body.messages).toHaveLength(3);
		expect((await world.get(`${session}/stats`)).body).toMatchObject({
			totalMessages: 5,
			userMessages: 3,
			assistantMessages: 1,
			toolResults: 1,
			toolCalls: 1,
		});
	});
});
