/**
 * The object store port: all that the log asks of a bucket.
 *
 * Every backend owes these guarantees, and `test/store/contract.ts` checks them against each one:
 * - `put` with `ifAbsent` is atomic: of many racing creations of one key exactly one is `created`.
 *   `exists` is only said where the key really held another object; whenever the write may or may not
 *   have happened (409, 429, 5xx, timeout, reset) the outcome is `unknown`. It is sent exactly once.
 * - A `get` or `list` that starts after a `put` was answered `created` sees that object.
 * - `list` is in ascending order of the keys' UTF-8 bytes.
 *
 * Keys are well-formed text of 1 to 1024 bytes of UTF-8, without control characters and without a path segment
 * `.` or `..`, which HTTP would fold. ETags are opaque; those of one store are told alike by every request.
 */
export interface ObjectStore {
	/** Writes an object. Never throws for what the service answered: the outcome is a value. */
	put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<PutOutcome>;
	/** Reads an object or a range of it. Throws {@link StoreUnavailable} when no clear answer came. */
	get(key: string, options?: GetOptions): Promise<GetOutcome>;
	/** Lists a page of keys with a prefix. Throws {@link StoreUnavailable} when no clear answer came. */
	list(prefix: string, options?: ListOptions): Promise<ListPage>;
	/** Removes objects, any number; absent keys are no error. Throws {@link StoreUnavailable}. */
	delete(keys: readonly string[]): Promise<void>;
}

export interface PutOptions {
	/** Create only: `If-None-Match: *`. */
	readonly ifAbsent?: boolean;
}

export type PutOutcome =
	| { readonly kind: "created"; readonly etag: string }
	| { readonly kind: "exists" }
	| { readonly kind: "unknown"; readonly cause: unknown };

export interface GetOptions {
	/** Bytes wanted. A range that reaches past the end gives what there is, possibly nothing. */
	readonly range?: ByteRange;
	/** Only the object with this ETag: `If-Match`. Ranges that belong together are pinned by it. */
	readonly ifMatch?: string;
}

export interface ByteRange {
	/** First byte, from 0. One past the end costs some stores a second request. */
	readonly offset: number;
	/** Number of bytes, at least 1. */
	readonly length: number;
}

export type GetOutcome =
	| {
			readonly kind: "found";
			readonly bytes: Uint8Array;
			readonly etag: string;
			readonly size: number;
			readonly modified: number;
	  }
	| { readonly kind: "absent" }
	/** `ifMatch` named another object than the one there is. */
	| { readonly kind: "changed" };

export interface ListOptions {
	/** At most so many objects, 1 to 1000 (default 1000). A page may hold fewer, but an empty one is the last. */
	readonly limit?: number;
	/** Only keys after this one. */
	readonly after?: string;
}

export interface ListPage {
	readonly objects: readonly ListedObject[];
	/** More keys follow the last of this page. */
	readonly truncated: boolean;
}

export interface ListedObject {
	readonly key: string;
	/** Bytes. */
	readonly size: number;
	readonly etag: string;
	/** The store's own time of the write, epoch milliseconds. */
	readonly modified: number;
}

/** The store gave no clear answer; what was asked may or may not be so. Safe to ask again later. */
export class StoreUnavailable extends Error {
	override readonly name = "StoreUnavailable";
}
