import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { expectSame } from "../session/pi.ts";
import { randomSession } from "../session/random-session.ts";
import { imported, inPi, pick, storedEntries } from "./files-and-pi.ts";
import { twoBranches } from "./two-branches.ts";
import { requestsOf, World } from "./world.ts";

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
			const { world, session } = await twoBranches();
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
		const { world, session } = await twoBranches();
		for (const more of [{}, { label: "here" }, { summary: { text: "S" } }]) {
			const reply = await world.post(`${session}/navigate`, { targetId: "u4", ...more });
			expect(reply.body).toEqual({ leafId: "u4", commonAncestorId: "u4", seq: 6 });
			expect(requestsOf(reply).put).toBeUndefined();
		}
	});

	it("a message below the leaf: it stays where it is, and its text goes to the editor", async () => {
		const { world, session } = await twoBranches();
		await world.put(`${session}/leaf`, { targetId: "a1" });
		const reply = await world.post(`${session}/navigate`, { targetId: "u2" });
		expect(reply.body).toEqual({ leafId: "a1", commonAncestorId: "a1", editorText: "second", seq: 7 });
	});

	it("from nowhere: nothing is left behind, and a summary comes from the root", async () => {
		const { world, session } = await twoBranches();
		await world.put(`${session}/leaf`, { targetId: null });
		const reply = await world.post(`${session}/navigate`, { targetId: "a1", summary: { text: "S" } });
		expect(reply.body).toMatchObject({
			commonAncestorId: null,
			summaryEntry: { fromId: "root", parentId: "a1" },
		});
		expect(reply.body.leafId).toBe(reply.body.summaryEntry.id);
	});

	it("refuses unknown targets with 404 and leaf entries with 422, and stores nothing", async () => {
		const { world, session } = await twoBranches();
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
		const { world, session } = await twoBranches();
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
		const { world, session } = await twoBranches();
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
		const { world, session } = await twoBranches();
		const reply = await world.post(`${session}/navigate`, { targetId: "a2", summary: { text: "" } });
		expect(reply.body).toEqual({ leafId: "a2", commonAncestorId: "a1", seq: 7 });
	});

	it("a label goes onto the summary, else onto the target, and is the leaf", async () => {
		const { world, session } = await twoBranches();
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
		const { world, session } = await twoBranches();
		for (const label of ["", " \n"]) {
			await world.post(`${session}/navigate`, { targetId: "a2", label });
			await world.post(`${session}/navigate`, { targetId: "u4", label });
		}
		expect((await world.get(`${session}/labels`)).body.labels).toEqual([]);
	});

	it("all of it is one commit: one PUT", async () => {
		const { world, session } = await twoBranches();
		const body = { targetId: "a2", summary: { text: "S" }, label: "L" };
		const reply = await world.post(`${session}/navigate`, body);
		const { put, get, list } = requestsOf(reply);
		expect([put, get, list]).toEqual([1, undefined, undefined]);
	});

	it("a summary larger than an entry may be is 413, and nothing is stored", async () => {
		const { world, session } = await twoBranches();
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
