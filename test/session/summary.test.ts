import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { isMessageKind, kindOf, roleOfKind, typeOfKind } from "../../src/session/kind.ts";
import { preview } from "../../src/session/preview.ts";
import { metaOf, timeOf } from "../../src/session/summary.ts";
import { cutText, previewOf } from "../../src/session/text.ts";
import { packUsage, unpackUsage } from "../../src/session/usage.ts";
import { runs } from "./pi.ts";
import { randomSession } from "./random-session.ts";

const utf8 = (text: string) => new TextEncoder().encode(text).length;
const at = "2025-06-03T10:00:01.000Z";

function message(role: string, fields: object): Entry {
	return { type: "message", id: "a", parentId: null, timestamp: at, message: { role, ...fields } };
}

describe("preview: one short line", () => {
	it("at most 80 characters and 120 bytes, the beginning of the text, no pair cut", () => {
		const text = fc.oneof(
			fc.string({ unit: "binary", maxLength: 200 }),
			fc.string({ unit: "grapheme", maxLength: 200 }),
		);
		fc.assert(
			fc.property(text, (given) => {
				const line = previewOf(given);
				expect(line.length).toBeLessThanOrEqual(80);
				expect(utf8(line)).toBeLessThanOrEqual(120);
				expect(line.isWellFormed()).toBe(true);
				expect(given.toWellFormed().replace(/\s+/g, " ").trimStart().startsWith(line)).toBe(true);
			}),
			{ seed: runs.seed, numRuns: 1000 },
		);
	});
	it("takes as much as fits", () => {
		expect(previewOf(`  a\n\n\tb ${"x".repeat(200)}`)).toBe(`a b ${"x".repeat(76)}`);
		expect(previewOf("构".repeat(50))).toBe("构".repeat(40));
		expect(previewOf(`${"x".repeat(79)}🙂`)).toBe("x".repeat(79));
		expect(previewOf(`${"x".repeat(78)}🙂y`)).toBe(`${"x".repeat(78)}🙂`);
		expect(previewOf("\ud83d")).toBe("\ufffd");
		expect(previewOf(" \n ")).toBe("");
	});
	it("a text is cut before a pair that would be split", () => {
		expect(cutText("ab🙂", 3)).toBe("ab");
		expect(cutText("ab🙂", 4)).toBe("ab🙂");
		expect(cutText("ab\ud83d\ud83d", 3)).toBe("ab\ud83d");
	});
	it("tells what an entry without text is", () => {
		const shown = (type: string, fields: object) => {
			const entry = { type, id: "a", parentId: null, timestamp: at, ...fields };
			return preview(kindOf(entry), metaOf(entry));
		};
		expect(shown("model_change", { provider: "openai", modelId: "gpt-5" })).toBe("openai/gpt-5");
		expect(shown("thinking_level_change", { thinkingLevel: "high" })).toBe("high");
		expect(shown("label", { targetId: "b", label: "L" })).toBe("L");
		expect(shown("session_info", { name: "N" })).toBe("N");
		expect(shown("custom", { customType: "state" })).toBe("state");
		expect(shown("compaction", { summary: "S" })).toBe("S");
		expect(shown("branch_summary", { summary: "S" })).toBe("S");
		expect(shown("custom_message", { content: "C" })).toBe("C");
		expect(shown("usage", { kind: "cache_warm" })).toBe("cache_warm");
		expect(shown("leaf", { targetId: null })).toBe("");
		expect(shown("future", { text: "?" })).toBe("");
		expect(shown("message", { message: { role: "bashExecution", command: "ls -la" } })).toBe("ls -la");
	});
});

describe("index record: small", () => {
	const prose = "The quick brown fox jumps over the lazy dog, and then it does so again. ".repeat(28);
	const size = (entry: Entry) => JSON.stringify(metaOf(entry)).length;
	it("a 2 KiB chat entry takes some 110 bytes, usage and tool call ids aside", () => {
		const content = [{ type: "text", text: prose }];
		const timestamp = Date.parse(at) - 7;
		const user = size(message("user", { content, timestamp }));
		const model = { provider: "anthropic", model: "claude-sonnet-4-5" };
		const assistant = size(message("assistant", { content, timestamp, stopReason: "stop", ...model }));
		expect(user).toBeLessThanOrEqual(110);
		expect((user + assistant) / 2).toBeLessThanOrEqual(112);
	});
	it("a body's size doesn't show", () => {
		fc.assert(
			fc.property(randomSession(30), ({ entries }) => {
				for (const entry of entries) {
					// Names, and what system messages declare, are the caller's own.
					const { y, n, ...rest } = metaOf(entry);
					expect(utf8(JSON.stringify(rest))).toBeLessThan(400);
				}
			}),
			{ ...runs, numRuns: 50 },
		);
		const data = {
			type: "custom",
			id: "a",
			parentId: null,
			timestamp: at,
			customType: "x",
			data: "y".repeat(50_000),
		};
		expect(size(data)).toBeLessThan(20);
	});
	it("is JSON: reading it back gives the same", () => {
		fc.assert(
			fc.property(randomSession(30), ({ entries }) => {
				for (const entry of entries) expect(JSON.parse(JSON.stringify(metaOf(entry)))).toEqual(metaOf(entry));
			}),
			{ ...runs, numRuns: 50 },
		);
	});
	it("of any value there is one", () => {
		fc.assert(
			fc.property(
				fc.dictionary(
					fc.constantFrom("type", "message", "timestamp", "content", "usage", "targetId"),
					fc.jsonValue(),
				),
				(entry) => {
					expect(metaOf(entry)).toBeTypeOf("object");
					expect(kindOf(entry)).toBeTypeOf("string");
					expect(timeOf(entry)).toBeTypeOf("string");
				},
			),
			{ numRuns: 500, seed: runs.seed },
		);
		for (const type of ["__proto__", "constructor", "toString"])
			expect(metaOf({ type, id: "a" })).toEqual({});
	});
});

describe("kind: type and role", () => {
	it("tells both again, whatever they are", () => {
		const names = fc.oneof(fc.constantFrom("m", "m.user", "?", "?m", "message", "leaf", ""), fc.string());
		fc.assert(
			fc.property(names, names, (type, role) => {
				const kind = kindOf({ type, message: { role } });
				expect(typeOfKind(kind)).toBe(type);
				expect(roleOfKind(kind)).toBe(type === "message" ? role : undefined);
				expect(isMessageKind(kind)).toBe(type === "message");
			}),
		);
	});
	it("a message entry without message has no role", () => {
		expect(kindOf({ type: "message", message: null })).toBe("m");
		expect(kindOf({ type: "message", message: {} })).toBe("m.");
		expect(kindOf({})).toBe("");
	});
});

describe("usage: packed", () => {
	it("gives back what totals need", () => {
		const part = fc.oneof(fc.nat(100_000), fc.constantFrom(undefined, null, "7"));
		const usage = fc.record({
			input: part,
			output: part,
			cacheRead: part,
			cacheWrite: part,
			totalTokens: part,
			cost: fc.record({ total: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), part) }),
		});
		const number = (value: unknown) => (typeof value === "number" ? value : 0);
		fc.assert(
			fc.property(usage, (given) => {
				const packed = packUsage(given);
				const numbers = unpackUsage(JSON.parse(JSON.stringify(packed)));
				const parts = [given.input, given.output, given.cacheRead, given.cacheWrite];
				const sum = parts.every((one) => typeof one === "number")
					? parts.reduce<number>((all, one) => all + number(one), 0)
					: 0;
				expect(numbers).toEqual({
					input: number(given.input),
					output: number(given.output),
					cacheRead: number(given.cacheRead),
					cacheWrite: number(given.cacheWrite),
					cost: Object.is(given.cost.total, -0) ? 0 : number(given.cost.total),
					contextTokens: number(given.totalTokens) || sum,
				});
			}),
			{ numRuns: 500, seed: runs.seed },
		);
		expect(unpackUsage(packUsage(undefined))).toBeUndefined();
	});
});
