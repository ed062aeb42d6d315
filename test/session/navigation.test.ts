import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeEntries } from "../../src/session/append.ts";
import { branchSummaryMessages, planBranchSummary } from "../../src/session/branch-summary.ts";
import type { Entry } from "../../src/session/entry.ts";
import { editorText, navigationEntries, planNavigation } from "../../src/session/navigation.ts";
import { indexOfEntries } from "../../src/session/session-index.ts";
import { countedIds } from "./files.ts";
import { expectSame, pi, piSession, runs } from "./pi.ts";
import { randomSession } from "./random-session.ts";

const leaves = fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000));

/** Two entries of a session: where the leaf is (sometimes nowhere), and where it is to go. */
function picked(entries: readonly Entry[], [leaf, target, none]: readonly [number, number, number]) {
	const old = none % 12 === 0 ? null : (entries[leaf % entries.length]?.id ?? null);
	return { old, target: entries[target % entries.length]?.id as string };
}

describe("navigation: what is left behind, as pi collects it", () => {
	it("of random sessions", () => {
		fc.assert(
			fc.property(randomSession(60), leaves, ({ header, entries }, choice) => {
				if (entries.length === 0) return;
				const { old, target } = picked(entries, choice);
				const reference = pi.collectEntriesForBranchSummary(piSession(header, entries, old), old, target);
				const index = indexOfEntries(entries, old);
				const plan = planNavigation(index, target);
				if (plan.kind !== "move") {
					expect(plan).toEqual({ kind: "stay", leafId: target });
					expect(old).toBe(target);
					return;
				}
				expectSame(
					{ ancestor: plan.commonAncestorId, ids: plan.toSummarize.map((seq) => index.id(seq)) },
					{ ancestor: reference.commonAncestorId, ids: reference.entries.map((entry: Entry) => entry.id) },
				);
			}),
			{ ...runs, numRuns: 600 },
		);
	});

	it("where the leaf goes and what the editor shows, as pi's own navigation", async () => {
		const cases = fc.sample(fc.tuple(randomSession(40), leaves), { seed: 7, numRuns: 250 });
		let edited = 0;
		for (const [{ header, entries }, choice] of cases) {
			if (entries.length === 0) continue;
			const { old, target } = picked(entries, choice);
			const parentOf = entries.find((entry) => entry.id === target)?.parentId;
			// pi refuses to go to a parent that isn't there; here the leaf is then nowhere.
			if (parentOf === "gone0000" || parentOf === "" || old === target) continue;
			const session = piSession(header, entries, old);
			let answer: { editorText?: string };
			try {
				answer = await pi.AgentSession.prototype.navigateTree.call(navigator(session), target, {
					label: "L",
				});
			} catch (error) {
				// A content of null, which pi cannot read.
				expect(String(error)).toContain("TypeError");
				continue;
			}
			const index = indexOfEntries(entries, old);
			const plan = planNavigation(index, target);
			if (plan.kind !== "move") throw new Error(plan.kind);
			if (answer.editorText !== undefined) edited++;
			const text =
				plan.editorSeq === undefined ? undefined : editorText(entries[plan.editorSeq - 1] as Entry);
			expect(text).toBe(answer.editorText);
			const labelEntry = session.getLeafEntry();
			expect(labelEntry).toMatchObject({
				type: "label",
				targetId: target,
				label: "L",
				parentId: plan.newLeafId,
			});
		}
		expect(edited).toBeGreaterThan(20);
	});
});

/** As much of pi's agent session as its navigation looks at. */
function navigator(sessionManager: object): object {
	return {
		sessionManager,
		_promptPreflightCount: 0,
		_extensionRunner: { hasHandlers: () => false, emit: async () => undefined },
		_refreshFinalizedContext() {},
		_restoreToolsFromTranscript() {},
		_resolveIdleWaitIfIdle() {},
	};
}

describe("branch summary: what fits into the budget, as pi prepares it", () => {
	it("of random sessions", () => {
		let compared = 0;
		const budgets = fc.constantFrom(0, 1, 5, 60, 400, 3000);
		fc.assert(
			fc.property(randomSession(60), leaves, budgets, ({ header, entries }, choice, budget) => {
				if (entries.length === 0) return;
				const { old, target } = picked(entries, choice);
				const index = indexOfEntries(entries, old);
				const plan = planNavigation(index, target);
				if (plan.kind !== "move") return;
				const chosen = planBranchSummary(index, plan.toSummarize, budget);
				const all = new Map(entries.map((entry, place) => [place + 1, entry]));
				const messages = branchSummaryMessages(chosen.included, all);
				const left = pi.collectEntriesForBranchSummary(piSession(header, entries, old), old, target).entries;
				let reference: { messages: unknown[]; totalTokens: number };
				try {
					reference = pi.prepareBranchEntries(left, budget);
				} catch {
					return; // A content of null, which pi cannot count.
				}
				compared++;
				expectSame(messages, reference.messages);
				expect(chosen.totalTokens).toBe(reference.totalTokens);
			}),
			{ ...runs, numRuns: 600 },
		);
		expect(compared).toBeGreaterThan(200);
	});

	const at = "2025-01-01T00:00:00.000Z";
	const said = (id: string, parentId: string | null, role: string, text: string): Entry => ({
		type: "message",
		id,
		parentId,
		timestamp: at,
		message: { role, content: [{ type: "text", text }], timestamp: 1 },
	});

	it("a branch with omitted and edited messages: edits count, omitted ones are passed over", () => {
		const entries: Entry[] = [
			said("root", null, "user", "start"),
			said("a", "root", "user", "secret"),
			said("b", "a", "assistant", "long answer"),
			said("t", "b", "toolResult", "output"),
			{ type: "context_edit", id: "e1", parentId: "t", timestamp: at, targetId: "a", replacement: null },
			{
				type: "context_edit",
				id: "e2",
				parentId: "e1",
				timestamp: at,
				targetId: "b",
				replacement: { content: "short" },
			},
		];
		const index = indexOfEntries(entries);
		const plan = planNavigation(index, "root");
		if (plan.kind !== "move") throw new Error(plan.kind);
		const chosen = planBranchSummary(index, plan.toSummarize, 0);
		const all = new Map(entries.map((entry, place) => [place + 1, entry]));
		expect(branchSummaryMessages(chosen.included, all)).toEqual([
			{ role: "assistant", content: [{ type: "text", text: "short" }], timestamp: 1 },
		]);
		expect(chosen.totalTokens).toBe(2);
	});

	it("a summary that doesn't fit goes in while less than nine tenths are used, and ends it", () => {
		const summary: Entry = {
			type: "branch_summary",
			id: "s",
			parentId: "old",
			timestamp: at,
			fromId: "x",
			summary: "s".repeat(4000),
		};
		const entries = [
			said("root", null, "user", "r"),
			said("old", "root", "user", "o"),
			summary,
			said("n", "s", "user", "n".repeat(320)),
		];
		const index = indexOfEntries(entries);
		expect(planBranchSummary(index, [2, 3, 4], 100).included.map((one) => one.seq)).toEqual([3, 4]);
		expect(planBranchSummary(index, [2, 3, 4], 85).included.map((one) => one.seq)).toEqual([4]);
	});
});

describe("navigation: what it writes", () => {
	const timestamp = "2025-01-01T00:00:00.000Z";
	const entry = (id: string, parentId: string | null, role?: string): Entry =>
		role === undefined
			? { type: "custom", id, parentId, timestamp, customType: "x" }
			: { type: "message", id, parentId, timestamp, message: { role, content: id, timestamp: 1 } };
	const entries = [
		entry("u1", null, "user"),
		entry("a1", "u1", "assistant"),
		entry("u2", "a1", "user"),
		entry("a2", "u2", "assistant"),
	];

	function written(head: string | null, target: string, options: object = {}) {
		const index = indexOfEntries(entries, head);
		const plan = planNavigation(index, target);
		if (plan.kind !== "move") throw new Error(plan.kind);
		const placed = placeEntries(
			index,
			navigationEntries(plan, { timestamp, newId: countedIds(), ...options }),
		);
		if (placed.kind !== "placed") throw new Error(JSON.stringify(placed));
		return placed;
	}

	it("without a summary: a leaf entry; a user message gives the leaf to its parent", () => {
		expect(written("a2", "a1")).toMatchObject({
			head: "a1",
			entries: [{ type: "leaf", parentId: "a2", targetId: "a1" }],
		});
		expect(written("a2", "u1")).toMatchObject({ head: null, entries: [{ type: "leaf", targetId: null }] });
	});
	it("with a summary: it hangs at the new leaf, which it becomes, and a label goes onto it", () => {
		expect(written("a2", "a1", { summary: { text: "S", details: { n: 1 } }, label: "L" })).toMatchObject({
			head: "00000002",
			entries: [
				{
					type: "branch_summary",
					id: "00000001",
					parentId: "a1",
					fromId: "a2",
					summary: "S",
					details: { n: 1 },
				},
				{ type: "label", id: "00000002", parentId: "00000001", targetId: "00000001", label: "L" },
			],
		});
	});
	it("a summary from nowhere to a root: fromId is root, parent null", () => {
		expect(written(null, "u1", { summary: { text: "S" } })).toMatchObject({
			entries: [{ type: "branch_summary", parentId: null, fromId: "root" }],
		});
	});
	it("a label without a summary goes onto the target, below the new leaf", () => {
		expect(written("a2", "u2", { label: "L" })).toMatchObject({
			head: "00000002",
			entries: [
				{ type: "leaf", targetId: "a1" },
				{ type: "label", parentId: "a1", targetId: "u2" },
			],
		});
	});
	it("where the leaf already is: nothing, or the label alone", () => {
		expect(written("a1", "u2")).toMatchObject({ head: "a1", entries: [] });
		expect(written("a1", "u2", { label: "L" })).toMatchObject({
			entries: [{ type: "label", parentId: "a1" }],
		});
	});
	it("to nowhere or to a leaf entry: a problem", () => {
		const index = indexOfEntries([
			...entries,
			{ type: "leaf", id: "l", parentId: "a2", timestamp, targetId: "a1" },
		]);
		expect(planNavigation(index, "no")).toMatchObject({ problem: { kind: "not_found" } });
		expect(planNavigation(index, "l")).toMatchObject({ problem: { kind: "unprocessable" } });
	});
	it("a target whose parent is gone: the leaf is nowhere", () => {
		const index = indexOfEntries([entry("u", "gone", "user"), entry("b", "u", "assistant")]);
		expect(planNavigation(index, "u")).toMatchObject({ newLeafId: null, commonAncestorId: "u" });
	});
});
