import { availableParallelism, loadavg } from "node:os";
import { systemClock } from "../src/platform.ts";
import { ConnectionLimit } from "../src/store/connection-limit.ts";
import { MeteredStore, type StoreCounts } from "../src/store/metering.ts";
import type { ObjectStore } from "../src/store/object-store.ts";
import { Chat, compaction, userMessage } from "./chat.ts";
import { LeaflogInstance } from "./leaflog-design.ts";
import { priceOfMillion, r2, s3 } from "./prices.ts";
import { dollars, table } from "./table.ts";

/** Real ms of one operation, done many times one after the other. */
export interface Percentiles {
	readonly operation: string;
	readonly times: number;
	readonly p50: number;
	readonly p99: number;
	/** Requests a time, on average. */
	readonly puts: number;
	readonly gets: number;
	readonly lists: number;
}

const header = new TextEncoder().encode(
	'{"type":"session","version":3,"id":"session","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work"}',
);

/** What else the machine did: its load over the last minute, and its processors. */
export function machine(): string {
	return `load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors`;
}

/** Bytes of the newest entries that the compaction leaves in the context. */
const kept = 1e6;

/**
 * Puts a session of so many entries, the last a compaction that keeps a megabyte, and does each operation `times`
 * times, cold and warm. The session's namespace is a new one.
 */
export async function measurePercentiles(
	bucket: ObjectStore,
	entries: number,
	times: number,
): Promise<Percentiles[]> {
	const name = { namespace: `bench ${crypto.randomUUID()}`, id: "session" };
	const open = () => new LeaflogInstance(systemClock, name);
	const writer = open();
	let leaf = await writeSession(writer, bucket, entries);
	const appendTo = async (instance: LeaflogInstance, store: ObjectStore, turn: number) => {
		const entry = userMessage(`a${turn.toString(16).padStart(7, "0")}`, leaf);
		await instance.append(store, entry);
		leaf = entry.id;
	};
	// Appends come last, so that every read is of the same session.
	const warm = open();
	await warm.context(bucket);
	let turn = 0;
	return [
		await repeat("context of 1 MB, warm", times, bucket, (store) => warm.context(store)),
		await repeat("context of 1 MB, cold", times, bucket, (store) => open().context(store)),
		await repeat("page of 50, cold", times, bucket, (store) => open().page(store)),
		await repeat("append, warm", times, bucket, (store) => appendTo(writer, store, turn++)),
		await repeat("append, cold", times, bucket, (store) => appendTo(open(), store, turn++)),
	];
}

/** @returns id of the leaf */
async function writeSession(writer: LeaflogInstance, bucket: ObjectStore, entries: number): Promise<string> {
	const chat = new Chat(7);
	const written: { readonly id: string; readonly bytes: number }[] = [];
	await writer.create(bucket, header);
	while (written.length < entries - 1) {
		const entry = chat.next();
		const line = new TextEncoder().encode(JSON.stringify(entry));
		await writer.write(bucket, entry, line);
		written.push({ id: entry.id, bytes: line.length });
	}
	let first = written.length - 1;
	for (let sum = written[first]!.bytes; first > 0 && sum + written[first - 1]!.bytes <= kept; first--) {
		sum += written[first - 1]!.bytes;
	}
	const last = compaction("ffffffff", written.at(-1)!.id, written[first]!.id);
	await writer.append(bucket, last);
	return last.id;
}

async function repeat(
	operation: string,
	times: number,
	bucket: ObjectStore,
	run: (store: ObjectStore) => Promise<void>,
): Promise<Percentiles> {
	const durations: number[] = [];
	const counts: StoreCounts[] = [];
	for (let k = 0; k < times; k++) {
		const metered = new MeteredStore(bucket, { now: systemClock.monotonic });
		const begun = systemClock.monotonic();
		await run(new ConnectionLimit(metered));
		durations.push(systemClock.monotonic() - begun);
		counts.push(metered.counts());
	}
	durations.sort((one, other) => one - other);
	const mean = (of: (count: StoreCounts) => number) => counts.reduce((sum, one) => sum + of(one), 0) / times;
	return {
		operation,
		times,
		p50: durations[Math.floor(times * 0.5)]!,
		p99: durations[Math.floor(times * 0.99)]!,
		puts: mean(({ put }) => put.requests),
		gets: mean(({ get }) => get.requests),
		lists: mean(({ list }) => list.requests),
	};
}

export function percentileTable(rows: readonly Percentiles[]): string {
	const ms = (value: number) => `${value.toFixed(1)} ms`;
	return table(rows, [
		{ title: "operation", cell: ({ operation }) => operation },
		{ title: "times", cell: ({ times }) => times },
		{ title: "p50", cell: ({ p50 }) => ms(p50) },
		{ title: "p99", cell: ({ p99 }) => ms(p99) },
		{ title: "LIST", cell: ({ lists }) => lists },
		{ title: "GET", cell: ({ gets }) => gets },
		{ title: "PUT", cell: ({ puts }) => puts },
		{ title: "a million at S3's prices", cell: (row) => dollars(priceOfMillion(row, s3)) },
		{ title: "at R2's", cell: (row) => dollars(priceOfMillion(row, r2)) },
	]);
}
