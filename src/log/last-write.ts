import type { ObjectStore } from "../store/object-store.ts";
import { smallestLiveCommit } from "./commit.ts";
import { commitKey, commitNumber } from "./keys.ts";

/** The newest commit of a living log. */
export interface LastWrite {
	/** Its number. */
	readonly commit: number;
	/** The store's time of it, epoch ms. */
	readonly at: number;
}

/** The newest commit below a log's prefix; undefined where there is none, or it is a tombstone. 1 LIST. */
export async function lastWrite(store: ObjectStore, prefix: string): Promise<LastWrite | undefined> {
	const newest = (await store.list(prefix, { limit: 1 })).objects[0];
	if (newest === undefined || newest.size < smallestLiveCommit) return undefined;
	const commit = commitNumber(newest.key);
	if (commit === undefined || commitKey(prefix, commit) !== newest.key) return undefined;
	return { commit, at: newest.modified };
}
