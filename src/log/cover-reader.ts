import type { GetOutcome, ObjectStore } from "../store/object-store.ts";
import { keepBodiesOf } from "./bodies.ts";
import { checksum } from "./checksum.ts";
import { type Header, headerAllowance, type ParsedHeader, parseHeader } from "./commit.ts";
import { Corrupt } from "./errors.ts";
import { guessedCover, lowbit } from "./fenwick.ts";
import { commitKey } from "./keys.ts";
import type { LogState } from "./log-state.ts";

/**
 * What the first wave should bring along beside the index: nothing, what the next commit must carry,
 * or the bodies of a small log.
 */
export type Want = "index" | "carry" | "bodies";

/** The start of an object, as far as it was read. */
export interface ObjectStart {
	readonly bytes: Uint8Array;
	readonly etag: string;
	/** Bytes of the whole object. */
	readonly size: number;
}

export interface CoverRequest {
	readonly store: ObjectStore;
	readonly state: LogState;
	/** The newest commit, as a LIST told it. */
	readonly newest: { readonly n: number; readonly size: number };
	readonly want: Want;
	/** Starts of objects that were read on the way here. */
	readonly held?: ReadonlyMap<number, ObjectStart>;
	/** False only in a simulation that shows why the header's cover must be read. */
	readonly believeHeader?: boolean;
	/** False only in a simulation that shows why ranges of one object are pinned to its ETag. */
	readonly pinRanges?: boolean;
}

/**
 * `folded`: the state knows the newest commit. `gone`: it is a tombstone. `again`: commit `n` is not there, or was
 * replaced while it was read.
 */
export type CoverOutcome = "folded" | "gone" | { readonly again: number };

const KiB = 1024;

const wholeObject = 128 * KiB;

/**
 * Reads the index up to the newest commit: one wave for the objects that follow from n alone, a second one
 * for those that only the newest header names and for what the first ranges were too short for.
 * @throws Corrupt, StoreUnavailable
 */
export async function readCover(request: CoverRequest): Promise<CoverOutcome> {
	const { store, state, newest } = request;
	const known = state.newest;
	if (newest.n <= known) return "folded";
	const starts = new Map(request.held ?? []);
	const guessed = guessedCover(newest.n).filter((n) => n > known);
	const first = await Promise.all(
		guessed.map(async (n) => {
			if (starts.has(n)) return true;
			return keep(
				starts,
				n,
				await store.get(commitKey(state.prefix, n), { range: { offset: 0, length: firstRange(n, request) } }),
			);
		}),
	);
	const top = header(state, newest.n, starts) ?? (await completeHeader(request, starts, newest.n));
	if (top === undefined) return { again: newest.n };
	// Below a tombstone anything may be missing.
	if (top.header.kind === "tombstone") return "gone";
	const absent = guessed.find((_n, k) => !first[k]);
	if (absent !== undefined) return { again: absent };
	const newestHeader = top.header;
	const wanted = new Map<number, number>();
	if (request.believeHeader !== false) {
		for (const [n, prefixLength] of newestHeader.cover)
			if (n > known && !starts.has(n)) wanted.set(n, prefixLength);
	}
	for (const n of guessed) {
		const parsed = header(state, n, starts);
		if (parsed === undefined) wanted.set(n, starts.get(n)!.size);
		else if (parsed.header.kind === "live") {
			const prefixLength = parsed.headerLength + parsed.header.indexLength;
			if (starts.get(n)!.bytes.length < prefixLength) wanted.set(n, prefixLength);
		}
	}
	const second = await Promise.all([...wanted].map(([n, length]) => complete(request, starts, n, length)));
	const changed = [...wanted.keys()].find((_n, k) => !second[k]);
	if (changed !== undefined) return { again: changed };
	return foldCover(request, starts, newestHeader);
}

/** Folds in the objects of the cover, which is walked from the newest one by what each says it carries. */
function foldCover(
	request: CoverRequest,
	starts: ReadonlyMap<number, ObjectStart>,
	newest: Header,
): CoverOutcome {
	const { state } = request;
	const known = state.newest;
	const chain: { header: Header; headerLength: number; start: ObjectStart }[] = [];
	for (let n = newest.n; n > known; ) {
		const start = starts.get(n);
		const parsed = start && header(state, n, starts);
		if (!start || !parsed)
			throw new Corrupt(commitKey(state.prefix, newest.n), `its cover does not name commit ${n}`);
		if (parsed.header.kind === "tombstone") return { again: n };
		chain.push({ header: parsed.header, headerLength: parsed.headerLength, start });
		n -= parsed.header.indexCarried;
	}
	for (const { header: found, headerLength, start } of chain.reverse()) {
		const prefixLength = headerLength + found.indexLength;
		const index = start.bytes.subarray(headerLength, prefixLength);
		if (index.length < found.indexLength || checksum(index) !== found.indexChecksum) {
			throw new Corrupt(commitKey(state.prefix, found.n), "the index does not match its checksum");
		}
		state.fold(found, prefixLength, index);
		keepBodiesOf(state, found, start.bytes.subarray(prefixLength));
	}
	return "folded";
}

/** Reads what is missing of an object's first `length` bytes, of the very object that was read before. */
async function complete(
	request: CoverRequest,
	starts: Map<number, ObjectStart>,
	n: number,
	length: number,
): Promise<boolean> {
	const held = starts.get(n);
	const offset = held?.bytes.length ?? 0;
	const found = await request.store.get(commitKey(request.state.prefix, n), {
		range: { offset, length: length - offset },
		ifMatch: request.pinRanges === false ? undefined : held?.etag,
	});
	if (found.kind !== "found" || !held) return keep(starts, n, found);
	const bytes = new Uint8Array(offset + found.bytes.length);
	bytes.set(held.bytes);
	bytes.set(found.bytes, offset);
	starts.set(n, { ...held, bytes });
	return true;
}

/** The header of an object that was read from its start, but not to its header's end. */
async function completeHeader(
	request: CoverRequest,
	starts: Map<number, ObjectStart>,
	n: number,
): Promise<ParsedHeader | undefined> {
	const start = starts.get(n);
	const isThere = start && (await complete(request, starts, n, start.size));
	return isThere ? header(request.state, n, starts) : undefined;
}

function keep(starts: Map<number, ObjectStart>, n: number, found: GetOutcome): boolean {
	if (found.kind !== "found") return false;
	starts.set(n, { bytes: found.bytes, etag: found.etag, size: found.size });
	return true;
}

function header(
	state: LogState,
	n: number,
	starts: ReadonlyMap<number, ObjectStart>,
): ParsedHeader | undefined {
	const start = starts.get(n);
	if (!start) return undefined;
	const key = commitKey(state.prefix, n);
	const parsed = parseHeader(key, n, start.bytes);
	if (parsed === undefined && start.bytes.length >= start.size) throw new Corrupt(key, "is cut short");
	return parsed;
}

/**
 * How much of a guessed object to ask for, before anything of it is known. Asking too much costs bytes that a
 * reader of bodies mostly wants anyway; too little costs a round trip.
 */
function firstRange(n: number, request: CoverRequest): number {
	const block = lowbit(n + 1);
	const index = headerAllowance + block * 288 + Math.min(16 * KiB, block * 512);
	if (request.want === "index") return index;
	if (n === request.newest.n && request.newest.size <= wholeObject) return wholeObject;
	const small = 512;
	if (request.want === "bodies") return request.newest.n < small ? index + 64 * KiB : index;
	const next = request.newest.n + 2;
	const mustCarry = Math.min(lowbit(next), small);
	return next - (n + 1 - block) <= mustCarry ? index + 64 * KiB : index;
}
