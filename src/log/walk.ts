import { type ListedObject, type ObjectStore, StoreUnavailable } from "../store/object-store.ts";
import { smallestLiveCommit } from "./commit.ts";
import {
	afterPrefix,
	commitNumber,
	logIdOfKey,
	logPrefix,
	logsPrefix,
	type Namespace,
	namespaceOfKey,
	namespacePrefix,
} from "./keys.ts";

/** A log as a LIST shows it. */
export interface FoundLog {
	readonly id: string;
	/** Number of its newest commit. */
	readonly newest: number;
	/** The newest commit is a tombstone, as its size tells. */
	readonly ended: boolean;
}

/**
 * The namespaces of a bucket, by their hashes, in ascending order and after the one given. What many small ones hold
 * is listed a thousand objects at a time; of a large one only the first page.
 */
export async function* walkNamespaces(
	store: ObjectStore,
	after?: { readonly hash: string },
): AsyncGenerator<{ readonly hash: string }> {
	let from = after === undefined ? undefined : afterPrefix(namespacePrefix(after));
	let last: string | undefined;
	for (;;) {
		const page = await listAfter(store, "", from);
		for (const { key } of page.objects) {
			const namespace = namespaceOfKey(key);
			if (namespace === undefined || namespace.hash === last) continue;
			last = namespace.hash;
			yield namespace;
		}
		if (!page.truncated) return;
		const lastKey = page.objects.at(-1)!.key;
		const namespace = namespaceOfKey(lastKey);
		from = namespace === undefined ? lastKey : afterPrefix(namespacePrefix(namespace));
	}
}

/** The logs of a namespace in the order of their keys, after the one given; like namespaces, large ones are skipped through. */
export async function* walkLogs(
	store: ObjectStore,
	namespace: Namespace,
	after?: string,
): AsyncGenerator<FoundLog> {
	let from = after === undefined ? undefined : afterPrefix(logPrefix({ namespace, id: after }));
	let last: string | undefined;
	for (;;) {
		const page = await listAfter(store, logsPrefix(namespace), from);
		for (const { key, size } of page.objects) {
			const id = logIdOfKey(key);
			const newest = commitNumber(key);
			if (id === undefined || newest === undefined || id === last) continue;
			last = id;
			yield { id, newest, ended: size < smallestLiveCommit };
		}
		if (!page.truncated) return;
		const lastKey = page.objects.at(-1)!.key;
		const id = logIdOfKey(lastKey);
		from = id === undefined ? lastKey : afterPrefix(logPrefix({ namespace, id }));
	}
}

async function listAfter(
	store: ObjectStore,
	prefix: string,
	after: string | undefined,
): Promise<{ readonly objects: readonly ListedObject[]; readonly truncated: boolean }> {
	const page = await store.list(prefix, after === undefined ? {} : { after });
	if (page.truncated && page.objects.length === 0)
		throw new StoreUnavailable(`${prefix}: an empty page of a LIST`);
	return page;
}
