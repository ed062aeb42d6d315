import { logPrefix } from "../../src/log/keys.ts";
import type { Mutation } from "../../src/log/log.ts";
import { Bucket } from "./bucket.ts";
import { check } from "./checker.ts";
import { Cleaner } from "./cleaner.ts";
import { Client, type Subject } from "./client.ts";
import { Desk } from "./desk.ts";
import { Host } from "./host.ts";
import { checkBucket, checkObjects, checkRebuilds, coldLog, differences } from "./invariants.ts";
import type { World } from "./machine.ts";
import type { SimulatedMutation } from "./mutation.ts";
import { chronicleOf, objectsOf } from "./objects.ts";
import { drawProfile, type Profile } from "./profile.ts";
import { Scheduler } from "./scheduler.ts";
import { Seeded } from "./seeded.ts";
import { States } from "./states.ts";
import { Trace } from "./trace.ts";
import { newRumour, Wishes } from "./wishes.ts";

export interface Run {
	readonly seed: number;
	readonly problems: readonly string[];
	readonly digest: string;
	/** Line by line what happened, where it was asked for. */
	readonly trace: readonly string[];
	readonly counts: Counts;
}

/** How much of what a run had. */
export interface Counts {
	readonly events: number;
	readonly commits: number;
	readonly operations: number;
	readonly answers: Readonly<Record<string, number>>;
}

const mostEvents = 200_000;

/** Runs one seed from the first request to the last late write, and says all that went wrong. */
export async function simulate(
	seed: number,
	options: { readonly keepTrace?: boolean; readonly mutation?: SimulatedMutation } = {},
): Promise<Run> {
	const random = new Seeded(seed);
	const profile = drawProfile(random);
	const scheduler = new Scheduler(random);
	const world: World = { scheduler, random, trace: new Trace(scheduler, options.keepTrace ?? false) };
	world.trace.note("run", JSON.stringify(profile));
	const bucket = new Bucket(scheduler);
	const hosts = Array.from({ length: profile.machines }, (_, index) => {
		const name = String.fromCharCode(65 + index);
		return new Host(world, name, {
			hazards: profile.hazards,
			limits: profile.limits,
			mutations: engineMutations(options.mutation),
		});
	});
	const subjects: Subject[] = [];
	const newSubject = () => {
		const subject = makeSubject(world, profile, bucket, `log${subjects.length}`);
		subjects.push(subject);
		return subject;
	};
	for (let left = profile.logs; left > 0; left--) newSubject();
	const parts = { world, profile, hosts, subjects, newSubject, bucket, mutation: options.mutation };
	const cleaner = new Cleaner(parts);
	const clients = Promise.all(
		Array.from({ length: profile.clients }, () => new Client({ ...parts, cleaner }).live()),
	);
	const problems: string[] = [];
	clients.catch((error) => problems.push(`a client: ${error.stack}`));
	void cleaner.work(clients);
	try {
		await scheduler.run(mostEvents);
	} catch (error) {
		problems.push((error as Error).message);
	}
	problems.push(...cleaner.problems);
	for (const subject of subjects) {
		const found = await checkSubject(subject, bucket, hosts, cleaner, seed).catch((error: Error) => [
			`cannot be checked: ${error.stack}`,
		]);
		problems.push(...found.map((problem) => `${subject.name.id}: ${problem}`));
	}
	for (const problem of problems) world.trace.note("run", `PROBLEM ${problem}`);
	return {
		seed,
		problems,
		trace: world.trace.lines,
		digest: world.trace.digest(),
		counts: countsOf(scheduler, subjects, bucket),
	};
}

function makeSubject(world: World, profile: Profile, bucket: Bucket, id: string): Subject {
	const rumour = newRumour();
	rumour.sizes.set("genesis", profile.size);
	return {
		name: { namespace: "simulated", id },
		desk: new Desk(world, profile, bucket, id),
		wishes: new Wishes(world.random, profile, id, rumour),
		rumour,
	};
}

async function checkSubject(
	subject: Subject,
	bucket: Bucket,
	hosts: readonly Host[],
	cleaner: Cleaner,
	seed: number,
): Promise<string[]> {
	const { name, desk, rumour } = subject;
	const problems = [...desk.problems, ...desk.hanging()];
	const prefix = logPrefix(name);
	const objects = objectsOf(bucket.landings.filter(({ key }) => key.startsWith(prefix)));
	const chronicle = chronicleOf(objects);
	const states = new States(chronicle);
	problems.push(...check(chronicle, desk.operations), ...checkObjects(objects, rumour.sizes));
	problems.push(...(await checkRebuilds(name, objects, states, new Seeded(seed), 12)));
	problems.push(...(await checkBucket(bucket.store, name, objects, cleaner.isFinished(name))));
	const expected = objects.tombstone ? "gone" : objects.live.length === 0 ? "absent" : "ok";
	const readers = [coldLog(), ...hosts.flatMap(({ running }) => running?.log ?? [])];
	for (const [index, log] of readers.entries()) {
		const reader = index === 0 ? "a cold process" : "a warm process";
		try {
			const outcome = await log.read({ store: bucket.store }, name);
			if (outcome.kind !== expected)
				problems.push(`in the end ${reader} says ${outcome.kind}, not ${expected}`);
			else if (outcome.kind === "ok") {
				problems.push(
					...differences(outcome.view, states.last - 1, objects.live, states).map(
						(what) => `in the end of ${reader}: ${what}`,
					),
				);
			}
		} catch (error) {
			problems.push(`in the end ${reader} throws ${error}`);
		}
	}
	return problems;
}

function engineMutations(mutation: SimulatedMutation | undefined): ReadonlySet<Mutation> {
	const elsewhere: (SimulatedMutation | undefined)[] = [
		undefined,
		"ids-fixed-on-arrival",
		"duplicate-before-if-match",
		"purge-delay",
		"commit-0-kept",
	];
	return new Set(elsewhere.includes(mutation) ? [] : [mutation as Mutation]);
}

function countsOf(scheduler: Scheduler, subjects: readonly Subject[], bucket: Bucket): Counts {
	const answers: Record<string, number> = {};
	const operations = subjects.flatMap(({ desk }) => desk.operations);
	for (const { question, answer } of operations) {
		const what = `${question.kind}: ${answer?.kind === "refused" ? answer.why : (answer?.kind ?? "no answer")}`;
		answers[what] = (answers[what] ?? 0) + 1;
	}
	return { events: scheduler.step, commits: bucket.landings.length, operations: operations.length, answers };
}
