import { ConnectionLimit } from "../src/store/connection-limit.ts";
import { MeteredStore } from "../src/store/metering.ts";
import type { ObjectStore } from "../src/store/object-store.ts";
import { compaction, userMessage } from "./chat.ts";
import type { Design, Instance } from "./design.ts";
import { ForkedStore } from "./forked-store.ts";
import type { Stage } from "./growth.ts";
import { leaflog } from "./leaflog-design.ts";
import { objectPerEntry } from "./object-per-entry-design.ts";
import { oneObject } from "./one-object-design.ts";
import { type Latency, latency, latencyAndTransfer, oneRoundTrip, SlowStore } from "./slow-store.ts";
import { VirtualTime } from "./virtual-time.ts";

/** What one operation asked of the store. */
export interface Measurement {
	readonly operation: string;
	readonly design: string;
	readonly entries: number;
	readonly lists: number;
	readonly gets: number;
	readonly puts: number;
	/** The longest chain of requests that need one another's answers. */
	readonly roundTrips: number;
	readonly bytesRead: number;
	readonly bytesWritten: number;
	/** Virtual ms: 30 a PUT, 15 a GET, 40 a LIST, six connections. */
	readonly time: number;
	/** The same with 50 MB/s a connection. */
	readonly timeWithTransfer: number;
	/** Real ms of this machine's processor: the best of three. */
	readonly cpu: number;
}

interface Operation {
	readonly name: string;
	/** The same process did the same before. */
	readonly warm: boolean;
	/** Bytes of the newest entries that a compaction, appended beforehand, left in the context. */
	readonly kept?: number;
	run(
		instance: Instance,
		store: ObjectStore,
		at: { readonly leaf: string; readonly turn: number },
	): Promise<void>;
}

const append: Operation["run"] = (instance, store, { leaf, turn }) =>
	instance.append(store, userMessage(turn === 0 ? "fffffff0" : "fffffff1", turn === 0 ? leaf : "fffffff0"));

export const operations: readonly Operation[] = [
	{ name: "append, warm", warm: true, run: append },
	{ name: "append, cold", warm: false, run: append },
	{ name: "context of 1 MB, warm", warm: true, kept: 1e6, run: (instance, store) => instance.context(store) },
	{
		name: "context of 1 MB, cold",
		warm: false,
		kept: 1e6,
		run: (instance, store) => instance.context(store),
	},
	{ name: "whole branch, cold", warm: false, run: (instance, store) => instance.branch(store) },
	{ name: "page of 50, cold", warm: false, run: (instance, store) => instance.page(store) },
	{ name: "tree, cold", warm: false, run: (instance, store) => instance.tree(store) },
	{ name: "leaf, cold", warm: false, run: (instance, store) => instance.leaf(store) },
];

/** The designs, with the bucket that each has at a stage. */
export const designs: readonly { readonly design: Design; readonly bucket: (stage: Stage) => ObjectStore }[] =
	[
		{ design: leaflog, bucket: (stage) => stage.leaflog },
		{ design: oneObject, bucket: (stage) => stage.oneObject },
		{ design: objectPerEntry, bucket: (stage) => stage.objectPerEntry },
	];

/** Each operation on each of these designs at one length of the session. */
export async function measureStage(stage: Stage, of = designs): Promise<Measurement[]> {
	const measurements: Measurement[] = [];
	for (const operation of operations) {
		for (const { design, bucket } of of) {
			measurements.push(await measure(operation, design, bucket(stage), stage));
		}
	}
	return measurements;
}

async function measure(
	operation: Operation,
	design: Design,
	bucket: ObjectStore,
	stage: Stage,
): Promise<Measurement> {
	const start = await prepare(operation, design, bucket, stage);
	const trips = await run(operation, design, start, oneRoundTrip, Number.POSITIVE_INFINITY);
	const timed = await run(operation, design, start, latency);
	const transferred = await run(operation, design, start, latencyAndTransfer);
	const { list, get, put, bytesRead, bytesWritten } = timed.counts;
	return {
		operation: operation.name,
		design: design.name,
		entries: stage.entries,
		lists: list.requests,
		gets: get.requests,
		puts: put.requests,
		roundTrips: trips.elapsed,
		bytesRead,
		bytesWritten,
		time: timed.elapsed,
		timeWithTransfer: transferred.elapsed,
		cpu: Math.min(trips.cpu, timed.cpu, transferred.cpu),
	};
}

/** What an operation finds. */
interface Start {
	readonly bucket: ObjectStore;
	readonly leaf: string;
}

async function prepare(
	operation: Operation,
	design: Design,
	bucket: ObjectStore,
	stage: Stage,
): Promise<Start> {
	if (operation.kept === undefined) return { bucket, leaf: stage.leaf };
	const fork = new ForkedStore(bucket);
	const entry = compaction("ffffffff", stage.leaf, stage.idBack(operation.kept));
	const time = new VirtualTime();
	await time.run(() => design.open(time).append(fork, entry));
	return { bucket: fork, leaf: entry.id };
}

/** One operation on a fork of the bucket, by a process of its own. */
async function run(
	operation: Operation,
	design: Design,
	{ bucket, leaf }: Start,
	takes: Latency,
	connections?: number,
) {
	const time = new VirtualTime();
	const fork = new ForkedStore(bucket);
	const instance = design.open(time);
	if (operation.warm) await time.run(() => operation.run(instance, fork, { leaf, turn: 0 }));
	const metered = new MeteredStore(new SlowStore(fork, time, takes), time);
	const store = new ConnectionLimit(metered, connections);
	const turn = operation.warm ? 1 : 0;
	const { user, system } = process.cpuUsage();
	const elapsed = await time.run(() => operation.run(instance, store, { leaf, turn }));
	const after = process.cpuUsage();
	const cpu = (after.user - user + after.system - system) / 1000;
	return { elapsed, cpu, counts: metered.counts() };
}
