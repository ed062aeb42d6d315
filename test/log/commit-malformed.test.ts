import { describe, expect, it } from "vitest";
import { checksum } from "../../src/log/checksum.ts";
import {
	encodeTombstone,
	formatVersion,
	type Header,
	parseCommitLine,
	parseHeader,
	parseRecordLine,
} from "../../src/log/commit.ts";
import { parseIndexBlock } from "../../src/log/index-block.ts";
import { commitKey } from "../../src/log/keys.ts";
import { corrupt } from "./corrupt.ts";

const encoder = new TextEncoder();
const prefix = "0123456789abcdef0123456789abcdef/s/s/";

/** A header line of these fields with a right checksum. */
function seal(fields: object): Uint8Array {
	const text = JSON.stringify(fields).slice(0, -1);
	return encoder.encode(`${text},"sum":"${checksum(text)}"}\n`);
}

describe("commit: a header that is none", () => {
	const key = commitKey(prefix, 3);
	const sealed = {
		leaflog: formatVersion,
		log: checksum(prefix),
		n: 3,
		id: "abcdefghijkl",
		prev: "lkjihgfedcba",
		seq: 4,
		leaf: "a",
		index: [4, 100, "checksum"],
		bodies: 2,
	};
	const read = (fields: object, n = 3) =>
		parseHeader(commitKey(prefix, n), n, seal(fields))?.header as Header | undefined;

	it("is read where nothing is wrong with it", () => {
		expect(read(sealed)).toMatchObject({
			n: 3,
			length: 4,
			head: "a",
			indexCarried: 4,
			bodyCarried: 2,
			cover: [],
		});
		expect(
			read({
				...sealed,
				cover: [
					[0, 200],
					[2, 1],
				],
			})!.cover,
		).toEqual([
			[0, 200],
			[2, 1],
		]);
		expect(read({ ...sealed, note: "of a later writer" })).toMatchObject({ n: 3 });
	});

	const wrong: Record<string, unknown[]> = {
		leaflog: [0, 2, "1", null, undefined, 1.5],
		log: [checksum("another"), "", 7, undefined],
		n: [2, 4, "3", undefined],
		id: [7, null, undefined],
		prev: [null, 7, undefined],
		seq: [-1, 1.5, "4", 2 ** 53, null, undefined],
		leaf: [7, {}, undefined],
		index: [
			undefined,
			null,
			"4",
			{},
			[],
			[4, 100],
			[0, 100, "checksum"],
			[3, 100, "checksum"],
			[8, 100, "checksum"],
			[-4, 100, "checksum"],
			[0.5, 100, "checksum"],
			[2 ** 40, 100, "checksum"],
			["4", 100, "checksum"],
			[4, -1, "checksum"],
			[4, 1.5, "checksum"],
			[4, 2 ** 60, "checksum"],
			[4, 100, 7],
		],
		bodies: [0, 3, 8, -1, 2 ** 40, "2", null, undefined],
		cover: [
			null,
			{},
			7,
			[7],
			[[0]],
			[[0, 1, 2]],
			[[0, 0]],
			[[0, -1]],
			[[0, 1.5]],
			[[3, 1]],
			[[4, 1]],
			[[-1, 1]],
			[["0", 1]],
			[
				[2, 1],
				[0, 1],
			],
			[
				[1, 1],
				[1, 1],
			],
		],
	};
	for (const [field, values] of Object.entries(wrong)) {
		it(`is refused by what it says of ${field}, though its checksum is right`, () => {
			for (const value of values) {
				const label = `${field}: ${JSON.stringify(value)}`;
				expect(
					corrupt(key, () => read({ ...sealed, [field]: value })),
					label,
				).toContain(key);
			}
		});
	}

	it("is refused where the first commit follows another, or carries others", () => {
		const first = { ...sealed, n: 0, prev: null, index: [1, 100, "checksum"], bodies: 1 };
		expect(read(first, 0)).toMatchObject({ n: 0, previous: null });
		corrupt(commitKey(prefix, 0), () => read({ ...first, prev: "lkjihgfedcba" }, 0));
		corrupt(commitKey(prefix, 0), () => read({ ...first, index: [2, 100, "checksum"] }, 0));
		corrupt(commitKey(prefix, 0), () => read({ ...first, bodies: 2 }, 0));
	});

	it("is refused with its version, however a later version seals it", () => {
		for (const line of ['{"leaflog":2}', '{"leaflog":2,"n":3,"crc":"1234"}', '{"leaflog":10,"n":3}']) {
			const message = corrupt(key, () => parseHeader(key, 3, encoder.encode(`${line}\n`)));
			expect(message).toMatch(/unknown format version (2|10)$/);
		}
	});

	it("is refused in the place of another commit or of another log", () => {
		expect(corrupt(commitKey(prefix, 5), () => parseHeader(commitKey(prefix, 5), 5, seal(sealed)))).toMatch(
			/holds commit 3$/,
		);
		const elsewhere = commitKey(`${prefix.slice(0, -2)}t/`, 3);
		expect(corrupt(elsewhere, () => parseHeader(elsewhere, 3, seal(sealed)))).toMatch(/another log$/);
		const end = commitKey(`${prefix.slice(0, -2)}t/`, 7);
		corrupt(end, () => parseHeader(end, 7, encodeTombstone(prefix, 7, "abcdefghijkl")));
	});

	it("is noticed when any one bit of it is another", () => {
		for (const bytes of [seal(sealed), encodeTombstone(prefix, 3, "abcdefghijkl")]) {
			for (let bit = 0; bit < bytes.length * 8; bit++) {
				const damaged = new Uint8Array(bytes);
				damaged[bit >> 3]! ^= 1 << (bit & 7);
				// Without its line feed, it goes on.
				if (bit >> 3 === bytes.length - 1) expect(parseHeader(key, 3, damaged)).toBeUndefined();
				else corrupt(key, () => parseHeader(key, 3, damaged));
			}
		}
	});

	it("is never read where it is cut short", () => {
		const bytes = seal(sealed);
		for (let length = 0; length < bytes.length; length++)
			expect(parseHeader(key, 3, bytes.subarray(0, length))).toBeUndefined();
	});
});

describe("commit: index lines that are none", () => {
	const key = commitKey(prefix, 0);
	const genesis = ["abcdefghijkl", 0, 200, 1, {}, 10, "checksum", "tag"];
	const commit = ["abcdefghijkl", 2, 200, 1];
	const record = ["id", 1, "kind", 1_750_000_000_000, 10, "checksum", "tag", {}, "head"];
	const line = JSON.stringify;

	/** The fields with another one in one place. */
	const variants = (fields: unknown[], wrong: Record<number, unknown[]>) =>
		Object.entries(wrong).flatMap(([place, values]) =>
			values.map((value) => fields.with(Number(place), value)),
		);
	const noCount = [-1, 1.5, "1", null, 2 ** 53, true, [], {}];
	const noText = [7, null, [], {}, true];

	it("a commit's line", () => {
		expect(parseCommitLine(key, line(commit))).toMatchObject({ count: 2, prefixLength: 200 });
		expect(parseCommitLine(key, line(genesis)).genesis).toMatchObject({ byteLength: 10, tag: "tag" });
		for (const fields of [
			...variants(commit, { 0: noText, 1: noCount, 2: noCount, 3: noCount }),
			...variants(genesis, { 4: [7, "{}", null, []], 5: noCount, 6: noText, 7: noText }),
			[],
			commit.slice(0, 3),
			[...commit, {}],
			[...genesis, 1],
			{ 0: "abcdefghijkl" },
			null,
			7,
			"abc",
		]) {
			corrupt(key, () => parseCommitLine(key, line(fields)));
		}
		for (const text of ["", "[", "[1", "nothing", `${line(commit)}x`])
			corrupt(key, () => parseCommitLine(key, text));
	});

	it("a record's line", () => {
		expect(parseRecordLine(key, line(record))).toMatchObject({
			id: "id",
			parent: 1,
			tag: "tag",
			head: "head",
		});
		expect(parseRecordLine(key, line(record.with(6, 0).slice(0, 7)))).toMatchObject({ tag: null });
		for (const fields of [
			...variants(record, {
				0: noText,
				1: [0, -1, 1.5, 2 ** 53, true, {}, []],
				2: noText,
				3: [null, 1.5, 8.64e15 + 1, -8.64e15 - 1, {}, true],
				4: noCount,
				5: noText,
				6: [1, null, {}, true],
				7: [7, "{}", null, []],
				8: [7, {}, true],
			}),
			record.slice(0, 6),
			[...record, 1],
			{},
			null,
		]) {
			corrupt(key, () => parseRecordLine(key, line(fields)));
		}
	});

	it("a block of lines that doesn't fit together", () => {
		const records: unknown[][] = [record.with(1, null as never), record.with(0, "id2")];
		const parse = (lines: unknown[], range: { first: number; last: number; before: number }) =>
			parseIndexBlock(key, range, encoder.encode(lines.map((fields) => `${line(fields)}\n`).join("")));
		const start = { first: 0, last: 1, before: 0 };
		expect(parse([genesis, commit, ...records], start)).toMatchObject({ count: 2 });
		for (const [what, lines, range] of [
			["a line is missing", [genesis, commit, records[0]], start],
			["a line too many", [genesis, commit, ...records, records[0]], start],
			["a commit is missing", [genesis], start],
			["no first line", [commit.with(1, 0), commit, ...records], start],
			["a second first line", [genesis, genesis], start],
			["a first line later on", [genesis], { first: 1, last: 1, before: 0 }],
			["bodies of no block", [genesis, commit.with(3, 4), ...records], start],
			["bodies of an empty block", [genesis, commit.with(3, 0), ...records], start],
			["a parent before the start", [genesis, commit, ...records.with(1, record.with(1, 2))], start],
		] as const) {
			expect(
				corrupt(key, () => parse([...lines], range)),
				what,
			).toContain(key);
		}
		const unended = encoder.encode(line(genesis));
		corrupt(key, () => parseIndexBlock(key, { first: 0, last: 0, before: 0 }, unended));
		corrupt(key, () => parseIndexBlock(key, { first: 0, last: 0, before: 0 }, Uint8Array.of(0xff, 10)));
	});
});
