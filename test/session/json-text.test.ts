import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonDepth, parsedBytes } from "../../src/session/json-text.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The same of a value. */
function shapeOf(value: unknown): { depth: number; containers: number; commas: number } {
	if (typeof value !== "object" || value === null) return { depth: 0, containers: 0, commas: 0 };
	const inner = Object.values(value).map(shapeOf);
	return {
		depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
		containers: inner.reduce((sum, { containers }) => sum + containers, 1),
		commas: inner.reduce((sum, { commas }) => sum + commas, Math.max(0, inner.length - 1)),
	};
}

describe("a JSON text, looked at without parsing", () => {
	it("its depth, and what it takes when it is parsed, as its value says", () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 6 }), fc.nat(2), (text, indent) => {
				const value: unknown = JSON.parse(text);
				const spaced = bytesOf(JSON.stringify(value, null, indent));
				const { depth, containers, commas } = shapeOf(value);
				expect(jsonDepth(spaced)).toBe(depth);
				expect(parsedBytes(spaced)).toBe(spaced.length + 64 * containers + 32 * commas);
			}),
			{ seed: 3, numRuns: 500 },
		);
	});

	it("brackets and commas in strings, broken and endless ones: not counted", () => {
		for (const text of ['"[{,"', '"\\"[["', '"[[[[', '"\\']) {
			expect([jsonDepth(bytesOf(text)), parsedBytes(bytesOf(text))]).toEqual([0, bytesOf(text).length]);
		}
	});
});
