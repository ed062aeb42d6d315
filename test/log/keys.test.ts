import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	afterPrefix,
	commitKey,
	commitNumber,
	escapeSegment,
	logIdOfKey,
	logPrefix,
	namespaceOfKey,
	namespacePrefix,
	snapshotPrefix,
	sweepKey,
	unescapeSegment,
	versionKey,
	versionNumber,
} from "../../src/log/keys.ts";
import { compareBytes } from "../../src/store/byte-order.ts";

/** Names that are easily taken for one another. */
const oddNames = [
	"",
	".",
	"..",
	"...",
	"/",
	"//",
	"a",
	"A",
	"a/b",
	"a/",
	"/b",
	"b",
	"a%2Fb",
	"a~2fb",
	"~",
	"~~",
	"~2e",
	"~2e~2e",
	"~~d800",
	"%",
	"%2e",
	"a b",
	"a+b",
	"\u00e9",
	"e\u0301",
	"\u0410", // Cyrillic A
	"K",
	"\u212a", // Kelvin
	"s",
	"\u017f", // long s
	"\uff41", // full width a
	"I",
	"\u0131",
	"\u0130",
	"\u0000",
	"\n",
	"\r\n",
	"\u2028",
	"\ufeff",
	"\ufeffa",
	"a\u200b",
	"😀",
	"\ud83d",
	"\ude00",
	"\ude00\ud83d",
	"\ufffd",
	"c",
	"s/a",
	"constructor",
	"__proto__",
	"x".repeat(64),
];

/** Any string, lone surrogates included, and the odd ones glued together. */
const anyName = fc.oneof(
	fc.constantFrom(...oddNames),
	fc.string({ unit: "binary", maxLength: 40 }),
	fc.array(fc.constantFrom(...oddNames), { maxLength: 4 }).map((parts) => parts.join("")),
	fc
		.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
		.map((units) => String.fromCharCode(...units)),
);

describe("keys: names", () => {
	it("no two odd names share a place, as an id, as a namespace or as a snapshot", () => {
		const different = new Set(oddNames).size;
		expect(new Set(oddNames.map((id) => logPrefix({ namespace: "n", id }))).size).toBe(different);
		expect(new Set(oddNames.map((namespace) => namespacePrefix(namespace))).size).toBe(different);
		expect(new Set(oddNames.map((name) => snapshotPrefix("n", name))).size).toBe(different);
	});

	it("two pairs of namespace and id share a prefix, or one that begins like the other's, only if they are equal", () => {
		fc.assert(
			fc.property(anyName, anyName, anyName, anyName, (namespace, id, otherNamespace, otherId) => {
				const [one, other] = [
					logPrefix({ namespace, id }),
					logPrefix({ namespace: otherNamespace, id: otherId }),
				];
				const same = namespace === otherNamespace && id === otherId;
				expect(one.startsWith(other) || other.startsWith(one)).toBe(same);
			}),
			{ seed: 1, numRuns: 2000 },
		);
	});

	it("a separator never wanders between namespace and id", () => {
		const places = [
			["a", "/b"],
			["a/b", ""],
			["", "a/b"],
			["a/", "b"],
		].map(([namespace, id]) => logPrefix({ namespace: namespace!, id: id! }));
		expect(new Set(places).size).toBe(places.length);
	});

	it("keys are short, printable ASCII without a segment that HTTP would fold", () => {
		fc.assert(
			fc.property(anyName, anyName, fc.nat(9_999_999_999), (namespace, id, n) => {
				const key = commitKey(logPrefix({ namespace, id }), n);
				expect(key).toMatch(/^[0-9a-f]{32}\/s\/[A-Za-z0-9._~-]+\/\d{10}-\d{1,10}\.jsonl$/);
				expect(key.split("/").filter((segment) => /^\.{0,2}$/.test(segment))).toEqual([]);
				expect(key.length).toBeLessThanOrEqual(1024);
			}),
			{ seed: 2, numRuns: 1000 },
		);
	});

	it("an id too long for a key is refused, a long one is not", () => {
		const long = "x".repeat(900);
		expect(logIdOfKey(commitKey(logPrefix({ namespace: "n", id: long }), 0))).toBe(long);
		expect(() => logPrefix({ namespace: "n", id: "x".repeat(1000) })).toThrow(RangeError);
		expect(() => logPrefix({ namespace: "n", id: "é".repeat(200) })).toThrow(RangeError);
		expect(() => snapshotPrefix("n", "x".repeat(1000))).toThrow(RangeError);
		expect(namespacePrefix("x".repeat(1000))).not.toBe(namespacePrefix("x".repeat(1001)));
	});
});

describe("keys: parsing", () => {
	it("what was built is found again: number, id, namespace", () => {
		fc.assert(
			fc.property(anyName, anyName, fc.nat(9_999_999_999), (namespace, id, n) => {
				const key = commitKey(logPrefix({ namespace, id }), n);
				expect(commitNumber(key)).toBe(n);
				expect(logIdOfKey(key)).toBe(id);
				const hash = namespaceOfKey(key)!;
				expect(namespacePrefix(hash)).toBe(namespacePrefix(namespace));
				expect(logPrefix({ namespace: hash, id })).toBe(logPrefix({ namespace, id }));
				expect(versionNumber(versionKey(snapshotPrefix(namespace, id), n))).toBe(n);
			}),
			{ seed: 3, numRuns: 1000 },
		);
	});

	it("the escape is undone, and nothing else is taken for one", () => {
		fc.assert(
			fc.property(anyName, fc.string({ unit: fc.constantFrom(..."a.~2e0fd8/%-") }), (name, segment) => {
				expect(unescapeSegment(escapeSegment(name))).toBe(name);
				const text = unescapeSegment(segment);
				if (text !== undefined) expect(escapeSegment(text)).toBe(segment);
			}),
			{ seed: 4, numRuns: 3000 },
		);
	});

	it("foreign keys have no number and no id", () => {
		const prefix = logPrefix({ namespace: "n", id: "s" });
		for (const file of [
			"9999999999-0.json",
			"9999999999-00.jsonl",
			"9999999998-0.jsonl",
			"999999999-0.jsonl",
			"9999999999-.jsonl",
			"9999999999-0.jsonl.bak",
			"x9999999999-0.jsonl",
			"9999999999--0.jsonl",
			"README",
		]) {
			expect(commitNumber(prefix + file), file).toBeUndefined();
		}
		expect(logIdOfKey("a/s/b/9999999999-0.jsonl")).toBeUndefined();
		expect(logIdOfKey(versionKey(snapshotPrefix("n", "s"), 0))).toBeUndefined();
		expect(namespaceOfKey(sweepKey("x"))).toBeUndefined();
	});
});

describe("keys: order in a LIST", () => {
	it("the newest commit comes first, whatever the numbers", () => {
		const number = fc.oneof(fc.nat(20), fc.nat(200_000), fc.nat(9_999_999_999));
		fc.assert(
			fc.property(fc.uniqueArray(number, { maxLength: 30 }), (numbers) => {
				const keys = numbers.map((n) => commitKey("p/", n)).sort(compareBytes);
				expect(keys.map((key) => commitNumber(key))).toEqual([...numbers].sort((a, b) => b - a));
			}),
			{ seed: 5 },
		);
	});

	it("all keys of a prefix lie before what comes after it, and no other key does between", () => {
		fc.assert(
			fc.property(anyName, anyName, fc.nat(100), (id, other, n) => {
				const prefix = logPrefix({ namespace: "n", id });
				const key = commitKey(logPrefix({ namespace: "n", id: other }), n);
				const between = compareBytes(key, prefix) >= 0 && compareBytes(key, afterPrefix(prefix)) < 0;
				expect(between).toBe(id === other);
			}),
			{ seed: 6, numRuns: 1000 },
		);
	});
});
