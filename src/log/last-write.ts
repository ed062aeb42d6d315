import type { ObjectStore } from "../store/object-store.ts";
import { smallestLiveCommit } from "./commit.ts";
import { commitKey, commitNumber } from "./keys.ts";

/** The store's time of the newest commit below a log's prefix; undefined where there is none, or it is a tombstone. 1 LIST. */
export async function lastWrite(store: ObjectStore, prefix: string): Promise<number | undefined> {
	const newest = (await store.list(prefix, { limit: 1 })).objects[0];
	if (newest === undefined || newest.size < smallestLiveCommit) return undefined;
	const n = commitNumber(newest.key);
	return n !== undefined && commitKey(prefix, n) === newest.key ? newest.modified : undefined;
}
