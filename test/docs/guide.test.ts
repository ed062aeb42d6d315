import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untrue } from "./alterations.ts";
import { programOf } from "./page.ts";
import { runPage } from "./run-page.ts";
import { type Servers, startServers } from "./servers.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/guide.md"), "utf8");

describe("docs/guide.md", () => {
	let servers: Servers;
	beforeAll(async () => {
		servers = await startServers();
	}, 150_000);
	afterAll(() => servers?.close());

	const run = (page: string, options?: { readonly types: boolean }) =>
		runPage(
			page,
			{
				"http://127.0.0.1:8787": servers.service.url,
				"https://models.example.com/v1": servers.model.url,
			},
			options,
		);

	it("compiles, runs to its end, and every value is as it says", { timeout: 120_000 }, async () => {
		const { types, failure, outcomes, unreached } = await run(guide);
		expect({ types, failure, unreached }).toEqual({ types: "", failure: "", unreached: [] });
		expect(outcomes.filter(({ met }) => !met)).toEqual([]);
		expect(outcomes.length).toBeGreaterThan(25);
		for (const outcome of outcomes) expect(untrue(outcome), `line ${outcome.line}`).toEqual([]);
	});

	it("altered in one claim: it is found", { timeout: 120_000 }, async () => {
		const altered = guide.replace('// → ["a3b", "a3c"]', '// → ["a3b", "a3d"]');
		const line = altered.split("\n").findIndex((text) => text.includes('"a3d"]')) + 1;
		const { outcomes } = await run(altered, { types: false });
		expect(outcomes.filter(({ met }) => !met).map((outcome) => outcome.line)).toEqual([line]);
		expect(programOf(altered).claims).toContain(line);
	});
});
