/** What a log holds, in its own terms: it knows no session. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A record to be appended. Its place and its default head follow from where it lands. */
export interface NewRecord {
	/** Unique in the log. */
	readonly id: string;
	/** Id of the record it hangs below; null for a root. It need not exist (imports keep what they find). */
	readonly parent: string | null;
	/** Opaque to the log; short, since each index record holds it. */
	readonly kind: string;
	/** The record's own time, as its text says; ISO 8601 with milliseconds and Z is stored most shortly. */
	readonly time: string;
	/** Where the log's head is after this record; left out: at the record itself. */
	readonly head?: string | null;
	/** What views need without the bytes. Stored in the index: keep it small. */
	readonly meta?: JsonObject;
	/** The record's line, without a line feed at its end and with none inside. */
	readonly bytes: Uint8Array;
}

/** The first line of a log, which is no record: it has number 0 and lives in commit 0. */
export interface Genesis {
	readonly meta: JsonObject;
	readonly bytes: Uint8Array;
}

/**
 * A snapshot of a log: its index, always complete, and on demand its bodies.
 * Records are numbered from 1 in log order (`seq`). A snapshot never changes, whatever is appended later.
 */
export interface LogView {
	/** Number of the newest commit, from 0. */
	readonly commit: number;
	/** Number of records: the `seq` of the last one. */
	readonly length: number;
	/** Id of the record the head is at, or null. */
	readonly head: string | null;
	readonly genesis: JsonObject;
	/** `seq` of the record with this id, or undefined. */
	seqOf(id: string): number | undefined;
	id(seq: number): string;
	/** The parent's id as it was given. */
	parent(seq: number): string | null;
	/** The parent's `seq`, or 0 where there is none in the log before or after it. */
	parentSeq(seq: number): number;
	kind(seq: number): string;
	time(seq: number): string;
	/** Bytes of the record's line, without its line feed. */
	byteLength(seq: number): number;
	meta(seq: number): JsonObject;
	/** Number of the commit that holds the record. */
	commitOf(seq: number): number;
	/** Records of the request with this tag, in order; empty when it never landed. */
	request(tag: string): readonly number[];
	/** The lines of these records, from memory or in one wave of reads, each verified by its checksum. */
	bodies(seqs: Iterable<number>): Promise<ReadonlyMap<number, Uint8Array>>;
	/** Tells the request's scope what {@link bodies} of each of these sets will read, where nothing else comes between. */
	announce(sets: Iterable<readonly number[]>): void;
	/** The first line of the log. */
	genesisBody(): Promise<Uint8Array>;
}
