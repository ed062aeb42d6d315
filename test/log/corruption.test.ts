import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeTombstone } from "../../src/log/commit.ts";
import { commitKey } from "../../src/log/keys.ts";
import { Corrupt, type Log, type LogView } from "../../src/log/log.ts";
import { FaultyStore } from "../../src/store/faults.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { type Damage, damage, damaged, inflict } from "./damage.ts";
import { contentsOf, record, World } from "./instances.ts";
import { buildLog, logPlan, type PlannedLog, store, truthOf } from "./random-logs.ts";

const bystander = { namespace: "n", id: "bystander" };

/** What a call said: its answer, or the key that its error names. */
type Told<T> = { readonly answer: T } | { readonly corrupt: string };

async function tell<T>(work: () => Promise<T>): Promise<Told<T>> {
	try {
		return { answer: await work() };
	} catch (error) {
		if (error instanceof Corrupt) return { corrupt: error.key };
		throw error;
	}
}

async function read(
	world: World,
	instance: Log,
	log: PlannedLog,
	want: "index" | "bodies",
): Promise<LogView> {
	const outcome = await instance.read(world.scope(), log.name, want);
	if (outcome.kind !== "ok") throw new Error(`the log is ${outcome.kind}`);
	return outcome.view;
}

/** A log with one damaged object beside a sound one, and an instance that knew the damaged one up to a commit. */
async function begin(log: PlannedLog, known: number) {
	const bucket = new MemoryStore({ now: () => 0 });
	const world = new World(bucket);
	await store(buildLog({ ...log.plan, commits: log.plan.commits.slice(0, 3) }, bystander), bucket);
	const warm = world.instance();
	for (const { n, bytes } of log.commits.slice(0, known)) await bucket.put(commitKey(log.prefix, n), bytes);
	if (known > 0) await read(world, warm, log, "bodies");
	await store(log, bucket);
	return { bucket, world, warm };
}

const places = fc.tuple(fc.nat(999), fc.nat(999));

/**
 * Which object is damaged, and how many commits an instance knew before. Not noticed, and shown further down, is that
 * the newest object is missing, or the one right behind what an instance knows; one that appends gets there.
 */
function placesIn(log: PlannedLog, draws: readonly [number, number], what: Damage, appends: boolean) {
	const count = log.commits.length;
	const known = draws[1] % (count + 1);
	if (what.kind !== "missing") return { n: draws[0] % count, known };
	const n = draws[0] % (count - 1);
	return { n, known: known === n || (appends && known < n) ? n + 1 : known };
}

/** A log with at least two commits. */
const anyLog = logPlan.filter(({ commits }) => commits.length > 0).map((plan) => buildLog(plan));

describe("corruption: one object is damaged in any way", () => {
	it("every read gives the truth, or an error that names it; other logs are read as ever", {
		timeout: 120_000,
	}, async () => {
		let noticed = 0;
		let harmless = 0;
		await fc.assert(
			fc.asyncProperty(anyLog, places, damage, async (log, draws, what) => {
				const { n, known } = placesIn(log, draws, what, false);
				const { bucket, world, warm } = await begin(log, known);
				await inflict(bucket, log, n, damaged(log, n, what));
				const truth = truthOf(log) as { commit: number; length: number; head: string | null };
				const check = <T>(told: Told<T>, answer: unknown) => {
					if ("corrupt" in told) expect(told.corrupt).toBe(commitKey(log.prefix, n));
					else expect(told.answer).toEqual(answer);
					if ("corrupt" in told) noticed++;
					else harmless++;
				};
				for (const want of ["index", "bodies"] as const) {
					const cold = world.instance();
					check(await tell(async () => contentsOf(await read(world, cold, log, want))), truth);
					check(await tell(async () => contentsOf(await read(world, warm, log, want))), truth);
				}
				const { commit, length, head } = truth;
				const tip = { kind: "ok", commit, length, head };
				check(await tell(() => world.instance().tip(world.scope(), log.name)), tip);
				check(await tell(() => world.instance().newestCommit(world.scope(), log.name)), commit);
				for (let seq = 1; seq <= log.records.length; seq += 1 + Math.floor(log.records.length / 4)) {
					const body = async () =>
						(await (await read(world, world.instance(), log, "index")).bodies([seq])).get(seq);
					check(await tell(body), log.records[seq - 1]!.bytes);
				}
				const other = await warm.read(world.scope(), bystander);
				expect(other.kind).toBe("ok");
			}),
			{ seed: 1, numRuns: 250 },
		);
		// It happens that no read needs what is damaged; mostly one does.
		expect(noticed).toBeGreaterThan(300);
		expect(harmless).toBeGreaterThan(300);
	});

	it("what is appended to such a log is right, or not written; it is read once the object is whole again", {
		timeout: 120_000,
	}, async () => {
		let written = 0;
		let refused = 0;
		await fc.assert(
			fc.asyncProperty(anyLog, places, damage, async (log, draws, what) => {
				const { n, known } = placesIn(log, draws, what, true);
				const { bucket, world, warm } = await begin(log, known);
				await inflict(bucket, log, n, damaged(log, n, what));
				let expected = truthOf(log) as { records: object[] };
				for (const [k, instance] of [warm, world.instance()].entries()) {
					const added = record({ head: null }, `added ${k}`, 300);
					const told = await tell(() =>
						instance.append(world.scope(), log.name, {
							tag: `added ${k}`,
							decide: () => ({ kind: "commit", records: [added], result: ({ commit }) => commit }),
						}),
					);
					if ("corrupt" in told) {
						expect(told.corrupt).toBe(commitKey(log.prefix, n));
						refused++;
						continue;
					}
					expect(told.answer.kind).toBe("done");
					written++;
					const commit = told.answer.kind === "done" ? told.answer.answer : 0;
					const { bytes, kind, id, time, meta } = added;
					const body = new TextDecoder().decode(bytes);
					const entry = { id, parent: null, parentSeq: 0, kind, time, meta, commit, body };
					const length = expected.records.length + 1;
					expected = {
						...expected,
						records: [...expected.records, entry],
						commit,
						length,
						head: id,
					} as never;
				}
				await bucket.put(commitKey(log.prefix, n), log.commits[n]!.bytes);
				for (const instance of [warm, world.instance()])
					expect(await contentsOf(await read(world, instance, log, "index"))).toEqual(expected);
			}),
			{ seed: 2, numRuns: 200 },
		);
		expect(written).toBeGreaterThan(100);
		expect(refused).toBeGreaterThan(100);
	});

	it("a bit that is another on its way is an error or makes no difference, and the next read is right", {
		timeout: 60_000,
	}, async () => {
		await fc.assert(
			fc.asyncProperty(logPlan, fc.array(fc.boolean(), { maxLength: 12 }), async (plan, script) => {
				const log = buildLog(plan);
				const faults = script.map((flip) => (flip ? ({ kind: "corrupt" } as const) : undefined));
				const faulty = new FaultyStore(await store(log), {
					plan: ({ kind }) => (kind === "get" ? faults.shift() : undefined),
					sleep: () => Promise.resolve(),
				});
				const world = new World(faulty);
				const instance = world.instance();
				while (faults.length > 0) {
					const left = faults.length;
					const told = await tell(async () => contentsOf(await read(world, instance, log, "bodies")));
					if ("answer" in told) expect(told.answer).toEqual(truthOf(log));
					else expect(told.corrupt.startsWith(log.prefix)).toBe(true);
					if (faults.length === left) break;
				}
				faults.length = 0;
				expect(await contentsOf(await read(world, instance, log, "bodies"))).toEqual(truthOf(log));
			}),
			{ seed: 3, numRuns: 100 },
		);
	});
});

describe("corruption: what a purge leaves is told from a damaged log", () => {
	const plan = fc.sample(logPlan, { seed: 4, numRuns: 40 });

	it("a first commit that is cut to the size of a tombstone is no purged log", async () => {
		for (const log of plan.map((each) => buildLog({ ...each, commits: each.commits.slice(0, 2) }))) {
			for (const length of [0, 1, 60, 100, 159]) {
				const { bucket, world } = await begin(log, 0);
				await bucket.put(commitKey(log.prefix, 0), log.commits[0]!.bytes.slice(0, length));
				for (const want of ["index", "bodies"] as const) {
					const told = await tell(() => world.instance().read(world.scope(), log.name, want));
					if ("corrupt" in told) expect(told.corrupt).toBe(commitKey(log.prefix, 0));
					else expect(told.answer.kind).toBe("ok");
				}
			}
		}
	});

	it("the tombstone of another log ends nothing", async () => {
		const log = buildLog(plan[0]!);
		const { bucket, world, warm } = await begin(log, log.commits.length);
		const next = log.commits.length;
		await bucket.put(commitKey(log.prefix, next), encodeTombstone("another/", next, "abcdefghijkl"));
		for (const instance of [warm, world.instance()]) {
			expect(await tell(() => instance.read(world.scope(), log.name))).toEqual({
				corrupt: commitKey(log.prefix, next),
			});
		}
	});
});

describe("corruption: what can't be noticed from the log alone", () => {
	const logs = fc.sample(anyLog, { seed: 5, numRuns: 20 });

	it("without its newest commit a log reads as it was before; who knew it says in the end that it has vanished", async () => {
		for (const log of logs) {
			const newest = log.commits.length - 1;
			const { bucket, world, warm } = await begin(log, log.commits.length);
			await bucket.delete([commitKey(log.prefix, newest)]);
			const view = await read(world, world.instance(), log, "index");
			expect(await contentsOf(view)).toEqual(truthOf(log, newest));
			world.clock.ms += 60 * 60_000;
			expect(await tell(() => warm.read(world.scope(), log.name))).toEqual({
				corrupt: commitKey(log.prefix, newest),
			});
		}
	});

	it("where the next commit is missing, who lags behind takes what it knows for all, until it lists again", async () => {
		for (const log of logs) {
			const next = Math.ceil(log.commits.length / 2) - 1;
			const { bucket, world, warm } = await begin(log, next);
			if (next === 0) continue;
			await bucket.delete([commitKey(log.prefix, next)]);
			expect(await contentsOf(await read(world, warm, log, "index"))).toEqual(truthOf(log, next));
			world.clock.ms += 60 * 60_000;
			const told = await tell(async () => contentsOf(await read(world, warm, log, "index")));
			if ("corrupt" in told) expect(told.corrupt).toBe(commitKey(log.prefix, next));
			else expect(told.answer).toEqual(truthOf(log));
		}
	});
});
