/**
 * `npm run bench`: what operations cost as a session grows, on a virtual clock, and what of it is this processor's.
 * `-- --store s3` or `--store r2`: how long they take on a real bucket. See docs/performance.md.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { grow } from "./growth.ts";
import { type IndexSize, indexTable, measureIndex } from "./index-size.ts";
import { type Life, lifeOf, lifeTable } from "./life.ts";
import { openingReport } from "./opening.ts";
import { machine, measurePercentiles, percentileTable } from "./percentiles.ts";
import { measureRanges, type RangeChoice, rangeTable } from "./ranges.ts";
import { configuredS3, localR2, type RealBucket } from "./real-buckets.ts";
import { priceTable, requestTables } from "./request-report.ts";
import { type Measurement, measureStage } from "./requests.ts";

const usage = `usage: npm run bench [-- OPTION…]
  --store virtual|r2|s3   virtual (default): requests, bytes and time on a virtual clock, and processor time;
                          r2: local workerd; s3: the bucket of S3_ENDPOINT, or a Ceph gateway that is started for it
  --most N                the longest session, entries (default 100000)
  --entries N             with r2 or s3: entries of the session (default 1000)
  --times N               with r2 or s3: how often each operation is done (default 300)
`;

function say(title: string, text: string): void {
	process.stdout.write(`## ${title}\n\n${text}\n\n`);
}

async function virtual(most: number): Promise<void> {
	const measurements: Measurement[] = [];
	const sizes: IndexSize[] = [];
	const lives: Life[] = [];
	let choices: RangeChoice[] = [];
	for await (const stage of grow([10, 100, 1000, 10_000, 100_000].filter((length) => length <= most))) {
		process.stderr.write(`measuring at ${stage.entries} entries\n`);
		measurements.push(...(await measureStage(stage)));
		// The heap of a process is not so exact that a smaller index could be seen in it.
		if (stage.entries >= 1000) sizes.push(await measureIndex(stage));
		if (stage.entries === 10_000) choices = await measureRanges(stage);
		lives.push(lifeOf(stage));
	}
	say("Requests", requestTables(measurements));
	say("Prices", priceTable(measurements));
	say("Written by all appends so far", lifeTable(lives));
	say("Index", indexTable(sizes));
	if (choices.length > 0) say("Fewer GETs or fewer bytes", rangeTable(choices));
	say("Processor", await openingReport(Math.min(20_000, most), 7));
}

async function real(bucket: RealBucket, entries: number, times: number): Promise<void> {
	try {
		const before = machine();
		const rows = await measurePercentiles(bucket.store, entries, times);
		const title = `${bucket.name}, a session of ${entries.toLocaleString("en-US")} entries`;
		say(title, `${percentileTable(rows)}\n\nBefore: ${before}. After: ${machine()}.`);
	} finally {
		await bucket.close();
	}
}

/** The same command beside a Ceph gateway of its own. */
function besideCeph(): Promise<number> {
	const script = join(import.meta.dirname, "../scripts/with-ceph.sh");
	const command = [script, process.execPath, ...process.argv.slice(1)];
	const child = spawn("bash", command, { stdio: "inherit" });
	return new Promise((resolve, reject) => {
		child.on("error", reject);
		child.on("exit", (code) => resolve(code ?? 1));
	});
}

const { values: flags } = parseArgs({
	options: {
		store: { type: "string", default: "virtual" },
		most: { type: "string", default: "100000" },
		entries: { type: "string", default: "1000" },
		times: { type: "string", default: "300" },
		help: { type: "boolean", default: false },
	},
});
const [entries, times] = [Number(flags.entries), Number(flags.times)];
if (flags.help) process.stdout.write(usage);
else if (flags.store === "virtual") await virtual(Number(flags.most));
else if (flags.store === "r2") await real(await localR2(), entries, times);
else if (flags.store !== "s3") {
	process.stderr.write(usage);
	process.exitCode = 2;
} else if (process.env.S3_ENDPOINT === undefined) process.exitCode = await besideCeph();
else await real(await configuredS3(process.env), entries, times);
