import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { FaultyStore } from "../../src/store/faults.ts";
import { expectSame, pi } from "../session/pi.ts";
import { randomSession } from "../session/random-session.ts";
import { assistant, text } from "./chat.ts";
import { imported, inPi, pick, storedEntries } from "./files-and-pi.ts";
import { requestsOf, user, World } from "./world.ts";

/** Two branches below one question: u1 → a1 → u2 → a2, and a1 → n3 → u4. The leaf is u4. */
async function branches() {
	const world = new World();
	const session = await world.session([
		user("first", { id: "u1" }),
		assistant("one", { id: "a1" }),
		user("second", { id: "u2" }),
		assistant("two", { id: "a2" }),
		{
			type: "custom_message",
			id: "n3",
			parentId: "a1",
			customType: "note",
			content: [text("a "), text("note")],
			display: true,
		},
		user("fourth", { id: "u4" }),
	]);
	return { world, session };
}

describe("previewNavigation: as pi collects it", () => {
	it("what is left behind, the common ancestor, and what fits into a budget, of random sessions", async () => {
		let left = 0;
		const cases = fc.sample(
			fc.tuple(randomSession(40), fc.nat(99), fc.nat(99), fc.constantFrom(0, 5, 60, 900)),
			{
				seed: 11,
				numRuns: 90,
			},
		);
		for (const [{ header, entries }, leaf, target, budget] of cases) {
			if (entries.length === 0) continue;
			const world = new World();
			const session = await imported(world, header, entries);
			await world.put(`${session}/leaf`, { targetId: pick(entries, leaf) });
			const targetId = pick(entries, target);
			const { body } = await world.get(`${session}/navigation?targetId=${targetId}`);
			const reference = await inPi(world, session);
			const collected = pi.collectEntriesForBranchSummary(reference, reference.getLeafId(), targetId);
			expect(body.oldLeafId).toBe(pick(entries, leaf));
			if (body.oldLeafId === targetId) {
				expect(body).toMatchObject({
					newLeafId: targetId,
					commonAncestorId: targetId,
					entriesToSummarize: [],
				});
				continue;
			}
			expect(body.commonAncestorId).toBe(collected.commonAncestorId);
			expectSame(body.entriesToSummarize, collected.entries);
			left += body.entriesToSummarize.length;
			let fitting: number;
			try {
				fitting = pi.prepareBranchEntries(collected.entries, budget).messages.length;
			} catch {
				continue; // A content of null, which pi cannot count.
			}
			const within = await world.get(`${session}/navigation?targetId=${targetId}&tokenBudget=${budget}`);
			expect(within.body.entriesToSummarize).toHaveLength(fitting);
		}
		expect(left).toBeGreaterThan(100);
	});

	it("a target that isn't there is 404, one that is a leaf entry 422, none at all 400", async () => {
		const { world, session } = await branches();
		const moved = await world.put(`${session}/leaf`, { targetId: "a2" });
		const ask = async (query: string) => (await world.get(`${session}/navigation${query}`)).status;
		expect(await ask("?targetId=nowhere")).toBe(404);
		expect(await ask(`?targetId=${moved.body.entry.id}`)).toBe(422);
		for (const query of ["", "?targetId=", "?targetId=a2&tokenBudget=-1", "?targetId=a2&tokenBudget=1.5"]) {
			expect(await ask(query)).toBe(400);
		}
	});

	it("is the same answer until something is written: 304", async () => {
		const { world, session } = await branches();
		const path = `${session}/navigation?targetId=u2`;
		const first = await world.get(path);
		const again = { "If-None-Match": first.headers.get("ETag") ?? "" };
		expect((await world.get(path, again)).status).toBe(304);
		await world.post(`${session}/entries`, user("more"));
		expect((await world.get(path, again)).status).toBe(200);
	});
});

describe("navigateTree: where the leaf goes", () => {
	const cases: Record<string, [string, object]> = {
		"an assistant's message: to it": ["a2", { leafId: "a2", commonAncestorId: "a1" }],
		"a user's message: to its parent, and the text to the editor": [
			"u2",
			{ leafId: "a1", editorText: "second", commonAncestorId: "a1" },
		],
		"a custom message: to its parent, its blocks joined to the editor": [
			"n3",
			{ leafId: "a1", editorText: "a note", commonAncestorId: "n3" },
		],
		"a user's message at the root: to nowhere": [
			"u1",
			{ leafId: null, editorText: "first", commonAncestorId: "u1" },
		],
	};
	for (const [name, [targetId, expected]] of Object.entries(cases)) {
		it(name, async () => {
			const { world, session } = await branches();
			const reply = await world.post(`${session}/navigate`, { targetId });
			expect([reply.status, reply.body]).toEqual([200, { ...expected, seq: 7 }]);
			expect((await world.cold().get(`${session}/leaf`)).body).toMatchObject({
				leafId: reply.body.leafId,
				seq: 7,
			});
			const [entry] = (await storedEntries(world, session)).slice(-1);
			expect(entry).toMatchObject({ type: "leaf", parentId: "u4", targetId: reply.body.leafId });
		});
	}

	it("the leaf itself: nothing happens, whatever else is asked for", async () => {
		const { world, session } = await branches();
		for (const more of [{}, { label: "here" }, { summary: { text: "S" } }]) {
			const reply = await world.post(`${session}/navigate`, { targetId: "u4", ...more });
			expect(reply.body).toEqual({ leafId: "u4", commonAncestorId: "u4", seq: 6 });
			expect(requestsOf(reply).put).toBeUndefined();
		}
	});

	it("a message below the leaf: it stays where it is, and its text goes to the editor", async () => {
		const { world, session } = await branches();
		await world.put(`${session}/leaf`, { targetId: "a1" });
		const reply = await world.post(`${session}/navigate`, { targetId: "u2" });
		expect(reply.body).toEqual({ leafId: "a1", commonAncestorId: "a1", editorText: "second", seq: 7 });
	});

	it("from nowhere: nothing is left behind, and a summary comes from the root", async () => {
		const { world, session } = await branches();
		await world.put(`${session}/leaf`, { targetId: null });
		const reply = await world.post(`${session}/navigate`, { targetId: "a1", summary: { text: "S" } });
		expect(reply.body).toMatchObject({
			commonAncestorId: null,
			summaryEntry: { fromId: "root", parentId: "a1" },
		});
		expect(reply.body.leafId).toBe(reply.body.summaryEntry.id);
	});

	it("refuses unknown targets with 404 and leaf entries with 422, and stores nothing", async () => {
		const { world, session } = await branches();
		await world.put(`${session}/leaf`, { targetId: "a2" });
		const leafEntry = (await storedEntries(world, session)).at(-1)?.id;
		const unknown = await world.post(`${session}/navigate`, { targetId: "nowhere", label: "L" });
		expect([unknown.status, unknown.body.errors]).toEqual([
			404,
			[{ path: "targetId", message: expect.any(String) }],
		]);
		expect((await world.post(`${session}/navigate`, { targetId: leafEntry })).status).toBe(422);
		expect((await world.get(`${session}/leaf`)).body).toEqual({ leafId: "a2", seq: 7 });
	});

	it("refuses bodies of another shape with 400", async () => {
		const { world, session } = await branches();
		const bad = [
			{},
			{ targetId: 7 },
			{ targetId: "" },
			{ targetId: null },
			{ targetId: "a2", summary: "text" },
			{ targetId: "a2", summary: {} },
			{ targetId: "a2", summary: { text: "x", more: 1 } },
			{ targetId: "a2", summary: { text: "x", usage: { input: "many" } } },
			{ targetId: "a2", summarize: "yes" },
			{ targetId: "a2", summarize: true, summary: { text: "x" } },
			{ targetId: "a2", label: 7 },
		];
		for (const body of bad) expect((await world.post(`${session}/navigate`, body)).status).toBe(400);
		expect((await world.get(`${session}/leaf`)).body.seq).toBe(6);
	});
});

describe("navigateTree: summary and label", () => {
	const usage = {
		input: 10,
		output: 5,
		cacheRead: 0,
		cacheWrite: 0,
		totalTokens: 15,
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.25 },
	};

	it("a summary hangs at the new leaf, tells where it came from, and is the leaf", async () => {
		const { world, session } = await branches();
		const summary = {
			text: "They noted.",
			details: { __proto__: null, readFiles: [] },
			usage,
			fromHook: true,
		};
		const reply = await world.post(`${session}/navigate`, { targetId: "u2", summary });
		const { text: _text, ...rest } = summary;
		expect(reply.body).toEqual({
			leafId: reply.body.summaryEntry.id,
			editorText: "second",
			commonAncestorId: "a1",
			seq: 7,
			summaryEntry: {
				type: "branch_summary",
				id: expect.stringMatching(/^[0-9a-f]{8}$/),
				parentId: "a1",
				timestamp: expect.any(String),
				fromId: "u4",
				summary: "They noted.",
				...rest,
			},
		});
		expect((await world.get(`${session}/stats`)).body.cost).toBe(0.25);
	});

	it("an empty summary is none", async () => {
		const { world, session } = await branches();
		const reply = await world.post(`${session}/navigate`, { targetId: "a2", summary: { text: "" } });
		expect(reply.body).toEqual({ leafId: "a2", commonAncestorId: "a1", seq: 7 });
	});

	it("a label goes onto the summary, else onto the target, and is the leaf", async () => {
		const { world, session } = await branches();
		const plain = await world.post(`${session}/navigate`, { targetId: "u2", label: "tried" });
		const [leaf, label] = (await storedEntries(world, session)).slice(6);
		expect(leaf).toMatchObject({ type: "leaf", targetId: "a1" });
		expect(label).toMatchObject({ type: "label", targetId: "u2", label: "tried", parentId: "a1" });
		expect(plain.body).toMatchObject({ leafId: label?.id, editorText: "second", seq: 8 });
		const summed = await world.post(`${session}/navigate`, {
			targetId: "u4",
			summary: { text: "S" },
			label: "L",
		});
		const [, mark] = (await storedEntries(world, session)).slice(8);
		expect(mark).toMatchObject({ type: "label", targetId: summed.body.summaryEntry.id, label: "L" });
		expect(summed.body).toMatchObject({ leafId: mark?.id, seq: 10 });
		expect(mark?.parentId).toBe(summed.body.summaryEntry.id);
	});

	it("a label of white space is none", async () => {
		const { world, session } = await branches();
		for (const label of ["", " \n"]) {
			await world.post(`${session}/navigate`, { targetId: "a2", label });
			await world.post(`${session}/navigate`, { targetId: "u4", label });
		}
		expect((await world.get(`${session}/labels`)).body.labels).toEqual([]);
	});

	it("all of it is one commit: one PUT", async () => {
		const { world, session } = await branches();
		const body = { targetId: "a2", summary: { text: "S" }, label: "L" };
		const reply = await world.post(`${session}/navigate`, body);
		const { put, get, list } = requestsOf(reply);
		expect([put, get, list]).toEqual([1, undefined, undefined]);
	});

	it("a summary larger than an entry may be is 413, and nothing is stored", async () => {
		const { world, session } = await branches();
		const strict = world.cold({ config: { limits: { entryBytes: 500 } } });
		const reply = await strict.post(`${session}/navigate`, {
			targetId: "a2",
			summary: { text: "x".repeat(500) },
		});
		expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
		expect((await world.get(`${session}/leaf`)).body).toEqual({ leafId: "u4", seq: 6 });
	});

	it("leads to the context that pi has after the same, of random sessions", async () => {
		let summed = 0;
		const cases = fc.sample(fc.tuple(randomSession(40), fc.nat(99), fc.nat(99), fc.boolean(), fc.boolean()), {
			seed: 12,
			numRuns: 60,
		});
		for (const [{ header, entries }, leaf, target, withSummary, withLabel] of cases) {
			if (entries.length === 0) continue;
			const world = new World();
			const session = await imported(world, header, entries);
			await world.put(`${session}/leaf`, { targetId: pick(entries, leaf) });
			const reference = await inPi(world, session);
			const { body } = await world.post(`${session}/navigate`, {
				targetId: pick(entries, target),
				...(withSummary && { summary: { text: "What was tried." } }),
				...(withLabel && { label: "L" }),
			});
			navigateInPi(
				reference,
				pick(entries, target),
				withSummary ? "What was tried." : "",
				withLabel ? "L" : "",
			);
			const context = (await world.get(`${session}/context`)).body;
			// The summaries were written at different times.
			const timeless = (messages: { role: string }[]) =>
				messages.map((message) =>
					message.role === "branchSummary" ? { ...message, timestamp: 0 } : message,
				);
			expectSame(timeless(context.messages), timeless(reference.buildSessionContext().messages));
			expect(context.leafId).toBe(body.leafId);
			if (body.summaryEntry) summed++;
			if (withLabel && pick(entries, target) !== pick(entries, leaf)) {
				const labelled = body.summaryEntry?.id ?? pick(entries, target);
				const { labels } = (await world.get(`${session}/labels`)).body;
				expect(labels.find((one: { targetId: string }) => one.targetId === labelled)?.label).toBe("L");
			}
		}
		expect(summed).toBeGreaterThan(15);
	});
});

/** What pi's own navigation does with its session manager. */
function navigateInPi(
	session: Awaited<ReturnType<typeof inPi>>,
	targetId: string,
	summary: string,
	label: string,
) {
	if (session.getLeafId() === targetId) return;
	const target: Entry & { message?: { role?: string } } = session.getEntry(targetId);
	const edited = target.type === "custom_message" || target.message?.role === "user";
	const parent = target.parentId === "" ? null : target.parentId;
	const leaf = edited ? parent : targetId;
	let labelled = targetId;
	if (summary !== "") labelled = session.branchWithSummary(leaf, summary);
	else if (leaf === null) session.resetLeaf();
	else session.branch(leaf);
	if (label !== "") session.appendLabelChange(labelled, label);
}

describe("navigateTree: several at once, and again", () => {
	const key = (value = "k1") => ({ "Idempotency-Key": value });

	it("each of many at once is decided against the leaf that it commits on", async () => {
		const { world, session } = await branches();
		const instances = Array.from({ length: 4 }, () => world.cold());
		const replies = await Promise.all(
			instances.flatMap((instance) =>
				["a2", "u4"].map((targetId) =>
					instance.post(`${session}/navigate`, { targetId, summary: { text: targetId } }),
				),
			),
		);
		expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
		const stored = await storedEntries(world, session);
		let leaf: unknown = "u4";
		for (const entry of stored.slice(6)) {
			expect(entry).toMatchObject({ type: "branch_summary", fromId: leaf });
			leaf = entry.id;
		}
		const written = replies.filter(({ body }) => body.summaryEntry !== undefined);
		expect(stored).toHaveLength(6 + written.length);
		for (const { body } of written) expect(stored[body.seq - 1]).toEqual(body.summaryEntry);
		expect(written.length).toBeGreaterThanOrEqual(7);
	});

	it("with If-Match only on the state that is known, and a repeat is recognised before it is asked for", async () => {
		const { world, session } = await branches();
		const known = { "If-Match": (await world.get(session)).headers.get("ETag") ?? "" };
		const first = await world.post(`${session}/navigate`, { targetId: "a2" }, { ...known, ...key() });
		expect(first.status).toBe(200);
		expect((await world.post(`${session}/navigate`, { targetId: "u4" }, known)).status).toBe(412);
		const again = await world.post(`${session}/navigate`, { targetId: "a2" }, { ...known, ...key() });
		expect([again.status, again.text]).toEqual([200, first.text]);
	});

	const bodies: Record<string, object> = {
		"a summary and a label": {
			targetId: "u2",
			summary: { text: "S", details: { a: 1, b: [2] } },
			label: "L",
		},
		"a leaf alone": { targetId: "a2" },
		"a root": { targetId: "u1", label: "top" },
		"the leaf itself, which leaves its mark then": { targetId: "u4" },
	};
	for (const [what, body] of Object.entries(bodies)) {
		it(`a repeat with its key gives the first answer, anywhere and however late: ${what}`, async () => {
			const { world, session } = await branches();
			const first = await world.post(`${session}/navigate`, body, key());
			expect(first.headers.get("Idempotency-Replayed")).toBeNull();
			await world.post(`${session}/entries`, user("later"));
			await world.post(`${session}/navigate`, { targetId: "u2" });
			const { seq } = (await world.get(`${session}/leaf`)).body;
			for (const instance of [world, world.cold()]) {
				const again = await instance.post(`${session}/navigate`, body, key());
				expect([again.status, again.headers.get("Idempotency-Replayed"), again.text]).toEqual([
					200,
					"true",
					first.text,
				]);
				expect(again.headers.get("ETag")).toBe(first.headers.get("ETag"));
			}
			expect((await world.cold().get(`${session}/leaf`)).body.seq).toBe(seq);
		});
	}

	it("a repeat whose fields are in another order is the same, one with another content a conflict", async () => {
		const { world, session } = await branches();
		const first = await world.post(
			`${session}/navigate`,
			{ targetId: "u2", summary: { text: "S", details: { a: 1, b: 2 } } },
			key(),
		);
		const turned = { summary: { details: { b: 2, a: 1 }, text: "S" }, targetId: "u2" };
		expect((await world.post(`${session}/navigate`, turned, key())).text).toBe(first.text);
		const others = [
			{ ...turned, targetId: "a1" },
			{ ...turned, label: "L" },
			{ targetId: "u2", summary: { text: "T", details: { a: 1, b: 2 } } },
			{ targetId: "u2", summary: { text: "S", details: { a: 1 } } },
			{ targetId: "u2", summary: { text: "S", fromHook: true } },
			{ targetId: "u2", summary: { text: "" } },
			{ targetId: "u2", summarize: true },
		];
		for (const body of others) {
			const reply = await world.post(`${session}/navigate`, body, key());
			expect([reply.status, reply.body.code]).toEqual([409, "conflict"]);
		}
		expect((await world.post(`${session}/entries`, user("x"), key())).status).toBe(409);
		expect((await world.put(`${session}/leaf`, { targetId: null }, key())).status).toBe(409);
	});

	it("a repeat that gives less is the same, as long as it goes to the same place", async () => {
		const { world, session } = await branches();
		const full = { targetId: "u2", summary: { text: "S", details: { a: 1 } }, label: "L" };
		const first = await world.post(`${session}/navigate`, full, key());
		for (const body of [
			{ targetId: "u2" },
			{ targetId: "u2", label: "L" },
			{ targetId: "u2", summary: { text: "S" } },
		]) {
			const again = await world.post(`${session}/navigate`, body, key());
			expect([again.status, again.text]).toEqual([200, first.text]);
		}
		// Both lead to the same leaf, but another text would go to the editor.
		expect((await world.post(`${session}/navigate`, { targetId: "n3" }, key())).status).toBe(409);
	});

	it("a repeat of what did nothing is the same, with all that it asked for in vain", async () => {
		const { world, session } = await branches();
		const body = { targetId: "u4", summary: { text: "S" }, label: "L" };
		const first = await world.post(`${session}/navigate`, body, key());
		await world.post(`${session}/entries`, user("later"));
		const again = await world.post(`${session}/navigate`, body, key());
		expect([again.status, again.text]).toEqual([200, first.text]);
	});

	it("one whose answer was lost on the way is done once", async () => {
		const { world, session } = await branches();
		let losses = 1;
		const doubtful = world.cold({
			wrap: (store) =>
				new FaultyStore(store, {
					plan: ({ kind }) => (kind === "put" && losses-- > 0 ? { kind: "answer lost" } : undefined),
					sleep: () => new Promise((resolve) => setImmediate(resolve)),
				}),
		});
		const body = { targetId: "a2", summary: { text: "S" }, label: "L" };
		const reply = await doubtful.post(`${session}/navigate`, body, key());
		expect([reply.status, reply.body.seq]).toEqual([200, 8]);
		const again = await world.post(`${session}/navigate`, body, key());
		expect([again.status, again.text]).toEqual([200, reply.text]);
		expect((await world.cold().get(`${session}/leaf`)).body.seq).toBe(8);
	});
});
