import { type Entry, epochOf } from "./entry.ts";
import type { SessionIndex } from "./session-index.ts";

/**
 * The parent of each entry, by seq: what it hangs below in the tree, 0 for a root. An entry that a file hung below
 * a `leaf` entry hangs below that entry's parent instead.
 */
export function treeParents(index: SessionIndex): Int32Array {
	const parents = new Int32Array(index.length + 1);
	for (let seq = 1; seq <= index.length; seq++) parents[seq] = index.parentSeq(seq);
	const isLeaf = (seq: number) => seq !== 0 && index.kind(seq) === "leaf";
	for (let seq = 1; seq <= index.length; seq++) {
		let at = parents[seq] ?? 0;
		if (!isLeaf(at)) continue;
		const hops: number[] = [seq];
		const seen = new Set(hops);
		while (isLeaf(at) && !seen.has(at)) {
			hops.push(at);
			seen.add(at);
			at = parents[at] ?? 0;
		}
		const parent = isLeaf(at) || at === seq ? 0 : at;
		// Leaf entries on the way hang there too, which keeps long chains of them linear.
		for (const hop of hops) parents[hop] = parent;
	}
	return parents;
}

/** The seq of the entry that this one hangs below in the tree; 0 for a root. For one entry: see `treeParents` for all. */
export function treeParent(index: SessionIndex, seq: number): number {
	const seen = new Set([seq]);
	let at = index.parentSeq(seq);
	while (at !== 0 && index.kind(at) === "leaf") {
		if (seen.has(at)) return 0;
		seen.add(at);
		at = index.parentSeq(at);
	}
	return at === seq ? 0 : at;
}

/** The id of the entry's parent as it reads: as given, but never that of a `leaf` entry. */
export function parentIdIn(index: SessionIndex, seq: number): string | null {
	const given = index.parentSeq(seq);
	if (given === 0 || index.kind(given) !== "leaf") return index.parent(seq);
	const parent = treeParent(index, seq);
	return parent === 0 ? null : index.id(parent);
}

/**
 * Children in tree order, by parent's seq, 0 for the roots; of the wanted parents only, if given.
 * Children are sorted by time, equal and invalid times in log order; roots are in log order. `leaf` entries are none.
 */
export function childrenOf(
	index: SessionIndex,
	parents: Int32Array,
	wanted?: ReadonlySet<number>,
): Map<number, number[]> {
	const families = new Map<number, number[]>();
	for (let seq = 1; seq <= index.length; seq++) {
		const parent = parents[seq] ?? 0;
		if (wanted !== undefined && !wanted.has(parent)) continue;
		if (index.kind(seq) === "leaf") continue;
		const family = families.get(parent);
		if (family === undefined) families.set(parent, [seq]);
		else family.push(seq);
	}
	for (const [parent, family] of families) if (parent !== 0) sortByTime(index, family);
	return families;
}

function sortByTime(index: SessionIndex, family: number[]): void {
	if (family.length < 2) return;
	const times = new Map(family.map((seq) => [seq, epochOf(index.time(seq))]));
	family.sort((one, other) => (times.get(one) ?? 0) - (times.get(other) ?? 0));
}

/** The children of one entry, in tree order, as ids. */
export function childIds(index: SessionIndex, id: string): string[] {
	const seq = index.seqOf(id);
	if (seq === undefined) return [];
	const families = childrenOf(index, treeParents(index), new Set([seq]));
	return (families.get(seq) ?? []).map((child) => index.id(child));
}

/** An entry as it reads: with the parent it reads as hanging below. */
export function asRead(index: SessionIndex, seq: number, entry: Entry): Entry {
	const parentId = parentIdIn(index, seq);
	return parentId === index.parent(seq) ? entry : { ...entry, parentId };
}
