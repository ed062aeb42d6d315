import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitLines } from "../../src/session/lines.ts";
import { fileOf, textOf } from "./files.ts";
import { expectSame, fixture, fixtureNames, runs } from "./pi.ts";
import { randomSession } from "./random-session.ts";
import { asVersion1, at, custom, header, piReads, problemsOf, sessionOf, withPlaces } from "./read-files.ts";

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
