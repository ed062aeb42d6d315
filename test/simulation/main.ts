import { parseArgs } from "node:util";
import { type SimulatedMutation, simulatedMutations } from "./mutation.ts";
import { simulate } from "./simulate.ts";
import { Tally } from "./tally.ts";

const usage = `npm run simulate -- [--seeds N] [--seed S] [--trace] [--mutation NAME]

Runs N seeds (default 1000) from S (default 1) on, and prints what went wrong with each, and how often what
happened. With one seed and --trace: every event of it, the same bytes each time.
Mutations: ${simulatedMutations.join(", ")}`;

const { values } = parseArgs({
	options: {
		seeds: { type: "string", default: "1000" },
		seed: { type: "string", default: "1" },
		trace: { type: "boolean", default: false },
		mutation: { type: "string" },
		help: { type: "boolean", default: false },
	},
});
const first = Number(values.seed);
const count = Number(values.seeds);
const mutation = simulatedMutations.find((name) => name === values.mutation);
const isWrong = ![first, count].every(Number.isSafeInteger) || mutation !== values.mutation;
if (values.help || isWrong) {
	console.log(usage);
	process.exit(isWrong ? 2 : 0);
}
process.exitCode = (await run(first, count, values.trace, mutation)) > 0 ? 1 : 0;

/** Gives the number of seeds that went wrong. */
async function run(
	from: number,
	seeds: number,
	keepTrace: boolean,
	switchedOff?: SimulatedMutation,
): Promise<number> {
	const total = new Tally();
	let failed = 0;
	for (let seed = from; seed < from + seeds; seed++) {
		const { problems, trace, counts } = await simulate(seed, { keepTrace, mutation: switchedOff });
		for (const line of trace) console.log(line);
		for (const [what, times] of Object.entries(counts)) total.add(what, times);
		if (problems.length === 0) continue;
		failed += 1;
		console.log(`seed ${seed} (npm run simulate -- --seeds 1 --seed ${seed} --trace)`);
		for (const problem of problems.slice(0, 8)) console.log(`  ${problem}`);
	}
	if (!keepTrace) {
		for (const what of Object.keys(total.counts).sort()) {
			console.log(`${String(total.counts[what]).padStart(10)}  ${what}`);
		}
		console.log(`${seeds} seeds from ${from}: ${failed} failed`);
	}
	return failed;
}
