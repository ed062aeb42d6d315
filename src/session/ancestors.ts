import type { SessionIndex } from "./session-index.ts";

/**
 * The entries from one up to its root, itself first, as seqs. `leaf` entries on the way are left out, since nothing
 * hangs below them. Where the parents go round in a circle, it ends before an entry would come again.
 */
export function* ancestors(index: SessionIndex, seq: number): Generator<number> {
	const seen = new Set<number>();
	for (let at = seq; at !== 0 && !seen.has(at); at = index.parentSeq(at)) {
		seen.add(at);
		if (at === seq || index.kind(at) !== "leaf") yield at;
	}
}

/** True where `seq` is on the path of `from`, itself included. */
export function isOnPath(index: SessionIndex, from: number, seq: number): boolean {
	let at = from;
	for (let steps = 0; at !== 0 && steps < index.length; steps++) {
		if (at === seq) return at === from || index.kind(at) !== "leaf";
		at = index.parentSeq(at);
	}
	return false;
}
