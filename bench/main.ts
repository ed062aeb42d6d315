/** `npm run bench`: what operations cost as a session grows. See docs/performance.md. */
import { parseArgs } from "node:util";
import { grow } from "./growth.ts";
import { priceTable, requestTables } from "./request-report.ts";
import { type Measurement, measureStage } from "./requests.ts";

const { values: flags } = parseArgs({
	options: {
		store: { type: "string", default: "virtual" },
		most: { type: "string", default: "100000" },
	},
});

const lengths = [10, 100, 1000, 10_000, 100_000].filter((length) => length <= Number(flags.most));

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}

async function requests(): Promise<void> {
	const measurements: Measurement[] = [];
	for await (const stage of grow(lengths)) {
		process.stderr.write(`measuring at ${stage.entries} entries\n`);
		measurements.push(...(await measureStage(stage)));
	}
	say(`## Requests\n\n${requestTables(measurements)}`);
	say(`## Prices\n\n${priceTable(measurements)}\n`);
}
await requests();
