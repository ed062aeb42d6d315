import {
	Corrupt,
	type Log,
	namespacePrefix,
	type PurgeTimes,
	type Scope,
	storeTime,
	sweepKey,
	walkNamespaces,
} from "../log/log.ts";
import type { Catalogue } from "./catalogue.ts";
import { expireSessions } from "./expire-sessions.ts";
import { sweepCatalogue } from "./sweep-catalogue.ts";
import { sweepLogs } from "./sweep-logs.ts";
import { newReport, noteProblem, type SweepReport } from "./sweep-report.ts";

export interface SweepParts {
	readonly log: Log;
	readonly catalogue: Catalogue;
	readonly scope: Scope;
}

/** Milliseconds. */
export interface SweepSettings {
	/** `PURGE_AFTER_MINUTES`: how long the content of a deleted session stays. */
	readonly purgeAfter: number;
	/** How long after that its place is looked at once more. */
	readonly purgeAgain: number;
	/** How often all logs are compared with the catalogues. */
	readonly compareEvery: number;
	/** `SESSION_TTL_DAYS`: sessions that nothing was written to for so long are deleted. Left out: none. */
	readonly ttl?: number;
}

const minute = 60_000;

export const sweepDefaults: SweepSettings = {
	purgeAfter: 60 * minute,
	purgeAgain: 24 * 60 * minute,
	compareEvery: 24 * 60 * minute,
};

/** Where a pass over the bucket is. Kept in the bucket, and nothing but time is lost with it. */
interface Progress {
	/** The store's time when the pass before this one ended. */
	readonly ended?: number;
	/** A pass is under way, and has come to this namespace, and to this log of it. */
	readonly namespace?: string;
	readonly log?: string;
}

/** Namespaces after which it is noted how far a pass has come. */
const noteEvery = 50;

/**
 * Removes what deleted sessions have left, in all namespaces; and once a day finds sessions and deletions that a crash
 * has kept out of the lists. Can be run by anybody at any time, by several at once, and be killed at any moment: the
 * next one goes on where it was. `stop` ends it early, for platforms that bound the work of one run. `compare` wants
 * the daily part now.
 * @throws StoreUnavailable where the bucket can't be gone through; troubles of single sessions are in the report
 */
export async function sweep(
	parts: SweepParts,
	settings: SweepSettings,
	options: { readonly stop?: () => boolean; readonly compare?: boolean } = {},
): Promise<SweepReport> {
	const report = newReport();
	const stop = options.stop ?? (() => false);
	const { store } = parts.scope;
	const now = await storeTime(store);
	const times: PurgeTimes = { now, after: settings.purgeAfter, again: settings.purgeAgain };
	const run: Run = { parts, times, report, stop, ...(settings.ttl !== undefined && { ttl: settings.ttl }) };

	const [catalogues, logs] = [
		await readProgress(parts.scope, "catalogues"),
		await readProgress(parts.scope, "logs"),
	];
	const compares =
		isUnderWay(logs) || sinceEnd(logs, now) >= settings.compareEvery || options.compare === true;
	// Where runs are short, the long comparison must get its turn too.
	const rests = compares && !isUnderWay(catalogues) && sinceEnd(catalogues, now) < settings.purgeAfter / 4;
	if (!rests && !(await pass(run, "catalogues", catalogues, (hash) => visitCatalogue(run, hash))))
		return report;
	if (compares) {
		const compare = (hash: string, after: string | undefined) =>
			sweepLogs({ ...parts, namespace: { hash }, report, stop, ...(after !== undefined && { after }) });
		if (!(await pass(run, "logs", logs, compare))) return report;
	}
	report.done = true;
	return report;
}

interface Run {
	readonly parts: SweepParts;
	readonly times: PurgeTimes;
	readonly report: SweepReport;
	readonly stop: () => boolean;
	readonly ttl?: number;
}

/** Where a catalogue is damaged it is put anew at once. */
async function visitCatalogue({ parts, times, report, stop, ttl }: Run, hash: string): Promise<undefined> {
	const namespace = { hash };
	try {
		await sweepCatalogue(parts, namespace, times, report);
		if (ttl !== undefined) await expireSessions(parts, namespace, { now: times.now, ttl }, report, stop);
	} catch (error) {
		if (!(error instanceof Corrupt)) throw error;
		noteProblem(report, namespacePrefix(namespace), error);
		await sweepLogs({ ...parts, namespace, report, stop: () => false });
	}
}

/**
 * Goes through all namespaces, from where the last run has stopped. `work` answers how far it came in one where it was
 * stopped there. False where there is more to do.
 */
async function pass(
	{ parts, times, report, stop }: Run,
	name: string,
	begun: Progress,
	work: (hash: string, after: string | undefined) => Promise<string | undefined>,
): Promise<boolean> {
	const { scope } = parts;
	const resumed = begun.log === undefined ? undefined : begun.namespace;
	const note = (progress: Progress) => writeProgress(scope, name, { ended: begun.ended, ...progress });
	let seen = 0;
	const visit = async (hash: string, after?: string): Promise<boolean> => {
		try {
			const log = await work(hash, after);
			report.namespaces += 1;
			if (log !== undefined) {
				await note({ namespace: hash, log });
				return false;
			}
		} catch (error) {
			noteProblem(report, namespacePrefix({ hash }), error);
		}
		seen += 1;
		const ends = stop();
		if (ends || seen % noteEvery === 0) await note({ namespace: hash });
		return !ends;
	};
	if (resumed !== undefined && !(await visit(resumed, begun.log))) return false;
	const from = begun.namespace === undefined ? undefined : { hash: begun.namespace };
	for await (const { hash } of walkNamespaces(scope.store, from)) if (!(await visit(hash))) return false;
	await writeProgress(scope, name, { ended: times.now });
	return true;
}

function isUnderWay({ namespace }: Progress): boolean {
	return namespace !== undefined;
}

function sinceEnd({ ended = 0 }: Progress, now: number): number {
	return now - ended;
}

async function readProgress(scope: Scope, name: string): Promise<Progress> {
	const outcome = await scope.store.get(sweepKey(name));
	if (outcome.kind !== "found") return {};
	try {
		const progress = JSON.parse(new TextDecoder().decode(outcome.bytes)) as Progress;
		const isSound = progress.namespace === undefined || /^[0-9a-f]{32}$/.test(progress.namespace);
		return isSound ? progress : {};
	} catch {
		return {};
	}
}

/** A note that could not be written costs no more than the time to come here again. */
async function writeProgress(scope: Scope, name: string, progress: Progress): Promise<void> {
	await scope.store.put(sweepKey(name), new TextEncoder().encode(JSON.stringify(progress)));
}
