import { describe, expect, it } from "vitest";
import type { LogView } from "../../src/log/log.ts";
import { appendOne, genesis, seededRandom, World } from "./instances.ts";
import { RoundsStore } from "./rounds.ts";

const name = { namespace: "n", id: "s" };
const KiB = 1024;

/** The linear mixes of the paper check: bytes of the k-th entry. */
const mixes: Record<string, { size: () => number; commits: readonly number[] }> = {
	"2 KiB each": { size: () => 2 * KiB, commits: [1, 10, 100, 1000, 10_000] },
	"64 KiB each": { size: () => 64 * KiB, commits: [1, 10, 100, 1000] },
	"chat sizes": { size: chatSizes(), commits: [1, 10, 100, 1000, 10_000] },
};

function chatSizes(): () => number {
	const { fraction } = seededRandom(7);
	return () => {
		const normal = Math.sqrt(-2 * Math.log(fraction() + 1e-9)) * Math.cos(2 * Math.PI * fraction());
		return Math.min(2e6, Math.round(Math.exp(6.8 + 1.4 * normal))) + 200;
	};
}

/** The newest records whose bodies are together about so many bytes. */
function newest(view: LogView, bytes: number): { seqs: number[]; bytes: number } {
	const seqs: number[] = [];
	let sum = 0;
	for (let seq = view.length; seq >= 1 && sum < bytes; seq--) {
		seqs.unshift(seq);
		sum += view.byteLength(seq) + 1;
	}
	return { seqs, bytes: sum };
}

async function open(world: World, want: "index" | "bodies") {
	const store = new RoundsStore(world.store);
	const log = world.instance();
	const outcome = await log.read({ store }, name, want);
	if (outcome.kind !== "ok") throw new Error(outcome.kind);
	return { store, log, view: outcome.view };
}

for (const [mix, { size, commits }] of Object.entries(mixes)) {
	describe(`budgets, ${mix}`, () => {
		it("requests, round trips and bytes stay within the contract at every length", {
			timeout: 120_000,
		}, async () => {
			const world = new World();
			const writer = world.instance({ cacheBytes: 400e6 });
			const scope = world.scope();
			await writer.create(scope, name, { tag: "make", genesis, records: [] });
			let stored = genesis.bytes.length + 1;
			for (let k = 1; k <= commits.at(-1)!; k++) {
				const bytes = size();
				stored += bytes + 1;
				await appendOne(writer, scope, name, k.toString(16).padStart(8, "0"), bytes);
				if (commits.includes(k)) await check(world, k, stored, scope.store.counts().bytesWritten);
			}
			const requests = scope.store.counts();
			expect([requests.put.requests, requests.get.requests, requests.list.requests]).toEqual([
				commits.at(-1)! + 1,
				0,
				0,
			]);
		});
	});

	async function check(world: World, n: number, stored: number, written: number): Promise<void> {
		const indexGets = Math.ceil(Math.log2(n + 1));
		const label = `${mix}, ${n} commits`;

		// The index alone: tree, stats, labels.
		const index = await open(world, "index");
		expect(index.store.count("LIST"), label).toBe(1);
		expect(index.store.count("GET"), label).toBeLessThanOrEqual(
			indexGets + Math.ceil((n * 200) / (256 * KiB)),
		);
		expect(index.store.rounds, label).toBe(2);

		// The newest megabyte: a context.
		const context = await open(world, "bodies");
		const before = context.store.count("GET");
		const wanted = newest(context.view, 1e6);
		await context.view.bodies(wanted.seqs);
		const indexBytes = Array.from({ length: n }, (_, k) => indexLineBytes(context.view, k + 1)).reduce(
			(a, b) => a + b,
			0,
		);
		expect(context.store.count("GET") - before, label).toBeLessThanOrEqual(32);
		expect(context.store.rounds, label).toBeLessThanOrEqual(3);
		expect(context.store.bytesRead, label).toBeLessThanOrEqual(1.25 * wanted.bytes + indexBytes + 6 * KiB);
		expect(indexBytes / n, label).toBeLessThanOrEqual(200);
		if (stored <= 64 * KiB) expect(context.store.rounds, label).toBe(2);

		// The newest 50 entries: a branch page.
		if (mix === "2 KiB each") {
			const page = await open(world, "bodies");
			const gets = page.store.count("GET");
			await page.view.bodies(Array.from({ length: Math.min(50, n) }, (_, k) => n - k));
			expect(page.store.count("GET") - gets, label).toBeLessThanOrEqual(6);
		}

		// Warm, nothing new; the leaf and a 304, cold.
		const { log, store } = index;
		store.requests = [];
		await log.read({ store }, name);
		expect(store.requests, label).toEqual(["GET"]);
		const cold = new RoundsStore(world.store);
		expect(await world.instance().tip({ store: cold }, name)).toMatchObject({ kind: "ok", length: n });
		expect(cold.requests, label).toEqual(["LIST", "GET"]);
		const unchanged = new RoundsStore(world.store);
		expect(await world.instance().newestCommit({ store: unchanged }, name)).toBe(n);
		expect(unchanged.requests, label).toEqual(["LIST"]);

		// An append, cold, up to its PUT, which is not carried out: it carries all that a warm writer would.
		const cut = cutAtPut(world);
		await expect(appendOne(world.instance(), { store: cut.store }, name, "ffffffff", 100)).rejects.toThrow(
			Stop,
		);
		expect(cut.store.rounds + 1, label).toBeLessThanOrEqual(3);
		expect(cut.store.count("LIST"), label).toBe(1);
		expect(cut.store.count("GET"), label).toBeLessThanOrEqual(indexGets + Math.ceil((n * 200) / (256 * KiB)));
		expect(cut.length(), label).toBe(await warmCommitLength(world, n));

		// What lies in the bucket.
		const most = mix === "64 KiB each" ? 1.1 : 4.4;
		if (n >= 100) expect(written / stored, label).toBeLessThanOrEqual(most);
	}
}

class Stop extends Error {}

/** The world's bucket, but a PUT throws instead, and its length is kept. */
function cutAtPut(world: World): { store: RoundsStore; length: () => number } {
	const store = new RoundsStore(world.store);
	let length = 0;
	store.put = async (_key, bytes) => {
		length = bytes.length;
		throw new Stop();
	};
	return { store, length: () => length };
}

/** Length of the commit that a writer with all bodies in memory would put next. */
async function warmCommitLength(world: World, n: number): Promise<number> {
	const { view, log } = await open(world, "bodies");
	await view.bodies(newest(view, 200 * KiB).seqs);
	if (n < 100) await view.genesisBody();
	const cut = cutAtPut(world);
	await expect(appendOne(log, { store: cut.store }, name, "ffffffff", 100)).rejects.toThrow(Stop);
	return cut.length();
}

/** Bytes of a record's line in the index with its share of the commit's line, beside its body. */
function indexLineBytes(view: LogView, seq: number): number {
	const parts = [
		view.id(seq),
		1,
		view.kind(seq),
		Date.parse(view.time(seq)),
		view.byteLength(seq),
		"checksum",
		`tag-${view.id(seq)}`,
		view.meta(seq),
	];
	return JSON.stringify(parts).length + 1 + JSON.stringify(["abcdefghijkl", 1, 99_999, 64]).length + 1;
}
