import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { splitLines } from "../../src/session/lines.ts";
import { entryOf } from "../../src/session/record.ts";
import { fileOf, read, textOf } from "./files.ts";
import { expectSame, fixture, fixtureNames, pi, runs } from "./pi.ts";
import { type RandomSession, randomSession } from "./random-session.ts";

const folder = mkdtempSync(join(tmpdir(), "leaflog-read-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What pi makes of a file: its records, migrated. */
function piReads(file: Uint8Array): Entry[] {
	const path = join(folder, "session.jsonl");
	writeFileSync(path, file);
	const entries = pi.loadEntriesFromFile(path);
	pi.migrateSessionEntries(entries);
	return entries;
}

/** Records with ids by their place, where a migration made them up. */
function withPlaces(entries: readonly Entry[]): unknown[] {
	const places = new Map(entries.map((entry, place) => [entry.id, `#${place}`]));
	const placed = (id: unknown) => (typeof id === "string" ? (places.get(id) ?? id) : id);
	return entries.map((entry) => ({
		...entry,
		id: placed(entry.id),
		parentId: placed(entry.parentId),
		...("firstKeptEntryId" in entry ? { firstKeptEntryId: placed(entry.firstKeptEntryId) } : {}),
	}));
}

function sessionOf(file: Uint8Array, options: object = {}) {
	const result = read(file, options);
	if (result.kind !== "session") throw new Error(JSON.stringify(result.problems));
	return { ...result, entries: result.records.map((record) => entryOf(record.bytes)) };
}

function problemsOf(file: Uint8Array) {
	const result = read(file);
	if (result.kind !== "invalid") throw new Error("nothing wrong");
	return result.problems;
}

const header = { type: "session", version: 3, id: "s", timestamp: "2025-01-01T00:00:00.000Z", cwd: "/" };
const at = "2025-01-01T00:00:00.000Z";
const custom = (id: unknown, parentId: unknown, more: object = {}) => ({
	type: "custom",
	id,
	parentId,
	timestamp: at,
	customType: "x",
	...more,
});

/** The same session as version 1 had it: no ids, and compactions that count. */
function asVersion1({ entries }: RandomSession, places: readonly number[]): object[] {
	return entries.map((entry, at) => {
		const { id: _id, parentId: _parentId, firstKeptEntryId: _kept, ...rest } = entry;
		if (rest.type !== "compaction") return rest;
		return { ...rest, firstKeptEntryIndex: (places[at % places.length] ?? 0) % (entries.length + 3) };
	});
}

describe("reading: what pi reads and migrates", () => {
	for (const name of fixtureNames) {
		it(`of ${name}`, () => {
			const [head, ...reference] = piReads(fixture(name));
			const { header, entries } = sessionOf(fixture(name));
			expectSame(header, head);
			expectSame(withPlaces(entries), withPlaces(reference));
		});
	}
	it("of random sessions of version 1", () => {
		fc.assert(
			fc.property(randomSession(30), fc.array(fc.nat(40), { minLength: 1 }), (session, places) => {
				const file = fileOf(
					{ type: "session", id: "s", timestamp: at, cwd: "/" },
					...asVersion1(session, places),
				);
				const [head, ...reference] = piReads(file);
				const { header, entries } = sessionOf(file);
				expectSame(header, head);
				expectSame(withPlaces(entries), withPlaces(reference));
			}),
			runs,
		);
	});
	it("of version 2: hookMessage becomes custom, all other lines stay byte for byte", () => {
		const hook = { ...custom("b", "a"), type: "message", message: { role: "hookMessage", content: "x" } };
		const plain = `{"id":"a","type":"custom", "parentId":null,"timestamp":"","n":1.50}`;
		const file = fileOf({ ...header, version: 2 }, plain, hook);
		const { entries, records, header: read, headerLine } = sessionOf(file);
		expectSame(entries, piReads(file).slice(1));
		expect(textOf(records[0]?.bytes as Uint8Array)).toBe(plain);
		expect(entries[1]?.message).toEqual({ role: "custom", content: "x" });
		expect(read.version).toBe(3);
		expect(headerLine).toBeUndefined();
	});
	it("of version 3: every line stays byte for byte, the header's too", () => {
		const name = "07-v3-branches-branch-summary-unicode.jsonl";
		const { records, headerLine } = sessionOf(fixture(name));
		const lines = splitLines(fixture(name)).map(textOf);
		expect([headerLine as Uint8Array, ...records.map((record) => record.bytes)].map(textOf)).toEqual(lines);
	});
	it("a compaction of version 1 that keeps from a later record, or the header, keeps nothing", () => {
		const file = fileOf(
			{ type: "session", id: "s", timestamp: at, cwd: "/" },
			{ type: "custom", timestamp: at },
			{ type: "compaction", timestamp: at, summary: "s", tokensBefore: 1, firstKeptEntryIndex: 3 },
			{ type: "compaction", timestamp: at, summary: "s", tokensBefore: 1, firstKeptEntryIndex: 0 },
			{ type: "compaction", timestamp: at, summary: "s", tokensBefore: 1, firstKeptEntryIndex: 1 },
		);
		const { entries } = sessionOf(file);
		expect(entries.map((entry) => entry.firstKeptEntryId)).toEqual([
			undefined,
			undefined,
			undefined,
			entries[0]?.id,
		]);
		expect(entries.every((entry) => !("firstKeptEntryIndex" in entry))).toBe(true);
	});
});

describe("lines: split at line feeds only", () => {
	const lines = (text: string) => splitLines(new TextEncoder().encode(text)).map(textOf);
	it("CRLF, a byte order mark, no line feed at the end", () => {
		expect(lines("\ufeff{}\r\n[]\n1")).toEqual(["{}", "[]", "1"]);
		expect(lines("")).toEqual([]);
		expect(lines("\n\n")).toEqual(["", ""]);
		expect(lines("\r")).toEqual([""]);
	});
	it("U+2028, U+2029, U+0085 and a form feed are text", () => {
		const text = "a\u2028b\u2029c\u0085d\fe";
		expect(lines(text)).toEqual([text]);
		const { entries } = sessionOf(fixture("12-v3-raw-u2028-u2029.jsonl"));
		expect(JSON.stringify(entries)).toMatch(/\u2028.*\u2029/);
	});
	it("a file with CRLF and a byte order mark reads as one without", () => {
		const text = textOf(fixture("09-v3-tools-bashExecution.jsonl"));
		const other = new TextEncoder().encode(`\ufeff${text.replaceAll("\n", "\r\n").trimEnd()}`);
		expect(sessionOf(other)).toEqual(sessionOf(fixture("09-v3-tools-bashExecution.jsonl")));
	});
});

describe("strict reading: tells all that is wrong, by line", () => {
	it("bad lines, ids, parents and circles", () => {
		const file = fileOf(
			header,
			custom("a", null),
			'{"type":"custom"',
			"",
			"[1]",
			custom("a", null, { other: 1 }),
			custom("b", "gone"),
			custom("c", "d"),
			custom("d", "c"),
			custom("self", "self"),
			header,
			custom(undefined, "a"),
			custom("e/f", "a"),
			{ id: "g", parentId: "a", timestamp: at },
			{ note: "nothing" },
			`${JSON.stringify(custom("h", "a"))}${JSON.stringify(custom("i", "h"))}`,
			custom("j", undefined),
			custom("k", 5),
			{ type: "leaf", id: "l", parentId: "a", timestamp: at, targetId: "gone" },
			`${"[".repeat(300)}${"]".repeat(300)}`,
			"null",
		);
		expect(problemsOf(file).map(({ line }) => line)).toEqual([
			3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
		]);
		expect(problemsOf(file)[2]).toEqual({ line: 6, problem: "entry a is already on line 2" });
	});
	it("a README, an empty file, an entry in front, another version", () => {
		expect(problemsOf(fileOf("# Title", "", "text")).map(({ line }) => line)).toEqual([1, 1, 3]);
		expect(problemsOf(new Uint8Array())).toEqual([{ line: 1, problem: "the file is empty" }]);
		expect(problemsOf(fileOf("", " "))).toEqual([{ line: 1, problem: "the file is empty" }]);
		expect(problemsOf(fileOf(custom("a", null), header))).toEqual([
			{ line: 1, problem: "there is no session header" },
		]);
		expect(problemsOf(fileOf({ ...header, version: 4 }))).toEqual([
			{ line: 1, problem: "unknown session version 4" },
		]);
		expect(problemsOf(fileOf({ ...header, id: "../x" }))).toHaveLength(1);
		expect(sessionOf(fileOf({ ...header, id: "../x" }), { id: "mine" }).header.id).toBe("mine");
	});
	it("roots, forward parents, odd timestamps, unknown types and missing fields are none of it", () => {
		const file = fileOf(
			header,
			custom("a", ""),
			custom("b", "c"),
			custom("c", null, { timestamp: 5 }),
			{ type: "future", id: "d", parentId: "a" },
			{ type: "message", id: "e", parentId: "d", timestamp: "soon", message: null },
		);
		const { records, head } = sessionOf(file);
		expect(records.map(({ kind, time }) => [kind, time])).toEqual([
			["custom", at],
			["custom", at],
			["custom", "1970-01-01T00:00:00.005Z"],
			["future", ""],
			["m", "soon"],
		]);
		expect(head).toBe("e");
	});
	it("__proto__, constructor and toString are ids like any other", () => {
		const file = fileOf(
			header,
			custom("constructor", null),
			custom("__proto__", "constructor"),
			custom("toString", "__proto__"),
		);
		expect(sessionOf(file).records.map(({ id, parent }) => [id, parent])).toEqual([
			["constructor", null],
			["__proto__", "constructor"],
			["toString", "__proto__"],
		]);
		expect(problemsOf(fileOf(header, custom("a", "__proto__"))).length).toBe(1);
	});
});

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
