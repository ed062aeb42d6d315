import { checksum } from "./checksum.ts";
import { Corrupt } from "./errors.ts";
import { isBlock, isCount, isCover, isIdOrNull, isObject, isTime } from "./field-checks.ts";

/**
 * The codec of a commit's object. `docs/format.md` describes it byte by byte; it is a public format.
 *
 *     header line    JSON, ends with its own checksum
 *     index lines    of the carried commits and, last, of this one
 *     body lines     of the carried commits and, last, of this one
 */
export const formatVersion = 1;

/** Bytes. No live commit is smaller, whatever it holds; every tombstone is. */
export const smallestLiveCommit = 160;

/** A header line is shorter than this in practice, however long its cover and its head's id are. Bytes. */
export const headerAllowance = 3 * 1024;

/** The header of a live commit. Lengths are bytes. */
export interface Header {
	readonly kind: "live";
	/** Number of the commit, from 0. */
	readonly n: number;
	/** Names exactly these bytes. */
	readonly writeId: string;
	/** The writeId of commit n − 1; null for commit 0. */
	readonly previous: string | null;
	/** Number of records in the log after this commit. */
	readonly length: number;
	/** Where the log's head is after this commit. */
	readonly head: string | null;
	/** Commits whose index lines are here, this one included. */
	readonly indexCarried: number;
	readonly indexLength: number;
	readonly indexChecksum: string;
	/** Commits whose body lines are here, this one included. */
	readonly bodyCarried: number;
	/** Objects of the cover that do not follow from n alone: number and bytes of header and index. */
	readonly cover: readonly (readonly [n: number, prefixLength: number])[];
}

/** The header of a log's last commit. */
export interface Tombstone {
	readonly kind: "tombstone";
	readonly n: number;
	readonly writeId: string;
}

/** What the first bytes of an object say. */
export interface ParsedHeader {
	readonly header: Header | Tombstone;
	/** Bytes of the header line, its line feed included. */
	readonly headerLength: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What a header says of the log that its object belongs to, so that another log's object is none of its own. */
function nameOfLog(prefix: string): string {
	return checksum(prefix);
}

/** The header line of a live commit of the log with this prefix, its line feed included. */
export function encodeHeader(prefix: string, header: Omit<Header, "kind">): Uint8Array {
	return sealed({
		leaflog: formatVersion,
		log: nameOfLog(prefix),
		n: header.n,
		id: header.writeId,
		prev: header.previous,
		seq: header.length,
		leaf: header.head,
		index: [header.indexCarried, header.indexLength, header.indexChecksum],
		bodies: header.bodyCarried,
		...(header.cover.length > 0 ? { cover: header.cover } : {}),
	});
}

/** The whole object of a tombstone of the log with this prefix: no content, no cover, no head. */
export function encodeTombstone(prefix: string, n: number, writeId: string): Uint8Array {
	return sealed({ leaflog: formatVersion, log: nameOfLog(prefix), n, id: writeId, end: true });
}

function sealed(fields: object): Uint8Array {
	const text = JSON.stringify(fields).slice(0, -1);
	return encoder.encode(`${text},"sum":"${checksum(text)}"}\n`);
}

/**
 * Reads the header line at the start of `bytes`; undefined where the line does not end within them.
 * @throws Corrupt if it is no header of this format, or not the one of commit `n`.
 */
export function parseHeader(key: string, n: number, bytes: Uint8Array): ParsedHeader | undefined {
	const end = bytes.indexOf(10);
	if (end < 0) return undefined;
	const line = decodeText(key, bytes.subarray(0, end));
	const version = /^\{"leaflog":(\d+)[,}]/.exec(line)?.[1];
	if (version !== undefined && version !== String(formatVersion))
		throw new Corrupt(key, `unknown format version ${version}`);
	const seal = line.lastIndexOf(',"sum":"');
	if (seal < 0 || line.slice(seal) !== `,"sum":"${checksum(line.slice(0, seal))}"}`)
		throw new Corrupt(key, "the header does not match its checksum");
	const fields = parseJson(key, line) as Record<string, unknown>;
	if (fields.leaflog !== formatVersion)
		throw new Corrupt(key, `unknown format version ${String(fields.leaflog)}`);
	if (fields.log !== nameOfLog(key.slice(0, key.lastIndexOf("/") + 1)))
		throw new Corrupt(key, "is an object of another log");
	if (fields.n !== n) throw new Corrupt(key, `holds commit ${String(fields.n)}`);
	const header = fields.end === true ? tombstone(n, fields) : liveHeader(n, fields);
	if (header === undefined) throw new Corrupt(key, "the header is malformed");
	return { header, headerLength: end + 1 };
}

function tombstone(n: number, { id }: Record<string, unknown>): Tombstone | undefined {
	return typeof id === "string" ? { kind: "tombstone", n, writeId: id } : undefined;
}

function liveHeader(n: number, fields: Record<string, unknown>): Header | undefined {
	const { id, prev, seq, leaf, index, bodies, cover = [] } = fields;
	if (typeof id !== "string" || !isIdOrNull(prev) || (prev === null) !== (n === 0)) return undefined;
	if (!isCount(seq) || !isIdOrNull(leaf) || !isBlock(n, bodies) || !isCover(n, cover)) return undefined;
	if (!Array.isArray(index)) return undefined;
	const [indexCarried, indexLength, indexChecksum] = index as unknown[];
	if (!isBlock(n, indexCarried) || !isCount(indexLength) || typeof indexChecksum !== "string")
		return undefined;
	return {
		kind: "live",
		n,
		writeId: id,
		previous: prev,
		length: seq,
		head: leaf,
		indexCarried,
		indexLength,
		indexChecksum,
		bodyCarried: bodies,
		cover,
	};
}

/** A commit's line of the index, parsed. */
export interface CommitLine {
	readonly writeId: string;
	/** Records of the commit. */
	readonly count: number;
	/** Bytes of header and index of the commit's object: its bodies begin there. */
	readonly prefixLength: number;
	/** Commits whose bodies that object carries, itself included. */
	readonly bodyCarried: number;
	/** Of commit 0 only: the log's first line. */
	readonly genesis?: GenesisLine;
}

export interface GenesisLine {
	readonly meta: Record<string, never>;
	readonly byteLength: number;
	readonly checksum: string;
	readonly tag: string;
}

export function encodeCommitLine(line: CommitLine): string {
	const fields: unknown[] = [line.writeId, line.count, line.prefixLength, line.bodyCarried];
	if (line.genesis) {
		fields.push(line.genesis.meta, line.genesis.byteLength, line.genesis.checksum, line.genesis.tag);
	}
	return `${JSON.stringify(fields)}\n`;
}

/** @throws Corrupt */
export function parseCommitLine(key: string, text: string): CommitLine {
	const line = commitLine(parseJson(key, text));
	if (line === undefined) throw new Corrupt(key, "a commit's index line is malformed");
	return line;
}

function commitLine(fields: unknown): CommitLine | undefined {
	if (!Array.isArray(fields) || (fields.length !== 4 && fields.length !== 8)) return undefined;
	const [writeId, count, prefixLength, bodyCarried, meta, byteLength, sum, tag] = fields as unknown[];
	if (typeof writeId !== "string" || !isCount(count) || !isCount(prefixLength) || !isCount(bodyCarried))
		return undefined;
	const line = { writeId, count, prefixLength, bodyCarried };
	if (fields.length === 4) return line;
	if (!isObject(meta) || !isCount(byteLength) || typeof sum !== "string" || typeof tag !== "string")
		return undefined;
	return { ...line, genesis: { meta, byteLength, checksum: sum, tag } };
}

/** A record's line of the index, parsed. */
export interface RecordLine {
	readonly id: string;
	/** How many records before this one its parent is; else the parent's id, or null for a root. */
	readonly parent: number | string | null;
	readonly kind: string;
	/** Epoch ms where the record's time is ISO 8601 in UTC with milliseconds; else its text. */
	readonly time: number | string;
	/** Bytes of the record's line, without its line feed. */
	readonly byteLength: number;
	readonly checksum: string;
	/** The tag of the request that starts here; null: the same as of the record before. */
	readonly tag: string | null;
	readonly meta?: Record<string, never>;
	/** Where the head is after this record; undefined: at it. */
	readonly head?: string | null;
}

export function encodeRecordLine(line: RecordLine): string {
	const fields: unknown[] = [
		line.id,
		line.parent,
		line.kind,
		line.time,
		line.byteLength,
		line.checksum,
		line.tag ?? 0,
	];
	if (line.meta !== undefined || line.head !== undefined) fields.push(line.meta ?? {});
	if (line.head !== undefined) fields.push(line.head);
	return `${JSON.stringify(fields)}\n`;
}

/** @throws Corrupt */
export function parseRecordLine(key: string, text: string): RecordLine {
	const line = recordLine(parseJson(key, text));
	if (line === undefined) throw new Corrupt(key, "a record's index line is malformed");
	return line;
}

function recordLine(fields: unknown): RecordLine | undefined {
	if (!Array.isArray(fields) || fields.length < 7 || fields.length > 9) return undefined;
	const [id, parent, kind, time, byteLength, sum, tag, meta, head] = fields as unknown[];
	if (typeof id !== "string" || typeof kind !== "string" || typeof sum !== "string") return undefined;
	if (!isIdOrNull(parent) && !(isCount(parent) && parent > 0)) return undefined;
	if (!isTime(time) || !isCount(byteLength) || (tag !== 0 && typeof tag !== "string")) return undefined;
	if ((meta !== undefined && !isObject(meta)) || (head !== undefined && !isIdOrNull(head))) return undefined;
	return { id, parent, kind, time, byteLength, checksum: sum, tag: tag === 0 ? null : tag, meta, head };
}

/** An ISO time as epoch ms where that gives the same text again. */
export function shortTime(time: string): number | string {
	const ms = Date.parse(time);
	return Number.isNaN(ms) || longTime(ms) !== time ? time : ms;
}

/** The text of a time in an index line. */
export function longTime(time: number | string): string {
	return typeof time === "string" ? time : new Date(time).toISOString();
}

export function decodeText(key: string, bytes: Uint8Array): string {
	try {
		return decoder.decode(bytes);
	} catch {
		throw new Corrupt(key, "is not UTF-8");
	}
}

function parseJson(key: string, text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new Corrupt(key, "a line is no JSON");
	}
}
