import { ConnectionLimit } from "../src/store/connection-limit.ts";
import { MeteredStore, type StoreCounts } from "../src/store/metering.ts";
import type { ObjectStore } from "../src/store/object-store.ts";
import type { Stage } from "./growth.ts";
import { LeaflogInstance, session } from "./leaflog-design.ts";
import { fileKey } from "./one-object-design.ts";
import { priceOfMillion, s3 } from "./prices.ts";
import { latencyAndTransfer, SlowStore } from "./slow-store.ts";
import { bytes, dollars, milliseconds, table } from "./table.ts";
import { VirtualTime } from "./virtual-time.ts";

/** What it takes to read some bodies one way. */
interface Way {
	readonly gets: number;
	readonly bytesRead: number;
	/** Virtual ms, at 50 MB/s a connection. */
	readonly time: number;
}

/** The two ways to read the newest megabyte of a branch that has every `step`-th entry of the log. */
export interface RangeChoice {
	readonly step: number;
	readonly wanted: number;
	readonly wantedBytes: number;
	/** One GET for each block that holds a wanted body, from the first to the last wanted one. */
	readonly blocks: Way;
	/** One GET for each wanted body: no two of them are neighbours. */
	readonly bodies: Way;
}

export async function measureRanges(stage: Stage): Promise<RangeChoice[]> {
	const choices: RangeChoice[] = [];
	for (const step of [2, 3, 5, 10, 20]) choices.push(await measureStep(stage, step));
	return choices;
}

async function measureStep(stage: Stage, step: number): Promise<RangeChoice> {
	const time = new VirtualTime();
	const instance = new LeaflogInstance(time);
	const open = async (store: ObjectStore) => {
		const outcome = await instance.log.read({ store }, session);
		if (outcome.kind !== "ok") throw new Error(outcome.kind);
		return outcome.view;
	};
	const known = await open(stage.leaflog);
	const seqs: number[] = [];
	let wantedBytes = 0;
	for (let seq = known.length; seq >= 1 && wantedBytes < 1e6; seq -= step) {
		seqs.unshift(seq);
		wantedBytes += known.byteLength(seq);
	}
	const blocks = await timed(time, stage.leaflog, async (store) => {
		const view = await open(store);
		return async () => view.bodies(seqs);
	});
	const bodies = await timed(time, stage.oneObject, async (store) => async () => {
		const ranges = seqs.map((seq) => ({ offset: 0, length: known.byteLength(seq) }));
		await Promise.all(ranges.map((range) => store.get(fileKey, { range })));
	});
	return { step, wanted: seqs.length, wantedBytes, blocks, bodies };
}

/** Counts and times what `prepare` gives back, without what that took itself. */
async function timed(
	time: VirtualTime,
	bucket: ObjectStore,
	prepare: (store: ObjectStore) => Promise<() => Promise<unknown>>,
): Promise<Way> {
	const metered = new MeteredStore(new SlowStore(bucket, time, latencyAndTransfer), time);
	let work: () => Promise<unknown> = async () => {};
	await time.run(async () => {
		work = await prepare(new ConnectionLimit(metered));
	});
	const before: StoreCounts = metered.counts();
	const elapsed = await time.run(() => work());
	const after = metered.counts();
	return {
		gets: after.get.requests - before.get.requests,
		bytesRead: after.bytesRead - before.bytesRead,
		time: elapsed,
	};
}

export function rangeTable(choices: readonly RangeChoice[]): string {
	const price = ({ gets }: Way) => dollars(priceOfMillion({ gets, puts: 0, lists: 0 }, s3));
	return table(choices, [
		{ title: "of the log's entries", cell: ({ step }) => `1 of ${step}` },
		{ title: "wanted", cell: ({ wanted }) => wanted },
		{ title: "bytes", cell: ({ wantedBytes }) => bytes(wantedBytes) },
		{ title: "GET a block", cell: ({ blocks }) => blocks.gets },
		{ title: "read", cell: ({ blocks }) => bytes(blocks.bytesRead) },
		{ title: "time", cell: ({ blocks }) => milliseconds(blocks.time) },
		{ title: "a million", cell: ({ blocks }) => price(blocks) },
		{ title: "GET a body", cell: ({ bodies }) => bodies.gets },
		{ title: "read", cell: ({ bodies }) => bytes(bodies.bytesRead) },
		{ title: "time", cell: ({ bodies }) => milliseconds(bodies.time) },
		{ title: "a million", cell: ({ bodies }) => price(bodies) },
	]);
}
