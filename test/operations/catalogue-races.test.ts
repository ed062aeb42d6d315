import { describe, expect, it } from "vitest";
import type { Session } from "../../schemas/session.ts";
import { type Activity, Catalogue, type CatalogueSettings } from "../../src/operations/catalogue.ts";
import { StoreUnavailable } from "../../src/store/object-store.ts";
import { Bucket } from "../simulation/bucket.ts";
import { type Faults, Link } from "../simulation/link.ts";
import { type Hazards, Machine, type World } from "../simulation/machine.ts";
import { Scheduler } from "../simulation/scheduler.ts";
import { Seeded } from "../simulation/seeded.ts";
import { Tally } from "../simulation/tally.ts";
import { Trace } from "../simulation/trace.ts";
import { session } from "./sessions.ts";

const ns = "somebody";

function sight(one: Session) {
	return { session: one, commit: one.seq };
}

function activity(one: Session): Activity {
	return { id: one.id, seq: one.seq, commit: one.seq, describe: async () => one };
}

const ids = (sessions: readonly Session[]) => sessions.map(({ id }) => id).sort();

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
		const world: World = { scheduler, random, trace: new Trace(scheduler, false), tally: new Tally() };
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
