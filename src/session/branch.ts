import { ancestors } from "./ancestors.ts";
import type { SessionIndex } from "./session-index.ts";
import { childrenOf, treeParents } from "./tree-shape.ts";

/**
 * The path from the root to an entry, as seqs, root first. `leaf` entries on the way are left out, since nothing
 * hangs below them; the entry itself is always there. A cycle ends the walk where it would begin again.
 */
export function pathTo(index: SessionIndex, seq: number): number[] {
	return [...ancestors(index, seq)].reverse();
}

/** The path of `from`, or of the leaf where it is undefined. Undefined where no entry has that id; [] for null. */
export function branch(index: SessionIndex, from?: string | null): number[] | undefined {
	const id = from === undefined ? index.head : from;
	if (id === null) return [];
	const seq = index.seqOf(id);
	return seq === undefined ? undefined : pathTo(index, seq);
}

export interface BranchPage {
	/** Root first. */
	readonly seqs: readonly number[];
	/** Where older entries are left: what to ask for with `before`. */
	readonly nextBefore?: string;
}

/**
 * The newest `limit` entries of a path, or the newest of those strictly before the entry `before`.
 * Undefined where `before` is not on the path.
 */
export function branchPage(
	index: SessionIndex,
	path: readonly number[],
	page: { readonly limit?: number; readonly before?: string },
): BranchPage | undefined {
	let end = path.length;
	if (page.before !== undefined) {
		const seq = index.seqOf(page.before);
		end = seq === undefined ? -1 : path.lastIndexOf(seq);
		if (end < 0) return undefined;
	}
	const start = page.limit === undefined ? 0 : Math.max(0, end - page.limit);
	const seqs = path.slice(start, end);
	const first = seqs[0];
	return start > 0 && first !== undefined ? { seqs, nextBefore: index.id(first) } : { seqs };
}

/** For each of these entries that has siblings: all children of its parent, itself included, in tree order. */
export function siblings(index: SessionIndex, seqs: readonly number[]): Map<string, string[]> {
	const parents = treeParents(index);
	const wanted = new Set(seqs.map((seq) => parents[seq] ?? 0));
	const families = childrenOf(index, parents, wanted);
	const result = new Map<string, string[]>();
	for (const seq of seqs) {
		const family = families.get(parents[seq] ?? 0) ?? [];
		if (family.length > 1 && family.includes(seq)) {
			result.set(
				index.id(seq),
				family.map((child) => index.id(child)),
			);
		}
	}
	return result;
}
