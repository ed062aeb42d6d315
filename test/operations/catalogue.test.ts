import { describe, expect, it } from "vitest";
import type { Session } from "../../schemas/session.ts";
import { Corrupt, snapshotsPrefix } from "../../src/log/log.ts";
import { type Activity, Catalogue, type CatalogueSettings } from "../../src/operations/catalogue.ts";
import { StoreUnavailable } from "../../src/store/object-store.ts";
import { World as Bench, seededRandom } from "../log/instances.ts";
import { Bucket } from "../simulation/bucket.ts";
import { type Faults, Link } from "../simulation/link.ts";
import { type Hazards, Machine, type World } from "../simulation/machine.ts";
import { Scheduler } from "../simulation/scheduler.ts";
import { Seeded } from "../simulation/seeded.ts";
import { Trace } from "../simulation/trace.ts";
import { session } from "./sessions.ts";

const ns = "somebody";

/** Instances over one bucket. */
function setUp(settings: Partial<CatalogueSettings> = {}) {
	const bench = new Bench();
	let instances = 0;
	const instance = () => new Catalogue({ clock: bench.clock, random: seededRandom(++instances), settings });
	const list = async (catalogue = instance()) =>
		(await catalogue.read(bench.scope(), ns)).flatMap(({ value }) =>
			[...value.cards.values()].map((card) => card.session),
		);
	return { bench, instance, list };
}

/** What was sent while something was done. */
async function requests(bench: Bench, work: (scope: ReturnType<Bench["scope"]>) => Promise<unknown>) {
	const scope = bench.scope();
	await work(scope);
	const { get, put, list } = scope.store.counts();
	return { list: list.requests, get: get.requests, put: put.requests };
}

function sight(one: Session) {
	return { session: one, commit: one.seq };
}

function activity(one: Session): Activity {
	return { id: one.id, seq: one.seq, commit: one.seq, describe: async () => one };
}

const ids = (sessions: readonly Session[]) => sessions.map(({ id }) => id).sort();

describe("catalogue: requests", () => {
	it("a change: cold 1 LIST + 1 GET + 1 PUT, warm 1 PUT", async () => {
		const { bench, instance } = setUp();
		await instance().record(bench.scope(), ns, sight(session("first")));
		const catalogue = instance();
		const record = (id: string) =>
			requests(bench, (scope) => catalogue.record(scope, ns, sight(session(id))));
		expect(await record("a")).toEqual({ list: 1, get: 1, put: 1 });
		expect(await record("b")).toEqual({ list: 0, get: 0, put: 1 });
		expect(await requests(bench, (scope) => catalogue.remove(scope, ns, "a"))).toEqual({
			list: 0,
			get: 0,
			put: 1,
		});
	});

	it("what is prepared beside the session's own work leaves 1 PUT", async () => {
		const { bench, instance } = setUp();
		await instance().record(bench.scope(), ns, sight(session("first")));
		const catalogue = instance();
		catalogue.prepare(bench.scope(), ns, "a");
		await new Promise((done) => setTimeout(done, 5));
		expect(await requests(bench, (scope) => catalogue.record(scope, ns, sight(session("a"))))).toEqual({
			list: 0,
			get: 0,
			put: 1,
		});
	});

	it("a list: cold 1 LIST + 1 GET a shard, warm 1 GET", async () => {
		for (const shards of [1, 4]) {
			const { bench, instance } = setUp({ shards });
			const writer = instance();
			for (let k = 0; k < 40; k++) await writer.record(bench.scope(), ns, sight(session(`s${k}`)));
			const reader = instance();
			const read = () => requests(bench, (scope) => reader.read(scope, ns));
			expect(await read()).toEqual({ list: shards, get: shards, put: 0 });
			expect(await read()).toEqual({ list: 0, get: shards, put: 0 });
			expect(await requests(bench, (scope) => instance().versions(scope, ns))).toEqual({
				list: shards,
				get: 0,
				put: 0,
			});
		}
	});

	it("only its own shard is touched by a change", async () => {
		const { bench, instance } = setUp({ shards: 16 });
		expect(await requests(bench, (scope) => instance().record(scope, ns, sight(session("a"))))).toEqual({
			list: 1,
			get: 0,
			put: 1,
		});
		expect((await bench.store.list(snapshotsPrefix(ns))).objects).toHaveLength(1);
	});
});

describe("catalogue: windows of activity", () => {
	it("what appends change is written once, at the end of the window", async () => {
		const { bench, instance, list } = setUp({ activityLag: 15_000 });
		const catalogue = instance();
		await catalogue.record(bench.scope(), ns, sight(session("a")));
		await catalogue.record(bench.scope(), ns, sight(session("b")));
		const scope = bench.scope();
		const pending: Promise<unknown>[] = [];
		const opened = { ...scope, waitUntil: (work: Promise<unknown>) => pending.push(work) };
		for (let seq = 1; seq <= 20; seq++) {
			await catalogue.activity(opened, ns, activity(session("a", { seq })));
			await catalogue.activity(opened, ns, activity(session("b", { seq: seq * 2 })));
		}
		expect((await list()).map(({ seq }) => seq)).toEqual([0, 0]);
		await Promise.all(pending);
		expect((await list()).map(({ seq }) => seq)).toEqual([20, 40]);
		expect(scope.store.counts().put.requests).toBe(1);
	});

	it("a lag of 0: at once, and waited for", async () => {
		const { bench, instance, list } = setUp({ activityLag: 0 });
		await instance().activity(bench.scope(), ns, activity(session("a", { seq: 3 })));
		expect((await list()).map(({ seq }) => seq)).toEqual([3]);
	});

	it("a session is described on top of what is known of it, and not at all where more is known", async () => {
		const { bench, instance, list } = setUp({ activityLag: 0 });
		const catalogue = instance();
		await catalogue.record(bench.scope(), ns, sight(session("a", { seq: 5, name: "known" })));
		const described: (Session | undefined)[] = [];
		const tell = (seq: number) =>
			catalogue.activity(bench.scope(), ns, {
				id: "a",
				seq,
				commit: seq,
				describe: async (known) => {
					described.push(known);
					return { ...known!, seq };
				},
			});
		await tell(4);
		await tell(6);
		expect(described).toEqual([session("a", { seq: 5, name: "known" })]);
		expect(await list()).toEqual([session("a", { seq: 6, name: "known" })]);
	});

	it("a window whose request was ended by the platform is ended by the next one", async () => {
		const { bench, list } = setUp();
		let sleepers = 0;
		const sleep = (ms: number) => (sleepers++ === 0 ? new Promise<void>(() => {}) : bench.clock.sleep(ms));
		const clock = { now: bench.clock.now, monotonic: bench.clock.monotonic, sleep };
		const catalogue = new Catalogue({ clock, random: seededRandom(1), settings: { activityLag: 15_000 } });
		const pending: Promise<unknown>[] = [];
		await catalogue.activity(bench.scope(), ns, activity(session("a", { seq: 1 })));
		for (let seq = 2; seq <= 3; seq++) {
			bench.clock.ms += 10_000;
			const alive = { ...bench.scope(), waitUntil: (work: Promise<unknown>) => pending.push(work) };
			await catalogue.activity(alive, ns, activity(session("a", { seq })));
		}
		await Promise.all(pending);
		expect((await list()).map(({ seq }) => seq)).toEqual([3]);
	});

	it("a failure is no failure of the append, and the next change brings it along", async () => {
		const { bench, instance, list } = setUp({ activityLag: 0 });
		const catalogue = instance();
		const failing = {
			store: { ...bench.scope().store, list: () => Promise.reject(new StoreUnavailable("down")) },
		};
		await catalogue.activity(failing as never, ns, activity(session("a", { seq: 1 })));
		await catalogue.activity(bench.scope(), ns, activity(session("a", { seq: 2 })));
		expect((await list()).map(({ seq }) => seq)).toEqual([2]);
	});

	it("flush writes what waits", async () => {
		const { bench, instance, list } = setUp({ activityLag: 15_000 });
		const catalogue = instance();
		await catalogue.activity(bench.scope(), ns, activity(session("a", { seq: 1 })));
		await catalogue.flush();
		expect((await list()).map(({ seq }) => seq)).toEqual([1]);
	});
});

describe("catalogue: a damaged shard", () => {
	it("is an error that names its key, and can be put anew", async () => {
		const { bench, instance, list } = setUp();
		await instance().record(bench.scope(), ns, sight(session("a")));
		const [object] = (await bench.store.list(snapshotsPrefix(ns))).objects;
		await bench.store.put(object!.key, new TextEncoder().encode("README"));
		await expect(list()).rejects.toThrow(Corrupt);
		await expect(list()).rejects.toThrow(object!.key);
		await instance().replace(bench.scope(), ns, 0, {
			sightings: [sight(session("a"))],
			gone: [["b", { at: 1 }]],
		});
		expect(ids(await list())).toEqual(["a"]);
		await instance().record(bench.scope(), ns, sight(session("b")));
		expect(ids(await list())).toEqual(["a"]);
	});
});

describe("catalogue: sizes", () => {
	it("20,000 sessions over 16 shards, 3,000 in one: each is there once, and one more is one PUT", {
		timeout: 60_000,
	}, async () => {
		for (const [count, shards] of [
			[20_000, 16],
			[3000, 1],
		] as const) {
			const { bench, instance, list } = setUp({ shards });
			const catalogue = instance();
			const all = Array.from({ length: count }, (_, k) =>
				session(`s${k}`, { made: k, firstMessage: "x".repeat(100) }),
			);
			for (const [shard, own] of Map.groupBy(all, ({ id }) => catalogue.shardOf(id))) {
				expect(own.length).toBeGreaterThan((count / shards) * 0.8);
				const sightings = own.map(sight);
				await catalogue.replace(bench.scope(), ns, shard, { sightings, gone: [] });
			}
			expect(ids(await list())).toEqual(ids(all));
			const writer = instance();
			const one = session("one more");
			const sent = await requests(bench, (scope) => writer.record(scope, ns, sight(one)));
			expect(sent).toEqual({ list: 1, get: 1, put: 1 });
			expect(ids(await list())).toEqual(ids([...all, one]));
		}
	});

	it("500 sessions created at once in one instance share a few PUTs", async () => {
		const { bench, instance, list } = setUp();
		const catalogue = instance();
		const all = Array.from({ length: 500 }, (_, k) => session(`s${k}`));
		const sent = await requests(bench, (scope) =>
			Promise.all(all.map((one) => catalogue.record(scope, ns, sight(one)))),
		);
		expect(sent.put).toBeLessThanOrEqual(3);
		expect(ids(await list())).toEqual(ids(all));
	});
});

describe("catalogue: many instances at once", () => {
	const noFaults: Faults = {
		before: 0,
		after: 0,
		late: 0,
		latest: 1,
		rateLimit: 0,
		conflict: 0,
		partial: 0,
		slow: 0,
		verySlow: 0,
	};
	const faulty: Faults = {
		...noFaults,
		before: 0.03,
		after: 0.05,
		late: 0.03,
		latest: 20 * 60_000,
		conflict: 0.05,
		slow: 0.03,
	};
	const calm: Hazards = { death: 0, freeze: 0, longestFreeze: 1, skew: 1000 };

	function simulation(seed: number, faults: Faults, settings: Partial<CatalogueSettings> = {}) {
		const random = new Seeded(seed);
		const scheduler = new Scheduler(random);
		const world: World = { scheduler, random, trace: new Trace(scheduler, false) };
		const bucket = new Bucket(scheduler);
		const machine = (name: string) => {
			const host = new Machine(world, name, calm);
			const catalogue = new Catalogue({ clock: host.clock, random: random.fork(), settings });
			return { host, catalogue, scope: () => ({ store: new Link(world, host, bucket, faults, name) }) };
		};
		const all = async () => {
			const reader = new Catalogue({ clock: machine("reader").host.clock, random, settings });
			return (await reader.read({ store: bucket.store }, ns)).flatMap(({ value }) =>
				[...value.cards.values()].map((card) => card.session),
			);
		};
		return { random, scheduler, bucket, machine, all };
	}

	it("2,000 sessions created by 8 instances at once are all there once, with few PUTs", {
		timeout: 60_000,
	}, async () => {
		const { random, scheduler, bucket, machine, all } = simulation(1, noFaults);
		const created: string[] = [];
		for (let m = 0; m < 8; m++) {
			const { host, catalogue, scope } = machine(`m${m}`);
			for (let k = 0; k < 250; k++) {
				host.step(random.below(1000), async () => {
					const id = `${m}-${k}`;
					const outcome = await catalogue.record(scope(), ns, sight(session(id)));
					if (outcome.kind === "done") created.push(id);
				});
			}
		}
		await scheduler.run(100_000);
		expect(created).toHaveLength(2000);
		expect(ids(await all())).toEqual(created.sort());
		// Each version is one PUT that won; a session by itself would be 2,000.
		expect(bucket.landings.length).toBeLessThan(100);
	});

	it("creations, activity and deletions race over faulty links: no card goes back, none returns, none is lost", {
		timeout: 60_000,
	}, async () => {
		for (let seed = 1; seed <= 60; seed++) {
			const shards = 1 + (seed % 3);
			const { random, scheduler, machine, all } = simulation(seed, faulty, {
				shards,
				activityLag: seed % 2 ? 0 : 2000,
			});
			const machines = ["a", "b", "c"].map(machine);
			const end = { called: Number.POSITIVE_INFINITY, answered: Number.POSITIVE_INFINITY };
			/** What was acknowledged or seen: the seq a session had at least, 0 for one that was deleted. */
			const facts: { called: number; answered: number; seqs: ReadonlyMap<string, number> }[] = [];
			const reads: typeof facts = [];
			const mayBeGone = new Set<string>();
			const problems: string[] = [];
			for (let k = 0; k < 60; k++) {
				const { host, catalogue, scope } = random.pick(machines);
				const id = `s${random.below(6)}`;
				const seq = 1 + random.below(20);
				const what = random.weighted({ record: 5, activity: 5, remove: 1, read: 4 });
				host.step(random.below(20_000), async () => {
					const called = scheduler.step;
					const note = (seqs: ReadonlyMap<string, number>) =>
						facts.push({ called, answered: scheduler.step, seqs });
					try {
						if (what === "read") {
							const cards = (await catalogue.read(scope(), ns)).flatMap(({ value }) => [
								...value.cards.values(),
							]);
							const seqs = new Map(cards.map((card) => [card.id, card.seq]));
							reads.push({ called, answered: scheduler.step, seqs });
							note(seqs);
						} else if (what === "remove") {
							mayBeGone.add(id);
							if ((await catalogue.remove(scope(), ns, id)).kind === "done") note(new Map([[id, 0]]));
						} else if (what === "record") {
							const outcome = await catalogue.record(scope(), ns, sight(session(id, { seq })));
							if (outcome.kind === "done") note(new Map([[id, seq]]));
						} else await catalogue.activity(scope(), ns, activity(session(id, { seq })));
					} catch (error) {
						if (!(error instanceof StoreUnavailable)) problems.push(String(error));
					}
				});
			}
			await scheduler.run(100_000);
			reads.push({ ...end, seqs: new Map((await all()).map(({ id, seq }) => [id, seq])) });
			for (const read of reads) {
				for (const fact of facts.filter(({ answered }) => answered < read.called)) {
					for (const [id, seq] of fact.seqs) {
						const now = read.seqs.get(id);
						if (seq === 0 && now !== undefined) problems.push(`${id} was deleted and is listed`);
						else if (!mayBeGone.has(id) && (now ?? -1) < seq)
							problems.push(`${id} was at ${seq} and is at ${now}`);
					}
				}
			}
			expect(problems, `seed ${seed}`).toEqual([]);
		}
	});
});
