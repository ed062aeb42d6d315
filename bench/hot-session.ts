import { MemoryStore } from "../src/store/memory.ts";
import { MeteredStore } from "../src/store/metering.ts";
import type { GetOptions, ListOptions, ObjectStore, PutOptions } from "../src/store/object-store.ts";
import { LeaflogInstance } from "./leaflog-design.ts";
import { seededRandom } from "./random.ts";
import { latency, SlowStore } from "./slow-store.ts";
import { milliseconds, table } from "./table.ts";
import { VirtualTime } from "./virtual-time.ts";

/** Many clients that append to one session, each by whichever instance it meets. */
export interface HotSession {
	readonly bucket: "S3" | "R2";
	readonly instances: number;
	/** Appends asked for a second. */
	readonly rate: number;
	/** Those answered as done, a second, until the last one was. */
	readonly done: number;
	/** Share that was answered 503 `contention`. */
	readonly refused: number;
	/** Virtual ms from the request to its answer. */
	readonly p50: number;
	readonly p99: number;
	/** PUTs sent for each append that was done, and those of them that were turned away with 429. */
	readonly puts: number;
	readonly turnedAway: number;
}

const header = new TextEncoder().encode(
	'{"type":"session","version":3,"id":"session","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}',
);

/** Simulates so many seconds of appends that arrive at random (Poisson), on the virtual clock. */
export async function simulateHotSession(
	bucket: HotSession["bucket"],
	instances: number,
	rate: number,
	seconds: number,
): Promise<HotSession> {
	const time = new VirtualTime();
	const random = seededRandom(instances * 1000 + rate);
	const memory = new MemoryStore(time);
	await new LeaflogInstance(time).create(memory, header);
	const strict = new OneWriteASecond(memory, time);
	const metered = new MeteredStore(new SlowStore(bucket === "R2" ? strict : memory, time, latency), time);
	const processes = Array.from({ length: instances }, () => new LeaflogInstance(time));
	const answered: number[] = [];
	let refused = 0;
	const client = async (wait: number): Promise<void> => {
		await time.sleep(wait);
		const asked = time.now();
		const process = processes[Math.floor(random.fraction() * instances)]!;
		if (await process.say(metered, "a line of a chat")) answered.push(time.now() - asked);
		else refused++;
	};
	const elapsed = await time.run(async () => {
		const clients: Promise<void>[] = [];
		const pause = () => (-Math.log(1 - random.fraction()) * 1000) / rate;
		for (let at = pause(); at < seconds * 1000; at += pause()) clients.push(client(at));
		await Promise.all(clients);
	});
	answered.sort((one, other) => one - other);
	return {
		bucket,
		instances,
		rate,
		done: answered.length / (elapsed / 1000),
		refused: refused / (answered.length + refused),
		p50: answered[Math.floor(answered.length * 0.5)] ?? 0,
		p99: answered[Math.floor(answered.length * 0.99)] ?? 0,
		puts: metered.counts().put.requests / answered.length,
		turnedAway: strict.turnedAway / answered.length,
	};
}

/** R2's rule: a second write to the same key within a second is turned away with 429. */
class OneWriteASecond implements ObjectStore {
	turnedAway = 0;
	readonly #store: ObjectStore;
	readonly #time: VirtualTime;
	readonly #last = new Map<string, number>();

	constructor(store: ObjectStore, time: VirtualTime) {
		this.#store = store;
		this.#time = time;
	}

	async put(key: string, bytes: Uint8Array, options?: PutOptions) {
		const before = this.#last.get(key);
		this.#last.set(key, this.#time.now());
		if (before !== undefined && this.#time.now() - before < 1000) {
			this.turnedAway++;
			return { kind: "unknown" as const, cause: "429" };
		}
		return this.#store.put(key, bytes, options);
	}

	get = (key: string, options?: GetOptions) => this.#store.get(key, options);
	list = (prefix: string, options?: ListOptions) => this.#store.list(prefix, options);
	delete = (keys: readonly string[]) => this.#store.delete(keys);
}

export function hotSessionTable(rows: readonly HotSession[]): string {
	return table(rows, [
		{ title: "bucket", cell: ({ bucket }) => bucket },
		{ title: "instances", cell: ({ instances }) => instances },
		{ title: "asked a second", cell: ({ rate }) => rate },
		{ title: "done a second", cell: ({ done }) => done },
		{ title: "503", cell: ({ refused }) => `${(refused * 100).toFixed(1)}%` },
		{ title: "p50", cell: ({ p50 }) => milliseconds(p50) },
		{ title: "p99", cell: ({ p99 }) => milliseconds(p99) },
		{ title: "PUT an append", cell: ({ puts }) => puts.toFixed(2) },
		{ title: "429 an append", cell: ({ turnedAway }) => turnedAway.toFixed(2) },
	]);
}
