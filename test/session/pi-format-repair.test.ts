import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { fileOf, read, textOf } from "./files.ts";
import { runs } from "./pi.ts";
import { at, custom, header, piReads, problemsOf, sessionOf } from "./read-files.ts";

describe("repair: keeps what can be kept, and tells what was done", () => {
	function repaired(...lines: unknown[]) {
		const { entries, repairs, head, header } = sessionOf(fileOf(...lines), { repair: true });
		return {
			entries: entries.map(({ id, parentId }) => [id, parentId]),
			repairs: repairs.map(({ line, action }) => [line, action]),
			head,
			header,
		};
	}
	it("an unreadable line is dropped", () => {
		expect(repaired(header, custom("a", null), "{oops", custom("b", "a"))).toMatchObject({
			entries: [
				["a", null],
				["b", "a"],
			],
			repairs: [[3, "dropped"]],
			head: "b",
		});
	});
	it("fused lines are separated where all can be read, else dropped", () => {
		const [a, b, c] = [custom("a", null), custom("b", "a"), custom("c", "b")].map((entry) =>
			JSON.stringify(entry),
		);
		expect(repaired(header, `${a}${b} ${c}`)).toMatchObject({
			entries: [
				["a", null],
				["b", "a"],
				["c", "b"],
			],
			repairs: [[2, "separated"]],
		});
		expect(repaired(header, `${a}${b}{`, c).repairs).toEqual([
			[2, "dropped"],
			[3, "made a root"],
		]);
		expect(repaired(`${JSON.stringify(header)}${a}`)).toMatchObject({
			entries: [["a", null]],
			repairs: [[1, "separated"]],
		});
	});
	it("a duplicate: the same once, another with a new id", () => {
		const lines = [
			header,
			custom("a", null, { n: 1, m: 2 }),
			custom("a", null, { m: 2, n: 1 }),
			custom("a", null, { n: 3 }),
		];
		expect(repaired(...lines)).toMatchObject({
			entries: [
				["a", null],
				["00000001", null],
			],
			repairs: [
				[3, "dropped, since it is the same"],
				[4, "given the id 00000001"],
			],
			head: "00000001",
		});
	});
	it("a circle is cut at its latest link", () => {
		expect(
			repaired(
				header,
				custom("a", "c"),
				custom("b", "a"),
				custom("c", "b"),
				custom("d", "c"),
				custom("e", "e"),
			),
		).toMatchObject({
			entries: [
				["a", "c"],
				["b", "a"],
				["c", null],
				["d", "c"],
				["e", null],
			],
			repairs: [
				[4, "made a root"],
				[6, "made a root"],
			],
		});
	});
	it("an entry whose parent is missing, or no id, becomes a root", () => {
		expect(repaired(header, custom("a", "gone"), custom("b", 7), custom("c", undefined)).entries).toEqual([
			["a", null],
			["b", null],
			["c", null],
		]);
	});
	it("an entry without id is given one that is free; one that isn't allowed is replaced wherever it is named", () => {
		const label = { type: "label", id: "l", parentId: "x/y", timestamp: at, targetId: "x/y", label: "L" };
		const compaction = {
			type: "compaction",
			id: "k",
			parentId: "l",
			timestamp: at,
			summary: "",
			firstKeptEntryId: "x/y",
		};
		const { entries } = sessionOf(
			fileOf(
				header,
				custom(undefined, null),
				custom("x/y", null),
				label,
				compaction,
				custom("00000001", null),
			),
			{
				repair: true,
			},
		);
		expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
			["00000002", null],
			["00000003", null],
			["l", "00000003"],
			["k", "l"],
			["00000001", null],
		]);
		expect(entries[2]?.targetId).toBe("00000003");
		expect(entries[3]?.firstKeptEntryId).toBe("00000003");
	});
	it("a second header is dropped, a missing one made, an entry in front of it kept", () => {
		expect(repaired(header, header, custom("a", null)).repairs).toEqual([[2, "dropped"]]);
		const made = repaired("{torn", custom("a", null));
		expect(made.header).toEqual({ type: "session", version: 3, timestamp: at, cwd: "/" });
		expect(made.repairs).toEqual([
			[1, "one was made"],
			[1, "dropped"],
		]);
		expect(repaired(custom("a", null), header)).toMatchObject({
			entries: [["a", null]],
			repairs: [[1, "kept"]],
		});
	});
	it("what isn't a session at all is refused all the same", () => {
		expect(read(fileOf("# README", '{"name":"package"}'), { repair: true }).kind).toBe("invalid");
		expect(read(new Uint8Array(), { repair: true }).kind).toBe("invalid");
	});
	it("a file of version 1 with a fused line before a compaction keeps from the same entry as in pi", () => {
		const lines = [
			{ type: "session", id: "s", timestamp: at, cwd: "/" },
			{ type: "custom", timestamp: at, n: 1 },
			`${JSON.stringify({ type: "custom", timestamp: at, n: 2 })}${JSON.stringify({ type: "custom", timestamp: at, n: 3 })}`,
			{ type: "custom", timestamp: at, n: 4 },
			{ type: "custom", timestamp: at, n: 5 },
			{ type: "compaction", timestamp: at, summary: "s", tokensBefore: 1, firstKeptEntryIndex: 2 },
		];
		const { entries, repairs } = sessionOf(fileOf(...lines), { repair: true });
		const kept = (all: readonly Entry[]) => {
			const id = all.find((entry) => entry.type === "compaction")?.firstKeptEntryId;
			return all.find((entry) => entry.id === id)?.n;
		};
		expect(kept(entries)).toBe(4);
		expect(kept(piReads(fileOf(...lines)))).toBe(4);
		expect(entries.map((entry) => entry.n)).toEqual([1, 2, 3, 4, 5, undefined]);
		expect(repairs).toEqual([{ line: 3, problem: "more than one record on a line", action: "separated" }]);
		expect(problemsOf(fileOf(...lines)).map(({ line }) => line)).toEqual([3]);
	});
	it("a repaired file has nothing left to repair", () => {
		const lineOf = fc.oneof(
			fc
				.record({
					id: fc.constantFrom("a", "b", "c", "", undefined),
					parentId: fc.constantFrom("a", "b", "c", null, 5),
				})
				.map((ids) => custom(ids.id, ids.parentId)),
			fc.constantFrom<unknown>(
				"{",
				"1",
				"",
				header,
				`${JSON.stringify(custom("a", "b"))}${JSON.stringify(custom("c", null))}`,
			),
			fc
				.record({ targetId: fc.constantFrom("a", "b", null, "zzz", undefined) })
				.map((leaf) => ({ type: "leaf", timestamp: at, ...leaf })),
		);
		fc.assert(
			fc.property(fc.array(lineOf, { maxLength: 12 }), (lines) => {
				const result = read(fileOf(header, ...lines), { repair: true });
				if (result.kind !== "session") throw new Error("not kept");
				const again = read(fileOf(header, ...result.records.map((record) => textOf(record.bytes))));
				expect(again).toMatchObject({ kind: "session", head: result.head, records: result.records });
			}),
			{ ...runs, numRuns: 400 },
		);
	});
});

describe("leaf after an import", () => {
	const leaf = (targetId: unknown, more: object = {}) => ({
		type: "leaf",
		id: "l",
		parentId: "b",
		timestamp: at,
		targetId,
		...more,
	});
	it("is the last entry, or where a leaf entry puts it", () => {
		const entries = [header, custom("a", null), custom("b", "a")];
		expect(sessionOf(fileOf(...entries)).head).toBe("b");
		expect(sessionOf(fileOf(...entries, leaf("a"))).head).toBe("a");
		expect(sessionOf(fileOf(...entries, leaf(null))).head).toBeNull();
		expect(sessionOf(fileOf(...entries, leaf("a"), custom("c", "a"))).head).toBe("c");
		expect(sessionOf(fileOf(header)).head).toBeNull();
	});
	it("leaf entries without id or parent get them, all others stay as they are", () => {
		const { entries, records, head } = sessionOf(
			fileOf(header, custom("a", null), custom("b", "a"), { type: "leaf", timestamp: at, targetId: "a" }),
		);
		expect(entries[2]).toEqual({ type: "leaf", id: "00000001", parentId: "b", timestamp: at, targetId: "a" });
		expect(records[2]?.head).toBe("a");
		expect(head).toBe("a");
	});
	it("a leaf entry that puts it at a leaf entry puts it where that one hangs", () => {
		const { head } = sessionOf(
			fileOf(header, custom("a", null), custom("b", "a"), leaf("a"), leaf("l", { id: "l2", parentId: "a" })),
		);
		expect(head).toBe("b");
	});
	it("our mark at the end of an export becomes the leaf entry it stands for; before the end it stays", () => {
		const mark = custom("m", "a", { customType: "leaflog.leaf" });
		const { entries, head } = sessionOf(fileOf(header, custom("a", null), custom("b", "a"), mark));
		expect(entries[2]).toEqual({ type: "leaf", id: "m", parentId: "b", timestamp: at, targetId: "a" });
		expect(head).toBe("a");
		const later = sessionOf(fileOf(header, custom("a", null), mark, custom("b", "m")));
		expect(later.entries[1]).toEqual(mark);
		expect(later.head).toBe("b");
		expect(sessionOf(fileOf(header, custom("a", null), { ...mark, parentId: null })).head).toBeNull();
	});
});
