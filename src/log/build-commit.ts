import { checksum } from "./checksum.ts";
import {
	type CommitLine,
	encodeCommitLine,
	encodeHeader,
	encodeRecordLine,
	type Header,
	type RecordLine,
	shortTime,
} from "./commit.ts";
import { extendCover, largestBlock, namedCover } from "./fenwick.ts";
import type { LogLimits } from "./limits.ts";
import { genesisSeq, type LogState } from "./log-state.ts";
import type { Genesis, NewRecord } from "./record.ts";

/** The records of one request, to be placed one after the other. */
export interface RequestRecords {
	readonly tag: string;
	readonly records: readonly NewRecord[];
}

/** A commit that is ready to be put: frozen, since its writeId names exactly these bytes. */
export interface BuiltCommit {
	readonly n: number;
	readonly writeId: string;
	readonly bytes: Uint8Array;
	/** What to fold in once it is known to have landed. */
	readonly header: Header;
	readonly prefixLength: number;
	readonly index: Uint8Array;
	/** Bodies that it brings, by seq (0: the log's first line). */
	readonly ownBodies: readonly (readonly [seq: number, bytes: Uint8Array])[];
}

const encoder = new TextEncoder();
const lineFeed = Uint8Array.of(10);

/** Builds the commit that follows the newest one of `state`. The first one of a log needs its `genesis`. */
export function buildCommit(
	state: LogState,
	writeId: string,
	requests: readonly RequestRecords[],
	limits: Pick<LogLimits, "indexCap" | "bodyCap">,
	genesis?: Genesis & { readonly tag: string },
): BuiltCommit {
	const n = state.newest + 1;
	const own = encodeOwn(state, requests, genesis);
	const bodyCarried = carriedBodies(state, n, own.bodyLength, limits.bodyCap);
	const commitLine = (prefixLength: number): CommitLine => ({
		writeId,
		count: own.count,
		prefixLength,
		bodyCarried,
		...(genesis
			? {
					genesis: {
						meta: genesis.meta as never,
						byteLength: genesis.bytes.length,
						checksum: checksum(genesis.bytes),
						tag: genesis.tag,
					},
				}
			: {}),
	});
	const ownIndexAtMost = encodeCommitLine(commitLine(99_999_999)).length * 3 + own.indexLength;
	const indexCarried = largestBlock(
		n + 1,
		(first) => ownIndexAtMost + state.index.textLengthFrom(first) <= limits.indexCap,
	);
	const carriedIndex = state.index.textFrom(n - indexCarried + 1);

	// A commit's line tells how long header and index are, and is part of both: settle it from below.
	for (let prefixLength = 0; ; ) {
		const index = concat([
			carriedIndex,
			encoder.encode(encodeCommitLine(commitLine(prefixLength))),
			own.index,
		]);
		const header = headerOf(state, { n, writeId, own, indexCarried, bodyCarried, index, prefixLength });
		const headerLine = encodeHeader(state.prefix, header);
		const length = headerLine.length + index.length;
		if (length === prefixLength) {
			const bytes = concat([
				headerLine,
				index,
				...carriedBodyLines(state, n, bodyCarried),
				...own.bodies.flatMap(([, body]) => [body, lineFeed]),
			]);
			return {
				n,
				writeId,
				bytes,
				header,
				prefixLength,
				index: bytes.subarray(headerLine.length, length),
				ownBodies: own.bodies,
			};
		}
		prefixLength = length;
	}
}

interface Own {
	readonly count: number;
	readonly head: string | null;
	/** Index lines of the records, without the commit's own line. */
	readonly index: Uint8Array;
	readonly indexLength: number;
	readonly bodies: readonly (readonly [seq: number, bytes: Uint8Array])[];
	/** Bytes of the bodies, without line feeds: what counts against the cap. */
	readonly bodyLength: number;
}

function encodeOwn(state: LogState, requests: readonly RequestRecords[], genesis: Genesis | undefined): Own {
	const bodies: [number, Uint8Array][] = genesis ? [[genesisSeq, genesis.bytes]] : [];
	const placed = new Map<string, number>();
	let lines = "";
	let seq = state.index.length;
	let head = state.index.head(seq);
	for (const { tag, records } of requests) {
		records.forEach((record, k) => {
			seq++;
			const parentSeq =
				record.parent === null ? undefined : (placed.get(record.parent) ?? state.index.seqOf(record.parent));
			const line: RecordLine = {
				id: record.id,
				parent: parentSeq === undefined ? record.parent : seq - parentSeq,
				kind: record.kind,
				time: shortTime(record.time),
				byteLength: record.bytes.length,
				checksum: checksum(record.bytes),
				tag: k > 0 || genesis ? null : tag,
				meta: record.meta && Object.keys(record.meta).length > 0 ? (record.meta as never) : undefined,
				head: record.head === record.id ? undefined : record.head,
			};
			lines += encodeRecordLine(line);
			bodies.push([seq, record.bytes]);
			placed.set(record.id, seq);
			head = record.head === undefined ? record.id : record.head;
		});
	}
	const index = encoder.encode(lines);
	const bodyLength = bodies.reduce((sum, [, body]) => sum + body.length, 0);
	return { count: seq - state.index.length, head, index, indexLength: index.length, bodies, bodyLength };
}

function headerOf(
	state: LogState,
	parts: {
		n: number;
		writeId: string;
		own: Own;
		indexCarried: number;
		bodyCarried: number;
		index: Uint8Array;
		prefixLength: number;
	},
): Header {
	const { n, own } = parts;
	const cover = extendCover(state.cover, {
		n,
		carried: parts.indexCarried,
		prefixLength: parts.prefixLength,
	});
	return {
		kind: "live",
		n,
		writeId: parts.writeId,
		previous: state.writeId,
		length: state.index.length + own.count,
		head: own.head,
		indexCarried: parts.indexCarried,
		indexLength: parts.index.length,
		indexChecksum: checksum(parts.index),
		bodyCarried: parts.bodyCarried,
		cover: namedCover(n, cover),
	};
}

/** The largest block of commits whose bodies fit and are all at hand: a writer that lacks some carries fewer. */
function carriedBodies(state: LogState, n: number, ownLength: number, cap: number): number {
	const { index } = state;
	return largestBlock(n + 1, (first) => {
		const from = first === 0 ? genesisSeq : index.lastSeq(first - 1) + 1;
		const lineFeeds = index.length - from + 1;
		if (index.bodiesLength - index.commitPosition(first) - lineFeeds + ownLength > cap) return false;
		for (let seq = from; seq <= index.length; seq++) if (!state.bodies.has(seq)) return false;
		return true;
	});
}

function carriedBodyLines(state: LogState, n: number, carried: number): Uint8Array[] {
	const first = n - carried + 1;
	if (first === n) return [];
	const lines: Uint8Array[] = [];
	const from = first === 0 ? genesisSeq : state.index.lastSeq(first - 1) + 1;
	for (let seq = from; seq <= state.index.length; seq++) lines.push(state.bodies.get(seq)!, lineFeed);
	return lines;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
	const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let offset = 0;
	for (const part of parts) {
		bytes.set(part, offset);
		offset += part.length;
	}
	return bytes;
}
