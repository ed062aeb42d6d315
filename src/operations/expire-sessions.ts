import { type Log, type LogView, lastWrite, logPrefix, type Namespace, type Scope } from "../log/log.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ShardChange } from "./catalogue-shard.ts";
import { noteProblem, type SweepReport } from "./sweep-report.ts";

/**
 * Deletes the sessions of a namespace that nothing was written to for `ttl` ms, by the store's own times: what clients
 * say of their messages' times only tells where a look is worth its while. What is written while it is looked at
 * keeps its session. 1 GET a shard, 1 LIST a session that looks old, and what it takes to delete those that are.
 */
export async function expireSessions(
	parts: { readonly log: Log; readonly catalogue: Catalogue; readonly scope: Scope },
	namespace: Namespace,
	times: { readonly now: number; readonly ttl: number },
	report: SweepReport,
	stop: () => boolean,
): Promise<void> {
	const { log, catalogue, scope } = parts;
	const { now, ttl } = times;
	for (const [shard, { value }] of (await catalogue.read(scope, namespace)).entries()) {
		const changes: ShardChange[] = [];
		for (const { id, modified } of value.cards.values()) {
			if (stop()) break;
			if (now - modified < ttl && modified <= now) continue;
			const prefix = logPrefix({ namespace, id });
			try {
				const written = await lastWrite(scope.store, prefix);
				if (written === undefined || now - written.at < ttl) continue;
				// Whoever wrote since the look has kept it alive: it ends right behind the old commit, or not at all.
				const isStill = (view: LogView) => view.commit === written.commit;
				const outcome = await log.endIf(scope, { namespace, id }, isStill);
				if (outcome.kind === "ended" || outcome.kind === "gone") {
					report.expired += 1;
					changes.push({ kind: "gone", id, at: now });
				}
			} catch (error) {
				noteProblem(report, prefix, error);
			}
		}
		if (changes.length > 0) await catalogue.tidy(scope, namespace, shard, changes);
	}
}
