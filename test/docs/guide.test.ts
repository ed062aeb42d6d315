import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Outcome } from "./claim.ts";
import { meets, programOf } from "./page.ts";
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

/** What could be claimed instead, one member changed, and still be met. */
function untrue({ expected, actual }: Outcome): unknown[] {
	return alterations(expected).filter((other) => meets(other, actual));
}

function alterations(value: unknown): unknown[] {
	if (Array.isArray(value)) {
		const changed = value.flatMap((member, at) => alterations(member).map((other) => value.with(at, other)));
		return [...changed, [...value, null]];
	}
	if (typeof value === "object" && value !== null) {
		const changed = Object.entries(value).flatMap(([key, member]) =>
			alterations(member).map((other) => ({ ...value, [key]: other })),
		);
		return [...changed, { ...value, besides: 1 }];
	}
	if (typeof value === "number") return [value + 1, String(value)];
	if (typeof value === "boolean") return [!value];
	// What is made up can be anything, but is there.
	if (typeof value === "string") return value === "…" ? [null] : [`${value} `, null];
	return ["null"];
}
