import { describe, expect, it } from "vitest";
import { LogCache } from "../../src/log/cache.ts";
import { Moments } from "../../src/log/clocks.ts";
import type { Engine } from "../../src/log/engine.ts";
import { logPrefix } from "../../src/log/keys.ts";
import { defaultLimits } from "../../src/log/limits.ts";
import { contentsOf, genesis, record, seededRandom, World } from "./instances.ts";
import { RoundsStore } from "./rounds.ts";

/** A cache of so many bytes, and what an engine does with it. */
class Kept {
	readonly cache: LogCache;
	readonly #engine: Engine;
	readonly #opened = new Map<string, object>();

	constructor(bytes: number) {
		this.cache = new LogCache(bytes);
		const { clock } = new World();
		this.#engine = {
			clock,
			random: seededRandom(1),
			moments: new Moments(clock),
			limits: defaultLimits,
			mutations: new Set(),
			weigh: (state) => this.cache.weigh(state),
		};
	}

	/** Uses a log: opens it, adds so many bytes of bodies, and weighs it. */
	use(id: string, bytes = 0) {
		const prefix = logPrefix({ namespace: "n", id });
		const { state } = this.cache.open(this.#engine, prefix);
		this.#opened.delete(prefix);
		this.#opened.set(prefix, state);
		if (bytes > 0) state.keepBody(state.bodies.size, new Uint8Array(bytes));
		this.cache.weigh(state);
		return state;
	}

	/** Weights of the logs that are still known, the most recently used first. Forgets the rest of its notes. */
	weights(): number[] {
		const weights: number[] = [];
		for (const [prefix, state] of [...this.#opened].reverse()) {
			const known = this.cache.open(this.#engine, prefix).state;
			if (known !== state) {
				this.cache.drop(prefix);
				break;
			}
			weights.push(known.weight);
		}
		return weights;
	}
}

const sum = (weights: readonly number[]) => weights.reduce((a, b) => a + b, 0);

describe("cache", () => {
	it("thousands of logs together stay below its bound, and the ones used last are kept", () => {
		const { fraction } = seededRandom(1);
		const kept = new Kept(1_000_000);
		for (let k = 0; k < 2000; k++) kept.use(`log ${k}`, Math.floor(fraction() * 40_000));
		const weights = kept.weights();
		expect(sum(weights)).toBeLessThanOrEqual(1_000_000);
		// The next one would not have found room.
		expect(sum(weights)).toBeGreaterThan(1_000_000 - 45_000);
	});

	it("logs that don't exist count too", () => {
		const kept = new Kept(1_000_000);
		for (let k = 0; k < 5000; k++) kept.use(`absent ${k}`);
		const weights = kept.weights();
		expect(weights.length).toBeGreaterThan(100);
		expect(weights.length).toBeLessThan(1001);
	});

	it("a log that is used again stays, others go", () => {
		const kept = new Kept(100_000);
		const hot = kept.use("hot", 10_000);
		for (let k = 0; k < 100; k++) {
			kept.use(`log ${k}`, 20_000);
			expect(kept.use("hot")).toBe(hot);
		}
	});

	it("the bound holds while the log that was opened first grows", () => {
		const kept = new Kept(100_000);
		const first = kept.use("first");
		for (let k = 0; k < 20; k++) kept.use(`log ${k}`, 2000);
		for (let k = 0; k < 40; k++) first.keepBody(k, new Uint8Array(1000));
		kept.cache.weigh(first);
		const weights = kept.weights();
		expect(sum(weights) + first.weight).toBeLessThanOrEqual(100_000);
		expect(kept.use("first")).toBe(first);
	});

	it("of one log, bodies never take more than half of it", () => {
		const kept = new Kept(100_000);
		for (let k = 0; k < 100; k++) expect(kept.use("log", 5000).bodiesWeight).toBeLessThanOrEqual(50_000);
	});

	it("what was dropped is not weighed any more", () => {
		const kept = new Kept(100_000);
		const state = kept.use("log", 40_000);
		kept.cache.drop(state.prefix);
		state.keepBody(1, new Uint8Array(90_000));
		kept.cache.weigh(state);
		const other = kept.use("other", 40_000);
		kept.use("third", 40_000);
		expect(kept.use("other")).toBe(other);
	});
});

describe("cache: what it drops is read anew", () => {
	const name = (k: number) => ({ namespace: "n", id: `s${k}` });

	it("answers are the same however small it is, warm and cold", async () => {
		const world = new World();
		const writer = world.instance({ cacheBytes: 0 });
		for (let k = 0; k < 20; k++) {
			await writer.create(world.scope(), name(k), { tag: "make", genesis, records: [] });
			for (let entry = 0; entry < 5; entry++) {
				const id = `${k}-${entry}`;
				const outcome = await writer.append(world.scope(), name(k), {
					tag: `tag-${id}`,
					decide: (view) => ({
						kind: "commit",
						records: [record(view, id, 3000)],
						result: ({ first }) => first,
					}),
				});
				expect(outcome).toMatchObject({ kind: "done", answer: entry + 1 });
			}
		}
		for (const cacheBytes of [0, 20_000, 1e9]) {
			const reader = world.instance({ cacheBytes });
			for (let round = 0; round < 2; round++) {
				for (let k = 0; k < 20; k++) {
					const outcome = await reader.read(world.scope(), name(k), "bodies");
					const fresh = await world.instance().read(world.scope(), name(k));
					if (outcome.kind !== "ok" || fresh.kind !== "ok") throw new Error("unreadable");
					expect(await contentsOf(outcome.view)).toEqual(await contentsOf(fresh.view));
				}
			}
		}
	});

	it("bodies beyond its bound are given, and not kept", async () => {
		const world = new World();
		const log = world.instance({ cacheBytes: 300_000 });
		const records = Array.from({ length: 100 }, (_, k) => record({ head: null }, `e${k}`, 10_000));
		await log.create(world.scope(), name(0), { tag: "make", genesis, records });
		const store = new RoundsStore(world.store);
		const outcome = await log.read({ store }, name(0));
		if (outcome.kind !== "ok") throw new Error(outcome.kind);
		const seqs = records.map((_record, k) => k + 1);
		const text = (body?: Uint8Array) => new TextDecoder().decode(body);
		for (let round = 0; round < 2; round++) {
			store.requests = [];
			const bodies = await outcome.view.bodies(seqs);
			expect(seqs.map((seq) => text(bodies.get(seq)))).toEqual(records.map(({ bytes }) => text(bytes)));
			expect(store.requests).toEqual(["GET"]);
		}
	});

	it("a log asked for by nobody for long costs a LIST again, one asked for lately does not", async () => {
		const world = new World();
		const log = world.instance({ cacheBytes: 60_000 });
		for (let k = 0; k < 50; k++)
			await log.create(world.scope(), name(k), { tag: "make", genesis, records: [] });
		const requests = async (k: number) => {
			const store = new RoundsStore(world.store);
			await log.read({ store }, name(k));
			return store.requests;
		};
		expect(await requests(49)).toEqual(["GET"]);
		expect(await requests(0)).toEqual(["LIST", "GET"]);
		for (let k = 100; k < 400; k++) await log.read(world.scope(), name(k));
		expect(await requests(49)).toEqual(["LIST", "GET"]);
	});
});
