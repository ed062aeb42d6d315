import type { LogLimits } from "../../src/log/limits.ts";
import { purgeSnapshots } from "../../src/log/purge.ts";
import { type SnapshotKind, SnapshotRegister } from "../../src/log/snapshot.ts";
import { Bucket } from "../simulation/bucket.ts";
import { type Faults, Link } from "../simulation/link.ts";
import { type Hazards, Machine, type World } from "../simulation/machine.ts";
import { Scheduler } from "../simulation/scheduler.ts";
import { Seeded } from "../simulation/seeded.ts";
import { Tally } from "../simulation/tally.ts";
import { Trace } from "../simulation/trace.ts";

/** The simplest kind there is: a set of words that only grows. */
export const words: SnapshotKind<ReadonlySet<string>, string> = {
	empty: new Set(),
	encode: (value) => new TextEncoder().encode([...value].join("\n")),
	decode: (bytes) =>
		new Set(
			new TextDecoder()
				.decode(bytes)
				.split("\n")
				.filter((word) => word !== ""),
		),
	apply: (value, changes) =>
		changes.every((word) => value.has(word)) ? value : new Set([...value, ...changes]),
};

export const name = { namespace: "somebody", name: "words" };

const minute = 60_000;

const faults: Faults = {
	before: 0.03,
	after: 0.05,
	late: 0.05,
	latest: 30 * minute,
	rateLimit: 0.02,
	conflict: 0.02,
	partial: 0,
	slow: 0.02,
	verySlow: 0.002,
};
const hazards: Hazards = { death: 0.001, freeze: 0.004, longestFreeze: 90 * minute, skew: 2 * minute };

/** Something that a machine saw, with the steps of its call and its answer. */
interface Seen {
	readonly called: number;
	readonly answered: number;
	readonly words: ReadonlySet<string>;
}

interface Plan {
	readonly seed: number;
	readonly purgeAfter: number;
	readonly limits?: Partial<LogLimits>;
}

/**
 * Several machines that add words and read them for some hours, over faulty links, while old versions are removed.
 * Says what went wrong: a word that was acknowledged and is not there, then or later.
 */
export async function simulate({ seed, purgeAfter, limits }: Plan): Promise<readonly string[]> {
	const random = new Seeded(seed);
	const scheduler = new Scheduler(random);
	const world: World = { scheduler, random, trace: new Trace(scheduler, false), tally: new Tally() };
	const bucket = new Bucket(scheduler);
	const added: { readonly word: string; readonly called: number; readonly answered: number }[] = [];
	const reads: Seen[] = [];
	const problems: string[] = [];

	for (let m = 0; m < 3; m++) {
		const machine = new Machine(world, `m${m}`, hazards);
		const register = new SnapshotRegister({
			clock: machine.clock,
			random: random.fork(),
			kind: words,
			limits,
		});
		for (let k = 0; k < 12; k++) {
			const word = `${m}-${k}`;
			machine.step(random.spread(1, 3 * 60 * minute), async () => {
				const scope = { store: new Link(world, machine, bucket, faults, word) };
				const called = scheduler.step;
				try {
					if (random.chance(0.3)) {
						const { value } = await register.read(scope, name);
						reads.push({ called, answered: scheduler.step, words: value });
						return;
					}
					const outcome = await register.update(scope, name, [word]);
					if (outcome.kind !== "done") return;
					if (!outcome.snapshot.value.has(word)) problems.push(`${word} is not in what its update answered`);
					added.push({ word, called, answered: scheduler.step });
				} catch (error) {
					if ((error as Error).name !== "StoreUnavailable") problems.push(`${word}: ${String(error)}`);
				}
			});
		}
	}
	for (let at = 0; at < 8 * 60 * minute; at += 5 * minute) {
		scheduler.after(at, async () => {
			const times = { now: Math.floor(scheduler.now), after: purgeAfter, again: 24 * 60 * minute };
			await purgeSnapshots(bucket.store, name.namespace, times);
		});
	}
	await scheduler.run(100_000);

	const observer = new Machine(world, "observer", { death: 0, freeze: 0, longestFreeze: 1, skew: 0 });
	const last = await new SnapshotRegister({ clock: observer.clock, random, kind: words }).read(
		{ store: bucket.store },
		name,
	);
	reads.push({ called: Number.POSITIVE_INFINITY, answered: Number.POSITIVE_INFINITY, words: last.value });
	for (const { word, answered } of added) {
		for (const read of reads) {
			if (read.called > answered && !read.words.has(word))
				problems.push(`${word} is missing at step ${read.called}`);
		}
	}
	for (const earlier of reads) {
		for (const later of reads) {
			if (later.called <= earlier.answered) continue;
			for (const word of earlier.words)
				if (!later.words.has(word)) problems.push(`${word} was seen, and then not`);
		}
	}
	return problems;
}
