/** `npm run bench:scale`: what a hundred million sessions and ten thousand appends a second ask for. See docs/scale.md. */
import { defaultLimits } from "../src/log/log.ts";
import { activeSessions, activityTable, memoryTable } from "./activity.ts";
import { measureShard, shardTable } from "./catalogue-size.ts";
import { costTable, fleetOf, rateTable } from "./fleet.ts";
import { grow, type Stage } from "./growth.ts";
import { hotSessionTable, simulateHotSession } from "./hot-session.ts";
import { type IndexSize, measureIndex } from "./index-size.ts";
import { designs, type Measurement, measureStage } from "./requests.ts";
import { simulateSpread, spreadTable } from "./spread.ts";

/** Leaflog's operations several times: the first ones are slowed by a runtime that is still compiling. */
async function measureWarmedUp(stage: Stage): Promise<Measurement[]> {
	const rounds: Measurement[][] = [];
	for (let round = 0; round < 8; round++) rounds.push(await measureStage(stage, designs.slice(0, 1)));
	return rounds[0]!.map((row, k) => ({ ...row, cpu: Math.min(...rounds.map((round) => round[k]!.cpu)) }));
}

function say(title: string, text: string): void {
	process.stdout.write(`## ${title}\n\n${text}\n\n`);
}

const sizes: IndexSize[] = [];
for await (const stage of grow([100, 1000, 10_000])) {
	if (stage.entries >= 1000) sizes.push(await measureIndex(stage));
	const measured = await measureWarmedUp(stage);
	const fleets = [0, 0.5, 0.9, 0.99].map((warm) =>
		fleetOf(measured, stage.written.bytes / stage.entries, warm),
	);
	say(`Requests a second, sessions of ${stage.entries} entries`, rateTable(fleets));
	say(`Dollars a month, sessions of ${stage.entries} entries`, costTable(fleets));
}

say(
	`Memory for ${activeSessions.toLocaleString("en-US")} active sessions`,
	memoryTable(sizes, defaultLimits.cacheBytes),
);
say("What the catalogue adds", activityTable([15, 60, 300, 900]));

say(
	"Where 10,000 writes a second land",
	spreadTable(
		[
			[1_000_000, 0],
			[1_000_000, 0.8],
			[1_000_000, 1],
			[10_000, 1],
		].map(([namespaces, skew]) => simulateSpread(namespaces!, skew!, 10_000, 30)),
	),
);

const hot = [];
for (const bucket of ["S3", "R2"] as const) {
	for (const [instances, rate] of [
		[1, 10],
		[1, 100],
		[1, 1000],
		[2, 20],
		[8, 10],
		[8, 100],
		[32, 10],
		[32, 100],
	] as const) {
		hot.push(await simulateHotSession(bucket, instances, rate, 20));
	}
}
say("One hot session", hotSessionTable(hot));

const shards = [];
for (const cards of [1000, 3000, 10_000, 62_500, 250_000]) shards.push(await measureShard(cards));
say("A namespace's catalogue", shardTable(shards));
