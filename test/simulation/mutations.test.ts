import { afterAll, describe, expect, it } from "vitest";
import { simulatedMutations } from "./mutation.ts";
import { simulate } from "./simulate.ts";

/** So many seeds are tried, until so many have noticed. */
const most = 1500;
const enough = 3;

describe("mutations: the simulation notices when a rule is switched off", () => {
	const rows: string[] = [];

	for (const mutation of simulatedMutations) {
		it(mutation, async () => {
			let noticed = 0;
			let tried = 0;
			let example: string | undefined;
			while (tried < most && noticed < enough) {
				const { problems } = await simulate(++tried, { mutation });
				if (problems.length > 0) noticed += 1;
				example ??= problems[0];
			}
			rows.push(`${mutation}: noticed by ${noticed} of ${tried} seeds, e.g. ${example?.slice(0, 150)}`);
			expect(noticed).toBe(enough);
		}, 600_000);
	}

	afterAll(() => console.log(rows.join("\n")));
});
