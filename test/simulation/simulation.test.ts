import { afterAll, describe, expect, it } from "vitest";
import { simulate } from "./simulate.ts";
import { Tally } from "./tally.ts";

const seeds = 2000;
const perTest = 100;

describe("simulation: many processes on one bucket, and everything that can go wrong", () => {
	const total = new Tally();

	for (let first = 1; first < seeds; first += perTest) {
		it(`seeds ${first} to ${first + perTest - 1}: nothing is lost, doubled, or seen too early or too late`, async () => {
			for (let seed = first; seed < first + perTest; seed++) {
				const { problems, counts } = await simulate(seed);
				expect(problems, `npm run simulate -- --seeds 1 --seed ${seed} --trace`).toEqual([]);
				for (const [what, times] of Object.entries(counts)) total.add(what, times);
			}
		}, 600_000);
	}

	it("all of it did go wrong, and all answers were given", () => {
		const enough = Object.entries(total.counts).filter(([, times]) => times >= 5);
		expect(enough.map(([what]) => what)).toEqual(expect.arrayContaining(expected));
	});

	afterAll(() => {
		const { counts } = total;
		console.log(
			`${seeds} seeds: ${counts.events} events, ${counts.requests} requests, ${counts.commits} commits`,
		);
	});
});

const expected = [
	"fault: PUT before",
	"fault: PUT after",
	"fault: PUT late",
	"fault: GET before",
	"fault: GET after",
	"fault: LIST before",
	"fault: LIST after",
	"fault: DELETE after",
	"fault: 429",
	"fault: 409",
	"fault: short page",
	"fault: partial removal",
	"fault: death",
	"fault: freeze",
	"fault: freeze beyond the trust",
	"fault: dropped request",
	"ambush",
	"commits: ends",
	"commits: landed where a purge had passed",
	"commits: with a cover that cannot be guessed",
	"commits: with bodies of others",
	"commits: with the index of more than 4",
	"append: landed",
	"append: refused, length",
	"append: refused, target",
	"append: refused, taken",
	"append: refused, nothing",
	"append: absent",
	"append: gone",
	"append: undone",
	"append: indeterminate",
	"append: no answer",
	"create: created",
	"create: exists",
	"create: gone",
	"end: ended",
	"end: gone",
	"read: seen",
	"read: absent",
	"read: gone",
	"tip: seen",
	"tip: gone",
	"newest: newest",
];
