import {
	type FoundSnapshot,
	logPrefix,
	logSharesPrefix,
	type Namespace,
	type PurgeTimes,
	purgeLog,
	purgeSnapshots,
	removeSnapshot,
	type Scope,
	snapshotPrefix,
} from "../log/log.ts";
import { type Catalogue, shardName, shardsOfName } from "./catalogue.ts";
import type { Deletion, ShardChange } from "./catalogue-shard.ts";
import { removeShares } from "./shares.ts";
import { noteProblem, type SweepReport } from "./sweep-report.ts";

/** How far clocks may differ: a deletion that is dated further in the future is looked at anyway. */
const clockDifference = 60 * 60_000;
/** How much later a card leaves the catalogue than its session ends: its old version must be removed as well by then. */
const listingTime = 30_000;

/**
 * Removes what deleted sessions of a namespace have left, as far as its catalogue knows of them, and old versions of
 * the catalogue itself. 1 LIST and 1 GET a shard, and where there is something to do, what `purgeLog` takes and 1 PUT.
 */
export async function sweepCatalogue(
	parts: { readonly catalogue: Catalogue; readonly scope: Scope },
	namespace: Namespace,
	times: PurgeTimes,
	report: SweepReport,
): Promise<void> {
	const { catalogue, scope } = parts;
	const found = await purgeSnapshots(scope.store, namespace, times);
	await adoptForeign(parts, namespace, found, times);
	const newest = new Map(found.map(({ name, version }) => [name, version]));
	const versions = Array.from(
		{ length: catalogue.settings.shards },
		(_, shard) => newest.get(shardName(catalogue.settings.shards, shard)) ?? -1,
	);
	const shards = (await catalogue.at(scope, namespace, versions)) ?? (await catalogue.read(scope, namespace));
	for (const [shard, { value }] of shards.entries()) {
		const changes: ShardChange[] = [];
		for (const [id, deletion] of value.gone) {
			if (!isDue(deletion, times)) {
				report.waiting += 1;
				continue;
			}
			const prefix = logPrefix({ namespace, id });
			try {
				const outcome = await purgeLog(scope.store, prefix, times);
				if (outcome === "waiting") report.waiting += 1;
				else await removeShares(scope.store, logSharesPrefix({ namespace, id }));
				if (outcome === "purged") {
					report.purged += 1;
					changes.push({ kind: "purged", id, at: times.now });
				} else if (outcome !== "waiting") {
					report.finished += 1;
					changes.push({ kind: "forget", id });
				}
			} catch (error) {
				noteProblem(report, prefix, error);
			}
		}
		if (changes.length > 0) await catalogue.tidy(scope, namespace, shard, changes);
	}
}

/** Whether it is worth a look: only the store's times say whether anything may be removed. */
function isDue({ at, purged }: Deletion, { now, after, again }: PurgeTimes): boolean {
	if (at > now + clockDifference) return true;
	return purged === undefined ? now - at >= after + listingTime : now - purged >= again;
}

/** Takes over what a catalogue of another number of shards knew, and removes it once nobody can write to it any more. */
async function adoptForeign(
	{ catalogue, scope }: { readonly catalogue: Catalogue; readonly scope: Scope },
	namespace: Namespace,
	found: readonly FoundSnapshot[],
	times: PurgeTimes,
): Promise<void> {
	for (const { name, modified } of found) {
		const count = shardsOfName(name);
		if (count === undefined || count === catalogue.settings.shards) continue;
		const { cards, gone } = await catalogue.foreign(scope, namespace, name);
		const changes: { readonly id: string; readonly change: ShardChange }[] = [];
		for (const [id, { at, purged }] of gone) {
			changes.push({ id, change: { kind: "gone", id, at } });
			if (purged !== undefined) changes.push({ id, change: { kind: "purged", id, at: purged } });
		}
		for (const [id, card] of cards) changes.push({ id, change: { kind: "card", card, isFresh: () => true } });
		let adopted = true;
		for (const [shard, own] of Map.groupBy(changes, ({ id }) => catalogue.shardOf(id))) {
			const all = own.map(({ change }) => change);
			adopted &&= (await catalogue.tidy(scope, namespace, shard, all)).kind === "done";
		}
		if (adopted && times.now - modified >= times.after) {
			await removeSnapshot(scope.store, snapshotPrefix(namespace, name));
		}
	}
}
