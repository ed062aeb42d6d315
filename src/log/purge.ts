import { type ListedObject, type ObjectStore, StoreUnavailable } from "../store/object-store.ts";
import {
	encodeTombstone,
	headerAllowance,
	parseHeader,
	smallestLiveCommit,
	type Tombstone,
} from "./commit.ts";
import {
	commitKey,
	commitNumber,
	type Namespace,
	snapshotNameOfKey,
	snapshotsPrefix,
	sweepKey,
	versionNumber,
} from "./keys.ts";

/** The times of a clean-up; all ages are measured by the store's own times. Milliseconds. */
export interface PurgeTimes {
	/** The store's time now (`storeTime`). */
	readonly now: number;
	/** What ended or was replaced at least so long ago may be removed: longer than any instance trusts a tail. */
	readonly after: number;
	/** So long after its purge a log is looked at once more: a write that was lost in the network may have landed. */
	readonly again: number;
}

/**
 * What a purge found and left. `living`: nothing to do. `waiting`: ended, but not long enough ago.
 * `purged`: nothing of its content is there, and it is to be looked at once more. `finished`: only the tombstone at
 * number 0 is left, for ever. `absent`: there is no such log.
 */
export type PurgeOutcome = "living" | "waiting" | "purged" | "finished" | "absent";

/**
 * Removes what an ended log held. Commit 0 is overwritten with the tombstone first, so that at no time, whatever is
 * interrupted, the newest two keys look like a living log; the tombstone on top is kept until the second look, so
 * that no write that lands late comes to lie above it. Can be repeated at any time. 1 LIST; and where there is
 * something to do, 1 PUT, and 1 LIST and 1 DELETE a thousand objects.
 * @throws StoreUnavailable, and Corrupt where the newest object is neither commit nor tombstone
 */
export async function purgeLog(store: ObjectStore, prefix: string, times: PurgeTimes): Promise<PurgeOutcome> {
	const page = await store.list(prefix);
	const newest = page.objects[0];
	if (newest === undefined) return "absent";
	const zero = await objectZero(store, prefix, page.objects, page.truncated);
	if (zero !== undefined && zero.tombstone !== undefined) {
		if (page.objects.length === 1 && !page.truncated) return "finished";
		const top = await endOf(store, newest);
		await removeBelow(store, prefix, top);
		if (times.now - zero.modified < times.again) return "purged";
		if (top !== undefined && top.n > 0) await store.delete([newest.key]);
		return "finished";
	}
	const end = await endOf(store, newest);
	if (end === undefined) return "living";
	if (times.now - newest.modified < times.after) return "waiting";
	await overwriteZero(store, prefix, end.writeId);
	await removeBelow(store, prefix, end);
	return "purged";
}

/** A snapshot, as a LIST shows it. */
export interface FoundSnapshot {
	readonly name: string;
	/** Number of the newest version. */
	readonly version: number;
	/** The store's time of it. */
	readonly modified: number;
	/** Older versions that are still there. */
	readonly older: number;
}

/**
 * Removes versions of a namespace's snapshots that were replaced at least `after` ago; the newest always stays.
 * 1 LIST and 1 DELETE a thousand objects.
 * @throws StoreUnavailable
 */
export async function purgeSnapshots(
	store: ObjectStore,
	namespace: Namespace,
	times: PurgeTimes,
): Promise<readonly FoundSnapshot[]> {
	const found = new Map<string, FoundSnapshot>();
	let newer: ListedObject | undefined;
	let newerName: string | undefined;
	for await (const objects of pages(store, snapshotsPrefix(namespace))) {
		const old: string[] = [];
		for (const object of objects) {
			const [name, version] = [snapshotNameOfKey(object.key), versionNumber(object.key)];
			if (name === undefined || version === undefined) continue;
			const known = found.get(name);
			if (known === undefined) found.set(name, { name, version, modified: object.modified, older: 0 });
			else if (newer !== undefined && newerName === name && times.now - newer.modified >= times.after) {
				old.push(object.key);
			} else found.set(name, { ...known, older: known.older + 1 });
			newer = object;
			newerName = name;
		}
		if (old.length > 0) await store.delete(old);
	}
	return [...found.values()];
}

/** Removes a snapshot with all its versions. For one that nobody will read or write any more. */
export async function removeSnapshot(store: ObjectStore, prefix: string): Promise<void> {
	for await (const objects of pages(store, prefix)) {
		if (objects.length > 0) await store.delete(objects.map(({ key }) => key));
	}
}

/** The store's own time, epoch ms: that of an object written now. 1 PUT + 1 GET. @throws StoreUnavailable */
export async function storeTime(store: ObjectStore): Promise<number> {
	const key = sweepKey("now");
	await put(store, key, new Uint8Array(1));
	const outcome = await store.get(key);
	if (outcome.kind !== "found") throw new StoreUnavailable(`${key}: not there after it was written`);
	return outcome.modified;
}

async function objectZero(
	store: ObjectStore,
	prefix: string,
	objects: readonly ListedObject[],
	truncated: boolean,
): Promise<{ readonly modified: number; readonly tombstone?: Tombstone } | undefined> {
	const key = commitKey(prefix, 0);
	const listed = objects.at(-1);
	if (!truncated && listed?.key !== key) return undefined;
	if (!truncated && listed !== undefined && listed.size >= smallestLiveCommit)
		return { modified: listed.modified };
	const outcome = await store.get(key, { range: { offset: 0, length: headerAllowance } });
	if (outcome.kind !== "found") return undefined;
	const header = parseHeader(key, 0, outcome.bytes)?.header;
	return { modified: outcome.modified, ...(header?.kind === "tombstone" ? { tombstone: header } : {}) };
}

/** The tombstone that this object is, or undefined. */
async function endOf(store: ObjectStore, object: ListedObject): Promise<Tombstone | undefined> {
	const n = commitNumber(object.key);
	if (n === undefined || object.size >= smallestLiveCommit) return undefined;
	const outcome = await store.get(object.key);
	if (outcome.kind !== "found") throw new StoreUnavailable(`${object.key}: not there after it was listed`);
	const header = parseHeader(object.key, n, outcome.bytes)?.header;
	return header?.kind === "tombstone" ? header : undefined;
}

async function overwriteZero(store: ObjectStore, prefix: string, writeId: string): Promise<void> {
	await put(store, commitKey(prefix, 0), encodeTombstone(prefix, 0, writeId));
}

/** Removes all but number 0 and the tombstone on top, if there is one. */
async function removeBelow(store: ObjectStore, prefix: string, top: Tombstone | undefined): Promise<void> {
	const kept = [commitKey(prefix, 0), ...(top === undefined ? [] : [commitKey(prefix, top.n)])];
	for await (const objects of pages(store, prefix)) {
		const removed = objects.map(({ key }) => key).filter((key) => !kept.includes(key));
		if (removed.length > 0) await store.delete(removed);
	}
}

async function put(store: ObjectStore, key: string, bytes: Uint8Array): Promise<void> {
	const outcome = await store.put(key, bytes);
	if (outcome.kind !== "created") throw new StoreUnavailable(`${key}: not written`);
}

async function* pages(store: ObjectStore, prefix: string): AsyncGenerator<readonly ListedObject[]> {
	for (let after: string | undefined; ; ) {
		const page = await store.list(prefix, after === undefined ? {} : { after });
		yield page.objects;
		if (!page.truncated) return;
		if (page.objects.length === 0) throw new StoreUnavailable(`${prefix}: an empty page of a LIST`);
		after = page.objects.at(-1)!.key;
	}
}
