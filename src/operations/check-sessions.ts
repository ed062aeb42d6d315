import {
	checkLog,
	type LogReport,
	logPrefix,
	type Namespace,
	namespacePrefix,
	walkLogs,
	walkNamespaces,
} from "../log/log.ts";
import type { ObjectStore } from "../store/object-store.ts";

export interface CheckedSession {
	readonly id: string;
	/** All keys of the namespace begin with it. */
	readonly namespacePrefix: string;
	readonly report: LogReport;
}

export interface CheckOptions {
	/** Only the session with this id. */
	readonly session?: string;
	/** Only this namespace; all of the bucket otherwise. */
	readonly namespace?: Namespace;
	/** Writes what can be put together again from copies. Otherwise nothing is written. */
	readonly repair: boolean;
}

/**
 * Checks every object of every session, or of one, against its copies. One after the other: a bucket is read through
 * at the pace of one session.
 * @throws StoreUnavailable
 */
export async function* checkSessions(
	store: ObjectStore,
	{ session, namespace, repair }: CheckOptions,
): AsyncGenerator<CheckedSession> {
	for await (const place of namespace === undefined ? walkNamespaces(store) : [namespace]) {
		for await (const { id } of session === undefined ? walkLogs(store, place) : [{ id: session }]) {
			const report = await checkLog(store, logPrefix({ namespace: place, id }), { repair });
			const isThere = report.standing !== "absent" || report.findings.length > 0;
			if (isThere) yield { id, namespacePrefix: namespacePrefix(place), report };
		}
	}
}
