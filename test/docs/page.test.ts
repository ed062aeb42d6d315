import { describe, expect, it } from "vitest";
import { meets, programOf } from "./page.ts";
import { runPage } from "./run-page.ts";

const page = (...code: readonly string[]) => ["# A page", "", "```ts", ...code, "```", ""].join("\n");

describe("a page's program", () => {
	it("code keeps its line; what is no TypeScript block is left out", () => {
		const markdown = [
			"# Title",
			"```sh",
			"rm -rf",
			"```",
			"```ts",
			"const a = 1;",
			"```",
			"text",
			"```ts",
			"a;",
			"```",
		];
		expect(programOf(markdown.join("\n")).source.split("\n")).toEqual([
			...["", "", "", "", "", "const a = 1;", "", "", "", "a;", ""],
		]);
	});

	it("a claim that belongs to nothing: refused by its line", () => {
		expect(() => programOf(page("f(); // → 1"))).toThrow("line 4");
		expect(() => programOf(page("console.log(", "1); // → 1"))).toThrow("line 5");
	});

	it.each([
		["the value", "console.log(1 + 1); // → 2"],
		["a value below, over lines", 'console.log({ a: [1, "x"] });\n// → { a: [1,\n//      "x"] }'],
		["several values", 'console.log(1, "b"); // → [1, "b"]'],
		["something that is made up", 'console.log("a-123-b"); // → "a-…-b"'],
	])("a claim that is true, %s: met", async (_name, code) => {
		const run = await runPage(page(code));
		expect(run).toMatchObject({ types: "", failure: "", unreached: [] });
		expect(run.outcomes.map(({ met }) => met)).toEqual([true]);
	});

	it.each([
		["another value", "console.log(1 + 1); // → 3"],
		["another value below", "console.log([1, 2]);\n// → [1,\n//    3]"],
		["a member too many", "console.log({ a: 1 }); // → { a: 1, b: 2 }"],
		["a member too few", "console.log({ a: 1, b: 2 }); // → { a: 1 }"],
		["a list for an object", "console.log({}); // → []"],
		["something for nothing", 'console.log(""); // → "…"'],
		["two values for one", "console.log([1, 2][0]); // → [1, 2]"],
		["zeros", "console.log(0); // → false"],
	])("a claim that is false, %s: not met", async (_name, code) => {
		const run = await runPage(page(code));
		expect(run.outcomes.map(({ line, met }) => [line, met])).toEqual([[4, false]]);
	});

	it("a claim that is never reached, a call that throws, a type that is wrong: all told, by line", async () => {
		expect((await runPage(page("if (Date.now() < 1)", "\tconsole.log(1); // → 1"))).unreached).toEqual([5]);
		expect((await runPage(page("", "throw new Error('no');"))).failure).toContain("page.mts:5");
		expect((await runPage(page("const text: string = 1;", "text;"))).types).toContain("page.mts(4,");
		expect((await runPage(page("process.exit();"))).types).toContain("page.mts(4,");
	});
});

describe("what meets a claim", () => {
	it("members that are undefined don't count, the order of members neither", () => {
		expect(meets({ a: 1, b: [null] }, { b: [null], c: undefined, a: 1 })).toBe(true);
		expect(meets({ a: null }, {})).toBe(false);
		expect(meets("a.b…", "axb1")).toBe(false);
	});
});
