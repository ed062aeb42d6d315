import { parseArgs } from "node:util";
import type { SimulatedMutation } from "./mutation.ts";
import { simulate } from "./simulate.ts";

const { values } = parseArgs({
	options: {
		seeds: { type: "string", default: "1000" },
		seed: { type: "string", default: "1" },
		trace: { type: "boolean", default: false },
		mutation: { type: "string" },
		keep: { type: "boolean", default: false },
	},
});

const first = Number(values.seed);
const count = Number(values.seeds);
const mutation = values.mutation as SimulatedMutation | undefined;
const total = { events: 0, commits: 0, operations: 0, failed: [] as number[] };
const answers: Record<string, number> = {};

for (let seed = first; seed < first + count; seed++) {
	const run = await simulate(seed, { keepTrace: values.trace, mutation });
	if (values.trace) for (const line of run.trace) console.log(line);
	if (run.problems.length > 0) {
		total.failed.push(seed);
		if (total.failed.length <= 20 || values.keep) {
			console.log(`seed ${seed} (npm run simulate -- --seeds 1 --seed ${seed} --trace)`);
			for (const problem of run.problems.slice(0, 8)) console.log(`  ${problem}`);
		}
	}
	total.events += run.counts.events;
	total.commits += run.counts.commits;
	total.operations += run.counts.operations;
	for (const [what, times] of Object.entries(run.counts.answers))
		answers[what] = (answers[what] ?? 0) + times;
}

for (const what of Object.keys(answers).sort()) console.log(`${String(answers[what]).padStart(8)}  ${what}`);
console.log(
	`${count} seeds from ${first}: ${total.events} events, ${total.operations} requests, ${total.commits} commits; ${total.failed.length} failed`,
);
process.exitCode = total.failed.length > 0 ? 1 : 0;
