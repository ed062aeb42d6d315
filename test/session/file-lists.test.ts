import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branchSummaryMessages, planBranchSummary } from "../../src/session/branch-summary.ts";
import { planCompaction } from "../../src/session/compaction.ts";
import { plannedMessages } from "../../src/session/context.ts";
import type { Entry } from "../../src/session/entry.ts";
import { FileGatherer, fileListsText, withoutFileLists } from "../../src/session/file-lists.ts";
import { indexOfEntries } from "../../src/session/session-index.ts";
import { countable, expectSame, pi, piSession, runs } from "./pi.ts";
import { randomSession } from "./random-session.ts";

const paths = ["a.ts", "b.ts", "src/c.ts", "é.md", "", "z z"];
const path = fc.oneof(
	{ weight: 9, arbitrary: fc.constantFrom(...paths) },
	{ weight: 1, arbitrary: fc.constant(7) },
);
const call = fc.record({
	name: fc.constantFrom("read", "write", "edit", "read", "bash"),
	arguments: fc.oneof(
		{ weight: 9, arbitrary: fc.record({ path }) },
		{ weight: 1, arbitrary: fc.constantFrom(null, { path: null }) },
	),
});

/** Random sessions whose assistants call tools on files, some of them from scripts, and whose summaries know files. */
const filing = fc
	.tuple(
		randomSession(50),
		fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 20 }),
	)
	.map(([{ header, entries }, calls]) => {
		let turn = 0;
		const next = () => calls[turn++ % calls.length] ?? [];
		const filed = countable(entries).map((entry): Entry => {
			const message = entry.message as { role?: string; content?: unknown } | undefined;
			if (message?.role === "assistant" && Array.isArray(message.content)) {
				const added = next().map((one) => ({
					type: "toolCall",
					id: "c",
					...one,
					arguments: one.arguments ?? {},
				}));
				return { ...entry, message: { ...message, content: [...message.content, ...added] } };
			}
			if (message?.role === "toolResult") {
				return { ...entry, message: { ...message, nestedCalls: { calls: next(), complete: true } } };
			}
			if (entry.type !== "compaction" && entry.type !== "branch_summary") return entry;
			const files = next().map(({ arguments: given }) => given?.path);
			const details = turn % 5 === 0 ? "odd" : { readFiles: files, modifiedFiles: files.slice(1) };
			return { ...entry, details, ...(turn % 3 === 0 && { fromHook: true }) };
		});
		return { header, entries: filed };
	});

/** pi's lists, without what is no file name. */
function listsOf(operations: { read: Set<unknown>; written: Set<unknown>; edited: Set<unknown> }) {
	const names = (files: Iterable<unknown>) => [...files].filter((file) => typeof file === "string").sort();
	const modified = new Set([...operations.edited, ...operations.written]);
	return {
		readFiles: names(operations.read).filter((file) => !modified.has(file)),
		modifiedFiles: names(modified),
	};
}

describe("file lists: as pi gathers them", () => {
	it("for compactions of random sessions", () => {
		let compared = 0;
		fc.assert(
			fc.property(filing, fc.constantFrom(1, 40, 400), ({ header, entries }, keepRecentTokens) => {
				for (const { id } of entries.filter((_, place) => place % 4 === 3)) {
					const path = piSession(header, entries, id).getBranch();
					const reference = pi.prepareCompaction(path, { enabled: true, reserveTokens: 1, keepRecentTokens });
					const plan = planCompaction(indexOfEntries(entries, id), keepRecentTokens);
					if (reference === undefined || plan === undefined) continue;
					const files = new FileGatherer();
					const bodies = new Map(entries.map((entry, at) => [at + 1, entry]));
					const previous = plan.previous === undefined ? undefined : bodies.get(plan.previous);
					if (previous) files.summary(previous);
					for (const planned of [...plan.toSummarize, ...plan.turnPrefix]) {
						for (const message of plannedMessages(planned, bodies)) files.message(message);
					}
					expectSame(files.lists(), listsOf(reference.fileOps));
					compared += files.lists().readFiles.length;
				}
			}),
			runs,
		);
		expect(compared).toBeGreaterThan(100);
	});

	it("for summaries of branches of random sessions", () => {
		let compared = 0;
		fc.assert(
			fc.property(filing, fc.constantFrom(0, 50, 1000), fc.nat(60), ({ header, entries }, budget, place) => {
				const leaf = entries.at(-1)?.id;
				const target = entries[place % Math.max(1, entries.length)]?.id;
				if (leaf === undefined || target === undefined) return;
				const left = pi.collectEntriesForBranchSummary(
					piSession(header, entries, leaf),
					leaf,
					target,
				).entries;
				let reference: { fileOps: Parameters<typeof listsOf>[0] };
				try {
					reference = pi.prepareBranchEntries(left, budget);
				} catch {
					return; // A content of null, which pi cannot count.
				}
				const seqs = left.map(({ id }: Entry) => entries.findIndex((entry) => entry.id === id) + 1);
				const plan = planBranchSummary(indexOfEntries(entries, leaf), seqs, budget);
				const bodies = new Map(entries.map((entry, at) => [at + 1, entry]));
				const files = new FileGatherer();
				for (const item of plan.files) {
					const entry = bodies.get(item.seq) as Entry;
					if (entry.type === "branch_summary") files.summary(entry);
					else for (const message of branchSummaryMessages([item], bodies)) files.message(message);
				}
				expectSame(files.lists(), listsOf(reference.fileOps));
				compared += files.lists().modifiedFiles.length;
			}),
			{ ...runs, numRuns: 400 },
		);
		expect(compared).toBeGreaterThan(100);
	});
});

describe("file lists: as the end of a summary", () => {
	const lists = { readFiles: ["a.ts"], modifiedFiles: ["b.ts", "c.ts"] };

	it("are put there, nothing where there are none, and are taken away again", () => {
		const text = `## Goal\nTea${fileListsText(lists)}`;
		expect(text).toBe("## Goal\nTea\n\n## Files Read\n- a.ts\n\n## Files Modified\n- b.ts\n- c.ts");
		expect(withoutFileLists(text, lists)).toBe("## Goal\nTea");
		expect(fileListsText({ readFiles: [], modifiedFiles: [] })).toBe("");
	});

	it("stay where the text ends in other words, or nobody knows what they were", () => {
		expect(withoutFileLists("## Goal\nTea", lists)).toBe("## Goal\nTea");
		for (const details of [undefined, null, "x", {}, { readFiles: "a.ts" }]) {
			expect(withoutFileLists("Tea", details)).toBe("Tea");
		}
	});
});
