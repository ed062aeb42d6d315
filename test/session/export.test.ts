import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildContext } from "../../src/session/context.ts";
import { planContext } from "../../src/session/context-plan.ts";
import type { Entry } from "../../src/session/entry.ts";
import { exportedLine, planExport } from "../../src/session/export.ts";
import { labels } from "../../src/session/labels.ts";
import { entryOf, recordOf } from "../../src/session/record.ts";
import { headAfter, indexOfEntries } from "../../src/session/session-index.ts";
import { sessionTree } from "../../src/session/tree.ts";
import { fileOf, read, textOf } from "./files.ts";
import { expectSame, fixture, fixtureNames, piSession, runs } from "./pi.ts";
import { randomSession } from "./random-session.ts";

/** The file of a session, as an export writes it. */
function exported(header: object, entries: readonly Entry[], head: string | null): Uint8Array {
	const index = indexOfEntries(entries, head);
	const { seqs, marker } = planExport(index);
	const lines = seqs.map((seq) =>
		textOf(exportedLine(index, seq, recordOf(entries[seq - 1] as Entry).bytes)),
	);
	return fileOf(header, ...lines, ...(marker === undefined ? [] : [marker]));
}

function contextAt(entries: readonly Entry[], head: string | null) {
	const plan = planContext(indexOfEntries(entries, head));
	if (plan === undefined) throw new Error("no such leaf");
	return buildContext(plan, new Map(entries.map((entry, place) => [place + 1, entry])));
}

const at = "2025-01-01T00:00:00.000Z";

/** A session with moves of the leaf among its entries; entries hang where its file says, or below the leaf then. */
const moved = fc
	.tuple(randomSession(30), fc.array(fc.tuple(fc.nat(30), fc.nat(60)), { maxLength: 6 }), fc.boolean())
	.map(([{ header, entries }, moves, atEnd]) => {
		const log: Entry[] = [];
		let head: string | null = null;
		for (const [place, entry] of entries.entries()) {
			// An import would have made a root of what has no parent.
			const known = log.some((other) => other.id === entry.parentId);
			log.push({ ...entry, parentId: known ? entry.parentId : null });
			head = entry.id;
			for (const [when, to] of moves) {
				if (atEnd ? place < entries.length - 1 : when % entries.length !== place) continue;
				const candidates = log.filter((other) => other.type !== "leaf");
				const targetId: string | null =
					to % 7 === 0 ? null : (candidates[to % candidates.length]?.id ?? null);
				log.push({ type: "leaf", id: `leaf-${log.length}`, parentId: head, timestamp: at, targetId });
				head = targetId;
			}
		}
		return { header, log, head };
	});

describe("export: a file that pi opens at the same leaf", () => {
	it("with the same context, over random sessions", () => {
		let marked = 0;
		fc.assert(
			fc.property(moved, ({ header, log, head }) => {
				const [, ...entries] = textOf(exported(header, log, head))
					.trimEnd()
					.split("\n")
					.map((line) => JSON.parse(line) as Entry);
				const session = piSession(header, entries);
				const { messages, thinkingLevel, model } = contextAt(log, head);
				expectSame(session.buildSessionContext(), { messages, thinkingLevel, model });
				if (entries.at(-1)?.customType === "leaflog.leaf") {
					marked++;
					expect(session.getLeafEntry().parentId).toBe(head);
				} else expect(session.getLeafId()).toBe(head);
				expect(entries.some((entry) => entry.type === "leaf")).toBe(false);
			}),
			runs,
		);
		expect(marked).toBeGreaterThan(20);
	});

	it("imported again: the same tree, labels and leaf, and the same lines", () => {
		fc.assert(
			fc.property(moved, ({ header, log, head }) => {
				const result = read(exported(header, log, head));
				if (result.kind !== "session") throw new Error(JSON.stringify(result.problems));
				const entries = result.records.map((record) => entryOf(record.bytes));
				expect(result.head).toBe(head);
				expectSame(
					entries.filter((entry) => entry.type !== "leaf"),
					log.filter((entry) => entry.type !== "leaf"),
				);
				const [before, after] = [indexOfEntries(log, head), indexOfEntries(entries, head)];
				expectSame(sessionTree(after), sessionTree(before));
				expectSame([...labels(after)], [...labels(before)]);
				expect(entries.reduce<string | null>((_, entry) => headAfter(entry), null)).toBe(head);
			}),
			runs,
		);
	});

	for (const name of fixtureNames) {
		it(`${name}, read and written again, reads the same`, () => {
			const first = read(fixture(name));
			if (first.kind !== "session") throw new Error("not a session");
			const lines = first.records.map((record) => textOf(record.bytes));
			const second = read(fileOf(first.header, ...lines));
			if (second.kind !== "session") throw new Error("no session any more");
			expect([second.header, second.head]).toEqual([first.header, first.head]);
			expect(second.records.map((record) => textOf(record.bytes))).toEqual(lines);
		});
	}

	it("the same session gives the same mark, with an id that is free", () => {
		const entries: Entry[] = [
			{ type: "custom", id: "1eaf0002", parentId: null, timestamp: at, customType: "x" },
			{ type: "custom", id: "b", parentId: "1eaf0002", timestamp: at, customType: "x" },
		];
		const index = indexOfEntries(entries, "1eaf0002");
		expect(planExport(index)).toEqual(planExport(index));
		expect(planExport(index).marker).toEqual({
			type: "custom",
			id: "1eaf0003",
			parentId: "1eaf0002",
			timestamp: at,
			customType: "leaflog.leaf",
		});
		expect(planExport(indexOfEntries(entries)).marker).toBeUndefined();
		expect(planExport(indexOfEntries([])).marker).toBeUndefined();
	});

	it("what hung below a leaf entry hangs below its parent in the file; all other lines stay", () => {
		const line = new TextEncoder().encode(`{"type":"custom", "id":"c","parentId":"l","timestamp":""}`);
		const entries: Entry[] = [
			{ type: "custom", id: "a", parentId: null, timestamp: at, customType: "x" },
			{ type: "leaf", id: "l", parentId: "a", timestamp: at, targetId: "a" },
			entryOf(line),
		];
		const index = indexOfEntries(entries);
		expect(JSON.parse(textOf(exportedLine(index, 3, line)))).toMatchObject({ id: "c", parentId: "a" });
		expect(exportedLine(index, 1, line)).toBe(line);
	});
});
