import { describe, expect, it, vi } from "vitest";
import { placeEntries } from "../../src/session/append.ts";
import { branch, branchPage, siblings } from "../../src/session/branch.ts";
import { planBranchSummary } from "../../src/session/branch-summary.ts";
import { planCompaction } from "../../src/session/compaction.ts";
import { buildContext } from "../../src/session/context.ts";
import { neededSeqs, planContext } from "../../src/session/context-plan.ts";
import type { Entry } from "../../src/session/entry.ts";
import { planExport } from "../../src/session/export.ts";
import { forkPoints, planBranchedSession } from "../../src/session/fork.ts";
import { sessionCard } from "../../src/session/listing.ts";
import { planNavigation } from "../../src/session/navigation.ts";
import { indexOfEntries, type SessionIndex } from "../../src/session/session-index.ts";
import { sessionStats } from "../../src/session/stats.ts";
import { sessionTree } from "../../src/session/tree.ts";
import { fileOf, read } from "./files.ts";

/** No time is measured here. What recursed would overflow, what was quadratic would run into the test's time limit. */

vi.setConfig({ testTimeout: 60_000 });

const timestamp = "2025-01-01T00:00:00.000Z";

function message(id: string, parentId: string | null, role = "user"): Entry {
	return {
		type: "message",
		id,
		parentId,
		timestamp,
		message: { role, content: [{ type: "text", text: id }], timestamp: 1 },
	};
}

/** A line: user and assistant messages in turn. */
function line(length: number): Entry[] {
	return Array.from({ length }, (_, place) =>
		message(`e${place}`, place === 0 ? null : `e${place - 1}`, place % 2 === 0 ? "user" : "assistant"),
	);
}

/** Every call on a session, at its leaf. */
function everyCall(entries: readonly Entry[], index: SessionIndex, target: string): void {
	const path = branch(index) ?? [];
	expect(path.length).toBeGreaterThan(0);
	expect(branchPage(index, path, { limit: 50 })?.seqs).toHaveLength(Math.min(50, path.length));
	siblings(index, path);
	const plan = planContext(index);
	if (plan === undefined) throw new Error("no leaf");
	const bodies = new Map(neededSeqs(plan, "messages").map((seq) => [seq, entries[seq - 1] as Entry]));
	expect(buildContext(plan, bodies).messages).toHaveLength(bodies.size);
	expect(sessionTree(index).nodes).toHaveLength(entries.filter((entry) => entry.type !== "leaf").length);
	sessionTree(index, { q: target, labeled: false });
	sessionStats(index);
	sessionCard(index, timestamp);
	forkPoints(index);
	planExport(index);
	planCompaction(index);
	expect(planBranchedSession(index, index.head).kind).toBe("branched");
	const move = planNavigation(index, target);
	if (move.kind === "move") planBranchSummary(index, move.toSummarize, 1000);
	const more = Array.from({ length: 1000 }, (_, place) => ({
		type: "custom",
		id: `new${place}`,
		timestamp,
		customType: "x",
	}));
	expect(placeEntries(index, more).kind).toBe("placed");
}

describe("size: deep, bushy and long sessions answer on every call", () => {
	it("20,000 in one line", () => {
		const entries = line(20_000);
		everyCall(entries, indexOfEntries(entries), "e0");
	});
	it("1,362 tips that share a prefix", () => {
		const trunk = line(500);
		const tips = Array.from({ length: 1362 }, (_, place) => message(`tip${place}`, "e499"));
		const entries = [...trunk, ...tips];
		const index = indexOfEntries(entries, "tip700");
		everyCall(entries, index, "tip3");
		expect(branch(index)).toHaveLength(501);
		expect(siblings(index, [1201]).get("tip700")).toHaveLength(1362);
		expect(planNavigation(index, "tip3")).toMatchObject({
			commonAncestorId: "e499",
			newLeafId: "e499",
			toSummarize: [1201],
		});
	});
	it("30,000 leaf entries, one below the other, and as many entries below the last", () => {
		const leafs = Array.from(
			{ length: 30_000 },
			(_, place): Entry => ({
				type: "leaf",
				id: `l${place}`,
				parentId: place === 0 ? "root" : `l${place - 1}`,
				timestamp,
				targetId: "root",
			}),
		);
		const children = Array.from({ length: 30_000 }, (_, place) => message(`c${place}`, "l29999"));
		const entries = [message("root", null), ...leafs, ...children];
		const index = indexOfEntries(entries, "c5");
		expect(sessionTree(index).nodes[0]?.children).toHaveLength(30_000);
		expect(branch(index)).toHaveLength(2);
	});
	it("2,000 custom entries of 50 KB: the context and the card ask for none of them", () => {
		const data = "x".repeat(50_000);
		const entries: Entry[] = [message("m", null)];
		for (let place = 0; place < 2000; place++) {
			entries.push({
				type: "custom",
				id: `c${place}`,
				parentId: entries.at(-1)?.id ?? null,
				timestamp,
				customType: "state",
				data,
			});
		}
		const index = indexOfEntries(entries);
		const plan = planContext(index);
		expect(plan === undefined ? [] : neededSeqs(plan, "messages")).toEqual([1]);
		expect(sessionCard(index, timestamp)).toMatchObject({
			entryCount: 2001,
			messageCount: 1,
			firstMessageSeq: 1,
		});
	});
	it("a file of 100,000 entries, and one with a line of 5 MB", () => {
		const header = { type: "session", version: 3, id: "s", timestamp, cwd: "/" };
		const many = read(fileOf(header, ...line(100_000)));
		expect(many).toMatchObject({ kind: "session", head: "e99999" });
		const long = read(
			fileOf(header, message("a", null), { ...message("b", "a"), blob: "x".repeat(5_000_000) }),
		);
		expect(long).toMatchObject({ kind: "session", head: "b" });
	});
	it("a file of version 1 with 50,000 entries; a circle of 50,000", () => {
		const old = line(50_000).map(({ id: _id, parentId: _parentId, ...rest }) => rest);
		expect(read(fileOf({ type: "session", id: "s" }, ...old))).toMatchObject({ kind: "session" });
		const circle = line(50_000).map((entry, place) =>
			place === 0 ? { ...entry, parentId: "e49999" } : entry,
		);
		const repaired = read(fileOf({ type: "session", version: 3, id: "s" }, ...circle), { repair: true });
		expect(repaired).toMatchObject({ kind: "session", repairs: [{ line: 50_001, action: "made a root" }] });
	});
	it("a line nested 1,000,000 deep is told of, not followed", () => {
		const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
		expect(read(fileOf({ type: "session", version: 3, id: "s" }, deep))).toEqual({
			kind: "invalid",
			problems: [{ line: 2, problem: "more than 200 levels deep" }],
		});
	});
});
