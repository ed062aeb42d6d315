import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import {
	branchedRecords,
	forkPoints,
	planBranchedSession,
	planFork,
	selectedText,
} from "../../src/session/fork.ts";
import { entryOf, recordOf, type SessionRecord } from "../../src/session/record.ts";
import { indexOfEntries } from "../../src/session/session-index.ts";
import { countedIds, entriesOfFile } from "./files.ts";
import { expectSame, fixture, fixtureNames, pi, piSession, runs } from "./pi.ts";
import { randomSession } from "./random-session.ts";

function branched(entries: readonly Entry[], leafId: string | null): SessionRecord[] {
	const index = indexOfEntries(entries);
	const plan = planBranchedSession(index, leafId);
	if (plan.kind !== "branched") throw new Error(plan.problem.detail);
	const lines = new Map(plan.kept.map(({ seq }) => [seq, recordOf(entries[seq - 1] as Entry).bytes]));
	return branchedRecords(index, plan, lines, countedIds());
}

/** Entries whose labels have numbers instead of ids, since those are new each time. */
function withoutLabelIds(entries: readonly Entry[], kept: number): unknown[] {
	const numbers = new Map(entries.slice(kept).map((entry, place) => [entry.id, `label ${place}`]));
	const name = (id: string | null) => (id === null ? null : (numbers.get(id) ?? id));
	return entries.map((entry) => ({ ...entry, id: name(entry.id), parentId: name(entry.parentId) }));
}

function compare(header: object, entries: readonly Entry[], leafId: string): void {
	const session = piSession(header, entries);
	session.createBranchedSession(leafId);
	const reference: Entry[] = session.getEntries();
	const records = branched(entries, leafId);
	const kept = planBranchedSession(indexOfEntries(entries), leafId);
	const count = kept.kind === "branched" ? kept.kept.length : 0;
	expectSame(
		withoutLabelIds(
			records.map((record) => entryOf(record.bytes)),
			count,
		),
		withoutLabelIds(reference, count),
	);
	for (const { bytes, ...rest } of records) {
		const { bytes: _bytes, ...expected } = recordOf(entryOf(bytes), bytes);
		expectSame(rest, expected);
	}
}

describe("branched session: as pi makes it", () => {
	it("of random sessions, from every leaf", () => {
		fc.assert(
			fc.property(randomSession(40), ({ header, entries }) => {
				for (const { id } of entries.filter((_, place) => place % 3 === 2)) compare(header, entries, id);
			}),
			{ ...runs, numRuns: 80 },
		);
	});
	for (const name of fixtureNames) {
		it(`of ${name}`, () => {
			const { header, entries } = entriesOfFile(fixture(name));
			for (const entry of [entries.at(-1), entries[entries.length >> 1]])
				compare(header, entries, entry?.id as string);
		});
	}
	it("with pi's own fork of a whole file, entry for entry", () => {
		const { header, entries } = entriesOfFile(fixture("07-v3-branches-branch-summary-unicode.jsonl"));
		expectSame(piSession(header, entries).getEntries(), entries);
	});
});

describe("branched session: labels and lines", () => {
	const at = "2025-01-01T00:00:00.000Z";
	const user = (id: string, parentId: string | null): Entry => ({
		type: "message",
		id,
		parentId,
		timestamp: at,
		message: { role: "user", content: id, timestamp: 1 },
	});
	const label = (id: string, parentId: string | null, targetId: string, text?: string): Entry => ({
		type: "label",
		id,
		parentId,
		timestamp: `2025-01-02T00:00:0${id.length}.000Z`,
		targetId,
		...(text === undefined ? {} : { label: text }),
	});
	const compaction = (id: string, parentId: string, firstKeptEntryId: string): Entry => ({
		type: "compaction",
		id,
		parentId,
		timestamp: at,
		summary: "s",
		firstKeptEntryId,
		tokensBefore: 1,
	});
	const shape = (records: readonly SessionRecord[]) => records.map(({ id, parent }) => [id, parent]);

	it("a path with labels in its middle is chained again, and they follow at the end", () => {
		const entries = [
			user("a", null),
			label("l1", "a", "a", "A"),
			label("l2", "l1", "b"),
			user("b", "l2"),
			label("l3", "b", "b", "B"),
		];
		const records = branched(entries, "l3");
		expect(shape(records)).toEqual([
			["a", null],
			["b", "a"],
			["00000001", "b"],
			["00000002", "00000001"],
		]);
		expect(records.slice(2).map((record) => entryOf(record.bytes))).toMatchObject([
			{ targetId: "a", label: "A", timestamp: "2025-01-02T00:00:02.000Z" },
			{ targetId: "b", label: "B" },
		]);
	});
	it("a label of another branch travels with its target, the latest one", () => {
		const entries = [
			user("a", null),
			user("side", "a"),
			label("l1", "side", "a", "old"),
			label("l2", "side", "a", "new"),
			user("b", "a"),
		];
		const [, , mark] = branched(entries, "b");
		expect(entryOf(mark?.bytes as Uint8Array)).toMatchObject({ type: "label", targetId: "a", label: "new" });
	});
	it("firstKeptEntryId naming a label becomes the next kept entry", () => {
		const entries = [
			user("a", null),
			label("l", "a", "a", "A"),
			user("b", "l"),
			compaction("c", "b", "l"),
			user("d", "c"),
		];
		const records = branched(entries, "d");
		expect(records.map((record) => entryOf(record.bytes).firstKeptEntryId)).toEqual([
			undefined,
			undefined,
			"b",
			undefined,
			undefined,
		]);
		expect(records[2]?.meta.f).toBe("b");
	});
	it("firstKeptEntryId naming the label right before the compaction keeps nothing", () => {
		const entries = [user("a", null), label("l", "a", "a", "A"), compaction("c", "l", "l")];
		expect(entryOf(branched(entries, "c")[1]?.bytes as Uint8Array).firstKeptEntryId).toBe("c");
	});
	it("a path of nothing but labels gives an empty session", () => {
		expect(branched([label("l", null, "gone", "x")], "l")).toEqual([]);
		expect(branched([user("a", null)], null)).toEqual([]);
	});
	it("leaf entries stay behind, and lines that need no change stay byte for byte", () => {
		const line = new TextEncoder().encode(
			`{"id":"a", "type" : "custom","parentId":null,"timestamp":"","n":1.0}`,
		);
		const entries = [
			entryOf(line),
			{ type: "leaf", id: "l", parentId: "a", timestamp: at, targetId: "a" },
			user("b", "l"),
		];
		const index = indexOfEntries(entries);
		const plan = planBranchedSession(index, "b");
		if (plan.kind !== "branched") throw new Error("no plan");
		const records = branchedRecords(
			index,
			plan,
			new Map([
				[1, line],
				[3, recordOf(entries[2] as Entry).bytes],
			]),
			countedIds(),
		);
		expect(records[0]?.bytes).toBe(line);
		expect(shape(records)).toEqual([
			["a", null],
			["b", "a"],
		]);
	});
	it("a parent that is gone: the path begins at its child", () => {
		expect(shape(branched([user("a", "gone"), user("b", "a")], "b"))).toEqual([
			["a", null],
			["b", "a"],
		]);
	});
	it("an id of a label that is taken is not used", () => {
		const entries = [user("00000001", null), label("l", "00000001", "00000001", "x")];
		expect(shape(branched(entries, "l"))[1]).toEqual(["00000002", "00000001"]);
	});
	it("an unknown leaf, or a leaf entry: a problem", () => {
		const index = indexOfEntries([
			user("a", null),
			{ type: "leaf", id: "l", parentId: "a", timestamp: at, targetId: null },
		]);
		expect(planBranchedSession(index, "no")).toMatchObject({ problem: { kind: "not_found" } });
		expect(planBranchedSession(index, "l")).toMatchObject({ problem: { kind: "unprocessable" } });
	});
});

describe("forks: before a user message, or at any entry", () => {
	it("fork points are pi's user messages for forking", () => {
		let points = 0;
		fc.assert(
			fc.property(randomSession(), ({ header, entries }) => {
				let reference: unknown;
				try {
					const sessionManager = piSession(header, entries);
					reference = pi.AgentSession.prototype.getUserMessagesForForking.call({ sessionManager });
				} catch {
					return; // A content of null, which pi cannot read.
				}
				const found = forkPoints(indexOfEntries(entries)).map((seq) => entries[seq - 1] as Entry);
				points += found.length;
				expectSame(
					found.map((entry) => ({ entryId: entry.id, text: selectedText(entry) })),
					reference,
				);
			}),
			runs,
		);
		expect(points).toBeGreaterThan(50);
	});
	it("before: the leaf is the message's parent, null at a root; at: the entry itself", () => {
		const user = (id: string, parentId: string | null, role = "user"): Entry => ({
			type: "message",
			id,
			parentId,
			timestamp: "",
			message: { role, content: id, timestamp: 1 },
		});
		const index = indexOfEntries([
			user("a", null),
			user("b", "a", "assistant"),
			user("c", "b"),
			user("d", "gone"),
		]);
		expect(planFork(index, "c", "before")).toEqual({ kind: "fork", leafId: "b", textSeq: 3 });
		expect(planFork(index, "a", "before")).toEqual({ kind: "fork", leafId: null, textSeq: 1 });
		expect(planFork(index, "d", "before")).toEqual({ kind: "fork", leafId: null, textSeq: 4 });
		expect(planFork(index, "b", "at")).toEqual({ kind: "fork", leafId: "b" });
		expect(planFork(index, "b", "before")).toMatchObject({ problem: { kind: "unprocessable" } });
		expect(planFork(index, "no", "at")).toMatchObject({ problem: { kind: "not_found" } });
	});
});
