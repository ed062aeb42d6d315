import type { Mutation } from "../../src/log/log.ts";
import { Bucket } from "./bucket.ts";
import { Cleaner } from "./cleaner.ts";
import { Client, type Subject } from "./client.ts";
import { Desk } from "./desk.ts";
import { Host } from "./host.ts";
import type { World } from "./machine.ts";
import type { SimulatedMutation } from "./mutation.ts";
import type { Objects } from "./objects.ts";
import { drawProfile, type Profile } from "./profile.ts";
import { Scheduler } from "./scheduler.ts";
import { Seeded } from "./seeded.ts";
import { Tally } from "./tally.ts";
import { Trace } from "./trace.ts";
import { judge } from "./verdict.ts";
import { newRumour, Wishes } from "./wishes.ts";

export interface Run {
	readonly seed: number;
	/** All that went wrong. */
	readonly problems: readonly string[];
	/** Digest of the whole trace. */
	readonly digest: string;
	/** Line by line what happened, where it was asked for. */
	readonly trace: readonly string[];
	/** How often what happened. */
	readonly counts: Readonly<Record<string, number>>;
}

export interface RunOptions {
	readonly keepTrace?: boolean;
	readonly mutation?: SimulatedMutation;
}

const mostEvents = 300_000;

/** Runs one seed from the first request to the last late write, and judges what is left. */
export async function simulate(seed: number, { keepTrace = false, mutation }: RunOptions = {}): Promise<Run> {
	const random = new Seeded(seed);
	const profile = drawProfile(random);
	const scheduler = new Scheduler(random);
	const trace = new Trace(scheduler, keepTrace);
	const world: World = { scheduler, random, trace, tally: new Tally() };
	trace.note("run", JSON.stringify(profile));
	const bucket = new Bucket(scheduler);
	const mutations = engineMutations(mutation);
	const hosts = Array.from({ length: profile.machines }, (_, index) => {
		const name = String.fromCharCode(65 + index);
		return new Host(world, name, { hazards: profile.hazards, limits: profile.limits, mutations });
	});
	const subjects: Subject[] = [];
	const newSubject = () => {
		const subject = makeSubject(world, profile, bucket, `log${subjects.length}`);
		subjects.push(subject);
		return subject;
	};
	for (let left = profile.logs; left > 0; left--) newSubject();

	const parts = { world, profile, hosts, subjects, newSubject, bucket, mutation };
	const cleaner = new Cleaner(parts);
	const clients = Array.from({ length: profile.clients }, () => new Client({ ...parts, cleaner }).live());
	const problems: string[] = [];
	const lives = Promise.all(clients).catch((error) => problems.push(`a client: ${error.stack}`));
	void cleaner.work(lives);
	await scheduler.run(mostEvents).catch((error) => problems.push(error.message));
	problems.push(...cleaner.problems);

	const warm = hosts.flatMap(({ running }) => running?.log ?? []);
	for (const subject of subjects) {
		const isPurged = cleaner.isFinished(subject.name);
		try {
			const verdict = await judge(subject, { bucket, warm, isPurged, seed });
			problems.push(...verdict.problems.map((problem) => `${subject.name.id}: ${problem}`));
			countObjects(world.tally, verdict.objects);
		} catch (error) {
			problems.push(`${subject.name.id} cannot be judged: ${(error as Error).stack}`);
		}
		countAnswers(world.tally, subject);
	}
	world.tally.add("events", scheduler.step);
	for (const problem of problems) trace.note("run", `PROBLEM ${problem}`);
	return { seed, problems, trace: trace.lines, digest: trace.digest(), counts: world.tally.counts };
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

function engineMutations(mutation: SimulatedMutation | undefined): ReadonlySet<Mutation> {
	const isElsewhere = mutation === "ids-fixed-on-arrival" || mutation === "duplicate-before-if-match";
	return new Set(mutation === undefined || isElsewhere ? [] : [mutation]);
}

function countObjects(tally: Tally, { live, tombstone, strays }: Objects): void {
	tally.add("commits", live.length);
	tally.add("commits: landed where a purge had passed", strays.length);
	if (tombstone) tally.add("commits: ends");
	for (const { landing, header } of live) {
		tally.add("bytes", landing.bytes.length);
		if (header.cover.length > 0) tally.add("commits: with a cover that cannot be guessed");
		if (header.bodyCarried > 1) tally.add("commits: with bodies of others");
		if (header.indexCarried > 4) tally.add("commits: with the index of more than 4");
	}
}

function countAnswers(tally: Tally, { desk }: Subject): void {
	tally.add("requests", desk.operations.length);
	for (const { question, answer } of desk.operations) {
		const told = answer?.kind === "refused" ? `refused, ${answer.why}` : (answer?.kind ?? "no answer");
		tally.add(`${question.kind}: ${told}`);
	}
}
