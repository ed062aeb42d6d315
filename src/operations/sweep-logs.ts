import {
	Corrupt,
	type FoundLog,
	type Log,
	logPrefix,
	type Namespace,
	type Scope,
	walkLogs,
} from "../log/log.ts";
import type { Catalogue, Sighting } from "./catalogue.ts";
import type { Deletion, Shard, ShardChange } from "./catalogue-shard.ts";
import { describeSession } from "./describe-session.ts";
import { noteProblem, type SweepReport } from "./sweep-report.ts";

/** Logs that are read at the same time. */
const parallel = 6;
/** Changes of the catalogue that are written together. */
const batch = 200;

export interface LogSweep {
	readonly log: Log;
	readonly catalogue: Catalogue;
	readonly scope: Scope;
	readonly namespace: Namespace;
	readonly report: SweepReport;
	/** Goes on after this log. */
	readonly after?: string;
	/** True when it is time to end. */
	readonly stop: () => boolean;
}

/**
 * Compares the logs of a namespace with its catalogue, and lists what a crash between the two has left out: sessions
 * that were made or changed, and deletions. A shard that is damaged is put anew from the logs.
 * One LIST a thousand objects (or a log, where it has more), and what it takes to read the sessions that differ.
 * Answers the id of the last log it came to, where it was stopped.
 */
export async function sweepLogs(sweep: LogSweep): Promise<string | undefined> {
	const { catalogue, scope, namespace, report, after } = sweep;
	const shards = await readShards(sweep);
	const damaged = new Set(shards.flatMap((shard, at) => (shard === undefined ? [at] : [])));
	const anew = [...damaged].map((shard) => ({
		shard,
		sightings: [] as Sighting[],
		gone: [] as [string, Deletion][],
	}));
	const unmet =
		after === undefined ? new Set(shards.flatMap((shard) => [...(shard?.cards.keys() ?? [])])) : undefined;
	const changes = new Changes(sweep);
	const work: Promise<void>[] = [];

	const inspect = async (found: FoundLog): Promise<void> => {
		const at = catalogue.shardOf(found.id);
		const target = anew.find(({ shard }) => shard === at);
		const outcome = await compare(sweep, found, shards[at]);
		if (outcome === undefined) return;
		if (target === undefined)
			await changes.add(
				at,
				outcome.kind === "gone" ? goneChange(outcome) : catalogue.sighted(outcome.sighting),
			);
		else if (outcome.kind === "gone") target.gone.push([outcome.id, { at: outcome.at }]);
		else target.sightings.push(outcome.sighting);
		if (outcome.kind === "gone") report.unlisted += 1;
		else report.listed += 1;
	};

	for await (const found of walkLogs(scope.store, namespace, damaged.size > 0 ? undefined : after)) {
		unmet?.delete(found.id);
		work.push(
			inspect(found).catch((error) => noteProblem(report, logPrefix({ namespace, id: found.id }), error)),
		);
		if (work.length >= parallel) await Promise.all(work.splice(0));
		if (damaged.size === 0 && sweep.stop()) {
			await Promise.all(work);
			await changes.flush();
			return found.id;
		}
	}
	await Promise.all(work);
	for (const { shard, ...content } of anew) {
		const outcome = await catalogue.replace(scope, namespace, shard, content);
		if (outcome.kind === "done") report.rebuilt += 1;
	}
	for (const id of unmet ?? []) await unlistMissing(sweep, id, changes);
	await changes.flush();
	return undefined;
}

type Difference =
	| { readonly kind: "alive"; readonly sighting: Sighting }
	| { readonly kind: "gone"; readonly id: string; readonly at: number };

/** What the catalogue doesn't know of a log. */
async function compare(
	sweep: LogSweep,
	{ id, newest, ended }: FoundLog,
	shard: Shard | undefined,
): Promise<Difference | undefined> {
	const { log, scope, namespace, report } = sweep;
	const card = shard?.cards.get(id);
	if (shard?.gone.has(id)) return undefined;
	if (!ended && card !== undefined && card.commit >= newest) return undefined;
	// Nothing but the tombstone for ever.
	if (ended && newest === 0 && card === undefined) return undefined;
	const outcome = await log.read(scope, { namespace, id });
	if (outcome.kind === "absent") return undefined;
	if (outcome.kind === "gone") return { kind: "gone", id, at: 0 };
	const sighting = {
		session: await describeSession(outcome.view, card?.session),
		commit: outcome.view.commit,
	};
	if (sighting.session.id === id) return { kind: "alive", sighting };
	noteProblem(
		report,
		logPrefix({ namespace, id }),
		new Corrupt(logPrefix({ namespace, id }), "holds another session"),
	);
	return undefined;
}

/** A card whose log is not in the bucket: somebody has taken it away, by other means than ours. */
async function unlistMissing(
	{ log, scope, namespace, catalogue, report }: LogSweep,
	id: string,
	changes: Changes,
): Promise<void> {
	try {
		if ((await log.tip(scope, { namespace, id })).kind !== "absent") return;
		report.unlisted += 1;
		await changes.add(catalogue.shardOf(id), goneChange({ id, at: 0 }));
		await changes.add(catalogue.shardOf(id), { kind: "forget", id });
	} catch (error) {
		noteProblem(report, logPrefix({ namespace, id }), error);
	}
}

function goneChange({ id, at }: { readonly id: string; readonly at: number }): ShardChange {
	return { kind: "gone", id, at };
}

/** The shards of a catalogue; undefined where one is damaged. */
function readShards({ catalogue, scope, namespace }: LogSweep): Promise<(Shard | undefined)[]> {
	const shards = Array.from({ length: catalogue.settings.shards }, async (_, shard) => {
		try {
			return await catalogue.readShard(scope, namespace, shard);
		} catch (error) {
			if (error instanceof Corrupt) return undefined;
			throw error;
		}
	});
	return Promise.all(shards);
}

/** Changes of a catalogue, written many at a time. */
class Changes {
	readonly #sweep: LogSweep;
	readonly #waiting = new Map<number, ShardChange[]>();

	constructor(sweep: LogSweep) {
		this.#sweep = sweep;
	}

	async add(shard: number, change: ShardChange): Promise<void> {
		const waiting = this.#waiting.get(shard) ?? [];
		waiting.push(change);
		this.#waiting.set(shard, waiting);
		if (waiting.length >= batch) await this.#write(shard);
	}

	async flush(): Promise<void> {
		for (const shard of [...this.#waiting.keys()]) await this.#write(shard);
	}

	async #write(shard: number): Promise<void> {
		const changes = this.#waiting.get(shard) ?? [];
		this.#waiting.delete(shard);
		const { catalogue, scope, namespace } = this.#sweep;
		await catalogue.tidy(scope, namespace, shard, changes);
	}
}
