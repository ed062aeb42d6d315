import type { ObjectStore } from "../store/object-store.ts";
import { checksum } from "./checksum.ts";
import type { Header } from "./commit.ts";
import { Corrupt, LogGone } from "./errors.ts";
import { commitKey } from "./keys.ts";
import type { LogIndex } from "./log-index.ts";
import { genesisSeq, type LogState } from "./log-state.ts";
import { readHeader } from "./read-header.ts";

/** A range of one object that holds bodies of the records `first` … `last`, in order. */
interface BodyRange {
	readonly n: number;
	readonly offset: number;
	readonly length: number;
	readonly first: number;
	readonly last: number;
}

/** Takes the bodies out of what was read behind an object's index, as far as it reaches. */
export function keepBodiesOf(state: LogState, header: Header, bytes: Uint8Array): void {
	const first = header.n - header.bodyCarried + 1;
	const start = state.index.commitPosition(first);
	const from = first === 0 ? genesisSeq : state.index.lastSeq(first - 1) + 1;
	keepLines(state, from, header.length, bytes, start);
}

/** Keeps each line of `from` … `to` that lies whole in `bytes`, which start at `position` of the session file. */
function keepLines(state: LogState, from: number, to: number, bytes: Uint8Array, position: number): void {
	for (let seq = from; seq <= to; seq++) {
		const offset = bodyPosition(state.index, seq) - position;
		const length = bodyLength(state.index, seq);
		if (offset + length > bytes.length) return;
		if (state.bodies.has(seq)) continue;
		const line = bytes.slice(offset, offset + length);
		if (checksum(line) === bodyChecksum(state.index, seq)) state.keepBody(seq, line);
	}
}

/**
 * The bodies of these records, from memory or in one wave: one GET for each block that holds a wanted body.
 * @throws LogGone if the log was purged meanwhile; Corrupt if a body does not match its checksum; StoreUnavailable
 */
export async function loadBodies(
	store: ObjectStore,
	state: LogState,
	seqs: Iterable<number>,
	gap: number,
): Promise<Map<number, Uint8Array>> {
	const bodies = new Map<number, Uint8Array>();
	const missing: number[] = [];
	for (const seq of seqs) {
		const held = state.bodies.get(seq);
		if (held) bodies.set(seq, held);
		else missing.push(seq);
	}
	if (missing.length === 0) return bodies;
	const wanted = new Set(missing);
	await Promise.all(
		planRanges(state.index, missing, gap).map(async (range) => {
			const key = commitKey(state.prefix, range.n);
			const found = await store.get(key, { range: { offset: range.offset, length: range.length } });
			const start = bodyPosition(state.index, range.first);
			if (found.kind === "found") {
				keepLines(state, range.first, range.last, found.bytes, start);
				for (let seq = range.first; seq <= range.last; seq++) {
					const body = wanted.has(seq) && state.bodies.get(seq);
					if (body) bodies.set(seq, body);
				}
			}
			for (let seq = range.first; seq <= range.last; seq++) {
				if (wanted.has(seq) && !bodies.has(seq)) throw await explainMissing(store, state, key);
			}
		}),
	);
	return bodies;
}

/** Why a body was not where the index said: commit 0 tells whether the log was purged. */
async function explainMissing(store: ObjectStore, state: LogState, key: string): Promise<Error> {
	if ((await readHeader(store, state.prefix, 0))?.kind === "tombstone") {
		state.gone = true;
		return new LogGone();
	}
	return new Corrupt(key, "a body is missing or does not match its checksum");
}

/**
 * Which ranges hold these records. From the newest on: of the objects that hold the wanted commit, the one whose
 * block reaches furthest back, from the first to the last wanted record in it. Own bodies of one commit beyond a
 * block are split where nothing is wanted for more than `gap` bytes.
 */
export function planRanges(index: LogIndex, seqs: readonly number[], gap: number): BodyRange[] {
	const wanted = [...seqs].sort((a, b) => a - b);
	const ranges: BodyRange[] = [];
	for (let last = wanted.length - 1; last >= 0; ) {
		const n = commitOfBody(index, wanted[last]!);
		const holder = furthestBack(index, n);
		const firstCommit = holder - index.commit(holder).bodyCarried + 1;
		const blockStart = index.commitPosition(firstCommit);
		const whole = firstCommit < n || index.commit(holder).bodyCarried > 1;
		let first = last;
		while (first > 0 && bodyPosition(index, wanted[first - 1]!) >= blockStart) {
			const end = bodyPosition(index, wanted[first - 1]!) + bodyLength(index, wanted[first - 1]!);
			if (!whole && bodyPosition(index, wanted[first]!) - end > gap) break;
			first--;
		}
		const from = bodyPosition(index, wanted[first]!);
		const to = bodyPosition(index, wanted[last]!) + bodyLength(index, wanted[last]!);
		ranges.push({
			n: holder,
			offset: index.commit(holder).prefixLength + from - blockStart,
			length: to - from,
			first: wanted[first]!,
			last: wanted[last]!,
		});
		last = first - 1;
	}
	return ranges;
}

/** Of the commits whose objects hold the bodies of commit n, the one whose block reaches furthest back. */
function furthestBack(index: LogIndex, n: number): number {
	let best = n;
	let reach = n - index.commit(n).bodyCarried + 1;
	for (let size = 2; ; size *= 2) {
		const holder = Math.ceil((n + 1) / size) * size - 1;
		if (holder >= index.commits) break;
		const first = holder - index.commit(holder).bodyCarried + 1;
		if (first <= n && first < reach) {
			best = holder;
			reach = first;
		}
	}
	return best;
}

function commitOfBody(index: LogIndex, seq: number): number {
	return seq === genesisSeq ? 0 : index.commitOf(seq);
}

function bodyPosition(index: LogIndex, seq: number): number {
	return seq === genesisSeq ? 0 : index.position(seq);
}

function bodyLength(index: LogIndex, seq: number): number {
	return seq === genesisSeq ? index.commit(0).genesis!.byteLength : index.byteLength(seq);
}

function bodyChecksum(index: LogIndex, seq: number): string {
	return seq === genesisSeq ? index.commit(0).genesis!.checksum : index.checksum(seq);
}
