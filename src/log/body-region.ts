import type { ObjectStore } from "../store/object-store.ts";
import { checksum } from "./checksum.ts";
import { commitKey } from "./keys.ts";
import type { LogIndex } from "./log-index.ts";
import { genesisSeq } from "./log-state.ts";

/** A body's place in an object. */
interface BodyPlace {
	readonly seq: number;
	readonly offset: number;
	readonly length: number;
	readonly checksum: string;
}

/** Where the bodies of commits `first` … `last` lie in the object of commit n, which carries them. */
function placesIn(index: LogIndex, n: number, first: number, last: number): BodyPlace[] {
	const { prefixLength, bodyCarried } = index.commit(n);
	const start = index.commitPosition(n - bodyCarried + 1);
	const places: BodyPlace[] = [];
	const from = first === 0 ? genesisSeq : index.lastSeq(first - 1) + 1;
	for (let seq = from; seq <= index.lastSeq(last); seq++) {
		const genesis = seq === genesisSeq ? index.commit(0).genesis! : undefined;
		places.push({
			seq,
			offset: prefixLength + (genesis ? 0 : index.position(seq)) - start,
			length: genesis?.byteLength ?? index.byteLength(seq),
			checksum: genesis?.checksum ?? index.checksum(seq),
		});
	}
	return places;
}

/** What is wrong with the bodies of the newest commit's object; `name` tells a record. */
export function checkBodies(index: LogIndex, bytes: Uint8Array, name: (seq: number) => string): string[] {
	const n = index.commits - 1;
	const { prefixLength, bodyCarried } = index.commit(n);
	const first = n - bodyCarried + 1;
	const size = prefixLength + index.bodiesLength - index.commitPosition(first);
	const problems: string[] = [];
	if (bytes.length !== size) problems.push(`is ${bytes.length} bytes long instead of ${size}`);
	for (const place of placesIn(index, n, first, n)) {
		const end = place.offset + place.length;
		if (checksum(bytes.subarray(place.offset, end)) !== place.checksum)
			problems.push(`the body of ${name(place.seq)} does not match its checksum`);
		else if (end < bytes.length && bytes[end] !== 10)
			problems.push(`the line of ${name(place.seq)} does not end where it should`);
	}
	return problems;
}

/** The body lines of an object put together again. */
export interface GatheredBodies {
	readonly bytes: Uint8Array;
	/** Those that are nowhere any more: in their place is what the object held there, or nothing but spaces. */
	readonly lost: readonly number[];
}

/**
 * Gathers the bodies that commit n's object carries, each from whichever object still has it.
 * @param damaged what is left of the object itself
 * @throws StoreUnavailable
 */
export async function gatherBodies(
	store: ObjectStore,
	prefix: string,
	index: LogIndex,
	n: number,
	damaged: Uint8Array | undefined,
): Promise<GatheredBodies> {
	const { prefixLength, bodyCarried } = index.commit(n);
	const first = n - bodyCarried + 1;
	const places = placesIn(index, n, first, n);
	const last = places.at(-1);
	const bytes = new Uint8Array(last === undefined ? 0 : last.offset + last.length + 1 - prefixLength).fill(
		32,
	);
	if (damaged) bytes.set(damaged.subarray(prefixLength, prefixLength + bytes.length));
	const lost = new Set(places.map(({ seq }) => seq));
	const take = (place: BodyPlace, body: Uint8Array): void => {
		if (!lost.has(place.seq) || checksum(body) !== place.checksum) return;
		bytes.set(body, placesBySeq.get(place.seq)!.offset - prefixLength);
		lost.delete(place.seq);
	};
	const placesBySeq = new Map(places.map((place) => [place.seq, place]));
	for (const place of places) {
		bytes[place.offset + place.length - prefixLength] = 10;
		take(place, damaged?.subarray(place.offset, place.offset + place.length) ?? new Uint8Array(0));
	}
	for (let m = first; m <= n; m++) {
		for (const holder of holdersOf(index, m)) {
			const held = placesIn(index, holder, m, m);
			if (holder === n || !held.some(({ seq }) => lost.has(seq))) continue;
			const [start, end] = [held[0]!.offset, held.at(-1)!.offset + held.at(-1)!.length];
			const range = { offset: start, length: Math.max(1, end - start) };
			const found = await store.get(commitKey(prefix, holder), { range });
			if (found.kind !== "found") continue;
			for (const place of held)
				take(place, found.bytes.subarray(place.offset - start, place.offset - start + place.length));
		}
	}
	return { bytes, lost: [...lost] };
}

/** The commits whose objects carry the bodies of commit m: its own, and later ones. */
function holdersOf(index: LogIndex, m: number): number[] {
	const holders: number[] = [];
	for (let size = 1; ; size *= 2) {
		const holder = Math.ceil((m + 1) / size) * size - 1;
		if (holder >= index.commits) return holders;
		if (!holders.includes(holder) && holder - index.commit(holder).bodyCarried < m) holders.push(holder);
	}
}
