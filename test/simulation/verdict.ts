import { logPrefix } from "../../src/log/keys.ts";
import type { Log } from "../../src/log/log.ts";
import type { Bucket } from "./bucket.ts";
import { check } from "./checker.ts";
import type { Subject } from "./client.ts";
import { checkBucket, checkObjects, checkRebuilds, coldLog, differences } from "./invariants.ts";
import { chronicleOf, type Objects, objectsOf } from "./objects.ts";
import { Seeded } from "./seeded.ts";
import { States } from "./states.ts";

/** Prefixes of a log that a cold process reads in the end, about. */
const rebuilds = 12;

/** What is left when a run is over. */
export interface Remains {
	readonly bucket: Bucket;
	/** The engines that still run. */
	readonly warm: readonly Log[];
	readonly isPurged: boolean;
	readonly seed: number;
}

/** Everything that is wrong with one log after a run: its history, its objects, and what a process makes of them. */
export async function judge(
	subject: Subject,
	remains: Remains,
): Promise<{ problems: string[]; objects: Objects }> {
	const { name, desk, rumour } = subject;
	const prefix = logPrefix(name);
	const objects = objectsOf(remains.bucket.landings.filter(({ key }) => key.startsWith(prefix)));
	const chronicle = chronicleOf(objects);
	const states = new States(chronicle);
	const problems = [
		...desk.problems,
		...desk.hanging(),
		...check(chronicle, desk.operations),
		...checkObjects(objects, rumour.sizes),
		...(await checkRebuilds(name, objects, states, new Seeded(remains.seed), rebuilds)),
		...(await checkBucket(remains.bucket.store, name, objects, remains.isPurged)),
		...(await lastReads(subject, remains, objects, states)),
	];
	return { problems, objects };
}

/** In the end all processes, and one that starts with nothing, see the same. */
async function lastReads(
	subject: Subject,
	remains: Remains,
	objects: Objects,
	states: States,
): Promise<string[]> {
	const expected = objects.tombstone ? "gone" : objects.live.length === 0 ? "absent" : "ok";
	const problems: string[] = [];
	for (const [index, log] of [coldLog(), ...remains.warm].entries()) {
		const reader = index === 0 ? "a cold process" : "a warm process";
		try {
			const outcome = await log.read({ store: remains.bucket.store }, subject.name);
			if (outcome.kind !== expected)
				problems.push(`in the end ${reader} says ${outcome.kind}, not ${expected}`);
			if (outcome.kind !== "ok" || expected !== "ok") continue;
			const found = differences(outcome.view, states.last - 1, objects.live, states);
			problems.push(...found.map((what) => `in the end of ${reader}: ${what}`));
		} catch (error) {
			problems.push(`in the end ${reader} throws ${error}`);
		}
	}
	return problems;
}
