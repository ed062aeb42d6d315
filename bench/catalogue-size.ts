import type { Session } from "../schemas/session.ts";
import { Catalogue } from "../src/operations/catalogue.ts";
import { MemoryStore } from "../src/store/memory.ts";
import { MeteredStore } from "../src/store/metering.ts";
import { seededRandom } from "./random.ts";
import { bytes, milliseconds, table } from "./table.ts";
import { VirtualTime } from "./virtual-time.ts";

/** What it takes to change one card of a shard that holds so many. */
export interface ShardUpdate {
	readonly cards: number;
	/** Bytes of the shard's object, written anew with each change. */
	readonly bytes: number;
	/** Processor ms of a change by an instance that knows the shard, and of a cold read: the best of a few. */
	readonly change: number;
	readonly coldRead: number;
}

const namespace = "bench";

export async function measureShard(cards: number): Promise<ShardUpdate> {
	const time = new VirtualTime();
	const bucket = new MeteredStore(new MemoryStore(time), time);
	const scope = { store: bucket };
	const open = () => new Catalogue({ clock: time, random: seededRandom(cards), cacheBytes: 1e9 });
	const catalogue = open();
	const sightings = Array.from({ length: cards }, (_, k) => ({ session: someSession(k, 1), commit: 1 }));
	await catalogue.replace(scope, namespace, 0, { sightings, gone: [] });
	const size = bucket.counts().bytesWritten;
	const changes: number[] = [];
	const reads: number[] = [];
	for (let turn = 0; turn < 5; turn++) {
		const session = someSession(turn, 10 + turn);
		changes.push(
			await processorTime(() => catalogue.record(scope, namespace, { session, commit: 2 + turn })),
		);
		reads.push(await processorTime(() => open().read(scope, namespace)));
	}
	return { cards, bytes: size, change: Math.min(...changes), coldRead: Math.min(...reads) };
}

/** A session as lists show it, with a name and a first message of usual length. */
function someSession(k: number, seq: number): Session {
	const timestamp = new Date(Date.UTC(2026, 0, 1) + k * 1000).toISOString();
	const hex = k.toString(16).padStart(12, "0");
	return {
		id: `0197a1b2-c3d4-7e5f-8a9b-${hex}`,
		version: 3,
		timestamp,
		cwd: "/home/somebody/work/project",
		name: `How the log of session ${k} is kept`,
		leafId: hex.slice(-8),
		entryCount: seq,
		messageCount: seq,
		firstMessage: `Please read the notes on storage and tell me how the log is kept, part ${k}. `.repeat(2),
		modified: timestamp,
		seq,
	};
}

async function processorTime(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

export function shardTable(rows: readonly ShardUpdate[]): string {
	return table(rows, [
		{ title: "cards of a shard", cell: ({ cards }) => cards },
		{ title: "shards for a million", cell: ({ cards }) => Math.ceil(1e6 / cards) },
		{ title: "object", cell: (row) => bytes(row.bytes) },
		{ title: "a card", cell: (row) => bytes(row.bytes / row.cards) },
		{ title: "CPU of a change", cell: ({ change }) => milliseconds(change) },
		{ title: "of a cold read", cell: ({ coldRead }) => milliseconds(coldRead) },
		{ title: "at 50 MB/s", cell: (row) => milliseconds(30 + row.bytes / 50_000) },
		{
			title: "changes a second, one at a time",
			cell: (row) => (1000 / (30 + row.bytes / 50_000 + row.change)).toFixed(1),
		},
	]);
}
