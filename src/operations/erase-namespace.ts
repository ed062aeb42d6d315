import { sharesPrefix, walkLogs } from "../log/log.ts";
import { type Call, logOf } from "./call.ts";
import type { ShardChange } from "./catalogue-shard.ts";
import type { Refusal } from "./refusal.ts";
import { removeShares } from "./shares.ts";
import { unavailable } from "./unavailable.ts";

/** Sessions that one call ends: platforms bound the requests of one invocation. */
const mostAtOnce = 100;
/** Sessions that are ended at the same time. */
const parallel = 6;

export interface Erasure {
	readonly kind: "erasure";
	/** Nothing of the namespace is left but the names of what was. */
	readonly done: boolean;
	/** Sessions that this call has deleted. */
	readonly deleted: number;
	/** Sessions that are still to be deleted: call again. */
	readonly remaining: number;
	/** Deleted sessions whose content still is in the bucket; the clean-up removes it after the purge delay. */
	readonly purging: number;
}

/**
 * Ends all sessions and shares of the caller's namespace, some at each call. Whatever is interrupted, the next call
 * goes on: also with sessions that were ended, and no list was told. 1 LIST a thousand objects (or a session, where it
 * has more), 2 GETs a shard of the catalogue, and what it takes to delete the sessions.
 */
export async function eraseNamespace(call: Call): Promise<Erasure | Refusal> {
	const { scope, namespace, catalogue, clock } = call;
	await removeShares(scope.store, sharesPrefix(namespace));
	const known = await catalogue.read(scope, namespace);
	const unmet = new Set(known.flatMap(({ value }) => [...value.cards.keys()]));
	const ended: string[] = [];
	const unlisted: string[] = [];
	let wave: Promise<"ended" | "unavailable">[] = [];
	let remaining = 0;
	let failed = false;
	const settle = async () => {
		failed ||= (await Promise.all(wave)).includes("unavailable");
		wave = [];
	};
	const visit = async (id: string) => {
		if (ended.length >= mostAtOnce || failed) {
			remaining += 1;
			return;
		}
		ended.push(id);
		wave.push(end(call, id));
		if (wave.length >= parallel) await settle();
	};
	for await (const { id, newest, ended: isEnded } of walkLogs(scope.store, namespace)) {
		const isListed = unmet.delete(id);
		if (!isEnded) await visit(id);
		// Who ended it had no time to say so. Where only number 0 is left there is nothing to say.
		else if (isListed || (newest > 0 && !isGone(id))) unlisted.push(id);
	}
	// Made since the walk went by, or taken away by other means than ours.
	for (const id of unmet) await visit(id);
	await settle();
	const changes = Map.groupBy([...ended, ...unlisted], (id) => catalogue.shardOf(id));
	for (const [shard, ids] of changes) {
		const gone = ids.map((id): ShardChange => ({ kind: "gone", id, at: clock.now() }));
		const outcome = await catalogue.tidy(scope, namespace, shard, gone);
		if (outcome.kind === "unavailable") return unavailable("indeterminate");
	}
	if (failed) return unavailable("indeterminate");
	const shards = await catalogue.read(scope, namespace);
	const purging = shards.reduce(
		(sum, { value }) => sum + [...value.gone.values()].filter(({ purged }) => purged === undefined).length,
		0,
	);
	const listed = shards.reduce((sum, { value }) => sum + value.cards.size, 0);
	return {
		kind: "erasure",
		done: remaining === 0 && purging === 0 && listed === 0,
		deleted: ended.length,
		remaining,
		purging,
	};

	function isGone(id: string): boolean {
		return known[catalogue.shardOf(id)]?.value.gone.has(id) ?? false;
	}
}

async function end(call: Call, id: string): Promise<"ended" | "unavailable"> {
	const outcome = await call.log.end(call.scope, logOf(call, id));
	return outcome.kind === "unavailable" ? "unavailable" : "ended";
}
