import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branch } from "../../src/session/branch.ts";
import { liveContextTokens, planCompaction } from "../../src/session/compaction.ts";
import { plannedMessages } from "../../src/session/context.ts";
import { type PlannedEntry, planContext } from "../../src/session/context-plan.ts";
import type { Entry } from "../../src/session/entry.ts";
import { indexOfEntries } from "../../src/session/session-index.ts";
import { calculateContextTokens, estimateTokens, shouldCompact } from "../../src/session/tokens.ts";
import { entriesOfFile } from "./files.ts";
import { countable, expectSame, fixture, fixtureNames, pi, piSession, runs } from "./pi.ts";
import { type RandomSession, randomSession } from "./random-session.ts";

const counted = ({ header, entries }: RandomSession): RandomSession => ({
	header,
	entries: countable(entries),
});

function compare(header: object, entries: readonly Entry[], leaf: string, keepRecentTokens: number): string {
	const path: Entry[] = piSession(header, entries, leaf).getBranch();
	const reference = pi.prepareCompaction(path, { enabled: true, reserveTokens: 16384, keepRecentTokens });
	const index = indexOfEntries(entries, leaf);
	const plan = planCompaction(index, keepRecentTokens);
	if (reference === undefined) {
		expect(plan).toBeUndefined();
		return "nothing";
	}
	if (plan === undefined) throw new Error("pi would compact");
	const all = new Map(entries.map((entry, place) => [place + 1, entry]));
	const messages = (planned: readonly PlannedEntry[]) =>
		planned.flatMap((one) => plannedMessages(one, all)).filter((message) => message.role !== "system");
	expectSame(
		{
			firstKeptEntryId: plan.firstKeptEntryId,
			tokensBefore: plan.tokensBefore,
			isSplitTurn: plan.isSplitTurn,
			summarized: messages(plan.toSummarize),
			prefix: messages(plan.turnPrefix),
			previous: plan.previous === undefined ? undefined : all.get(plan.previous)?.summary,
		},
		{
			firstKeptEntryId: reference.firstKeptEntryId,
			tokensBefore: reference.tokensBefore,
			isSplitTurn: reference.isSplitTurn,
			summarized: reference.messagesToSummarize,
			prefix: reference.turnPrefixMessages,
			previous: reference.previousSummary,
		},
	);
	return plan.isSplitTurn ? "split" : "whole";
}

describe("compaction plan: as pi prepares it", () => {
	it("of random sessions, at every leaf", () => {
		const outcomes = new Map<string, number>();
		const keep = fc.constantFrom(1, 40, 300, 1500, 20_000);
		fc.assert(
			fc.property(randomSession(60).map(counted), keep, ({ header, entries }, keepRecentTokens) => {
				for (const { id } of entries) {
					const outcome = compare(header, entries, id, keepRecentTokens);
					outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
				}
			}),
			runs,
		);
		for (const outcome of ["nothing", "split", "whole"]) expect(outcomes.get(outcome)).toBeGreaterThan(50);
	});
	for (const name of fixtureNames) {
		it(`of ${name}`, () => {
			const { header, entries } = entriesOfFile(fixture(name));
			const leaf = entries.at(-1)?.id as string;
			for (const keep of [0, 10, 2000, 20_000]) compare(header, entries, leaf, keep);
		});
	}
});

describe("context tokens: as pi estimates them", () => {
	it("of random sessions, at every leaf", () => {
		let reported = 0;
		fc.assert(
			fc.property(randomSession(60).map(counted), ({ header, entries }) => {
				for (const { id } of entries) {
					const session = piSession(header, entries, id);
					const estimate = pi.estimateProjectedContextTokens(
						session.buildSessionProjection(),
						session.getBranch(),
					);
					if (estimate.lastUsageIndex !== null) reported++;
					expect(liveContextTokens(indexOfEntries(entries, id))).toBe(estimate.tokens);
				}
			}),
			runs,
		);
		expect(reported).toBeGreaterThan(100);
	});
	it("of a message, and of a usage", () => {
		fc.assert(
			fc.property(randomSession(40), ({ entries }) => {
				for (const entry of entries) {
					const message = entry.message as { role: string; content?: unknown; usage?: object } | undefined;
					if (message === undefined) continue;
					if (message.usage) {
						expect(calculateContextTokens(message.usage)).toBe(pi.calculateContextTokens(message.usage));
					}
					if ("content" in message && message.content === null) continue;
					if (message.role === "user" && message.content === undefined) continue;
					expect(estimateTokens(message)).toBe(pi.estimateTokens(message));
				}
			}),
			runs,
		);
	});
	it("a content that isn't there, or isn't one, counts nothing", () => {
		for (const role of [
			"system",
			"user",
			"assistant",
			"toolResult",
			"custom",
			"bashExecution",
			"compactionSummary",
		]) {
			for (const content of [
				undefined,
				null,
				5,
				{},
				[null, 5, "text", { type: "text" }, { type: "toolCall" }],
			]) {
				expect(estimateTokens({ role, content })).toBe(0);
			}
		}
	});
	it("a system message that declares more than the index lists counts as it is", () => {
		const sections = Object.fromEntries(
			Array.from({ length: 600 }, (_, place) => [`section-${place}`, "text".repeat(10)]),
		);
		const message = { role: "system", content: "", sections, timestamp: 1 };
		const entry: Entry = { type: "message", id: "a", parentId: null, timestamp: "", message };
		const index = indexOfEntries([entry]);
		expect(liveContextTokens(index)).toBe(6000);
		expect(JSON.stringify(index.meta(1)).length).toBeLessThan(100);
	});
});

describe("should compact: strictly more than the window less the reserve", () => {
	it("as pi decides", () => {
		fc.assert(
			fc.property(fc.nat(300_000), fc.nat(200_000), fc.nat(50_000), (tokens, window, reserveTokens) => {
				const reference = pi.shouldCompact(tokens, window, { enabled: true, reserveTokens });
				expect(shouldCompact(tokens, window, reserveTokens)).toBe(reference);
			}),
		);
		expect(shouldCompact(111_616, 128_000, 16_384)).toBe(false);
		expect(shouldCompact(111_617, 128_000, 16_384)).toBe(true);
	});
});

function message(id: string, parentId: string | null, role: string, content: unknown): Entry {
	return {
		type: "message",
		id,
		parentId,
		timestamp: "2025-01-01T00:00:00.000Z",
		message: { role, content, ...(role === "toolResult" ? { toolCallId: "c" } : {}), timestamp: 1 },
	};
}

describe("repeated compactions: lose nothing", () => {
	it("what a compaction kept is summarized or kept by the next", () => {
		const keep = fc.constantFrom(10, 60, 400);
		fc.assert(
			fc.property(randomSession(40), fc.array(keep, { minLength: 2, maxLength: 5 }), ({ entries }, keeps) => {
				const log = [...entries];
				let head = log.at(-1)?.id ?? null;
				for (const [round, keepRecentTokens] of keeps.entries()) {
					const index = indexOfEntries(log, head);
					const before = planContext(index);
					const plan = planCompaction(index, keepRecentTokens);
					if (plan === undefined || before === undefined || head === null) return;
					const id = `compaction-${round}`;
					const timestamp = "2025-06-02T00:00:00.000Z";
					const { firstKeptEntryId, tokensBefore } = plan;
					const entry = {
						type: "compaction",
						id,
						parentId: head,
						timestamp,
						summary: "s",
						firstKeptEntryId,
						tokensBefore,
					};
					log.push(entry);
					const after = planContext(indexOfEntries(log, id));
					const shown = new Set(after?.entries.map((one) => one.seq));
					for (const one of [...plan.toSummarize, ...plan.turnPrefix]) shown.add(one.seq);
					for (const one of before.entries) {
						const kind = index.kind(one.seq);
						if (one.gives === "messages" && kind !== "compaction" && kind !== "m.system")
							expect(shown).toContain(one.seq);
					}
					head = `after-${round}`;
					log.push(message(head, id, "user", "and on"));
				}
			}),
			runs,
		);
	});
	it("an older compaction in the kept range shows nothing, and isn't cut at", () => {
		const entries = [
			message("a", null, "user", "x".repeat(400)),
			message("b", "a", "assistant", [{ type: "text", text: "y".repeat(400) }]),
			{
				type: "compaction",
				id: "c1",
				parentId: "b",
				timestamp: "",
				summary: "old",
				firstKeptEntryId: "a",
				tokensBefore: 1,
			},
			message("d", "c1", "user", "z".repeat(400)),
			{
				type: "compaction",
				id: "c2",
				parentId: "d",
				timestamp: "",
				summary: "new",
				firstKeptEntryId: "b",
				tokensBefore: 1,
			},
			message("e", "c2", "user", "w".repeat(400)),
		];
		const index = indexOfEntries(entries);
		const plan = planContext(index);
		expect(plan?.entries.map((one) => [index.id(one.seq), one.gives])).toEqual([
			["c2", "messages"],
			["b", "messages"],
			["c1", "none"],
			["d", "messages"],
			["e", "messages"],
		]);
		expect(planCompaction(index, 100)).toMatchObject({ firstKeptEntryId: "e", previous: 5 });
		expect(planCompaction(index, 100)?.toSummarize.map((one) => index.id(one.seq))).toEqual(["b", "d"]);
	});
	it("two compactions under one parent: each branch has its own", () => {
		const compaction = (id: string, firstKeptEntryId: string): Entry => ({
			type: "compaction",
			id,
			parentId: "b",
			timestamp: "",
			summary: id,
			firstKeptEntryId,
			tokensBefore: 1,
		});
		const entries = [
			message("a", null, "user", "1"),
			message("b", "a", "user", "2"),
			compaction("c1", "a"),
			compaction("c2", "b"),
		];
		const index = indexOfEntries(entries);
		const shown = (leaf: string) => planContext(index, leaf)?.entries.map((one) => index.id(one.seq));
		expect(shown("c1")).toEqual(["c1", "a", "b"]);
		expect(shown("c2")).toEqual(["c2", "b"]);
		expect(branch(index)).toEqual([1, 2, 4]);
	});
});
