/**
 * The arithmetic of the Fenwick log. With i = n + 1, the object of commit n carries an aligned block
 * (i − 2^k, i] of commits, 2^k ≤ lowbit(i). Numbers called `n` count commits from 0; `i` from 1.
 */

/** The lowest set bit: the largest block that may end at i. */
export function lowbit(i: number): number {
	const low = (i & -i) >>> 0; // of the lower 32 bits
	return low > 0 || i === 0 ? low : 2 ** 32 * lowbit(i / 2 ** 32);
}

/** The commits, newest first, whose objects hold the whole index of 0 … n where no block was cut by its cap. */
export function guessedCover(n: number): number[] {
	const cover: number[] = [];
	for (let i = n + 1; i > 0; i -= lowbit(i)) cover.push(i - 1);
	return cover;
}

/**
 * The largest block size 2^k ≤ lowbit(i) whose commits (i − 2^k, i] fit.
 * `fits(first)` says whether the commits first … n do; a larger block is only asked for if the smaller one fits.
 */
export function largestBlock(i: number, fits: (first: number) => boolean): number {
	let size = 1;
	for (const most = lowbit(i); size < most && fits(i - size * 2); ) size *= 2;
	return size;
}

/** One object of a cover: the commit, how many commits of index it carries, and its header's and index's bytes. */
export interface CoverNode {
	readonly n: number;
	readonly carried: number;
	readonly prefixLength: number;
}

/** The cover after a commit was added: aligned blocks nest, so what the new block holds falls off the end. Oldest first. */
export function extendCover(cover: readonly CoverNode[], node: CoverNode): CoverNode[] {
	const kept = cover.slice();
	while (kept.length > 0 && kept[kept.length - 1]!.n > node.n - node.carried) kept.pop();
	kept.push(node);
	return kept;
}

/** What a header must name of a cover: the objects that do not follow from n alone. */
export function namedCover(n: number, cover: readonly CoverNode[]): [n: number, prefixLength: number][] {
	const guessed = new Set(guessedCover(n));
	return cover.filter((node) => !guessed.has(node.n)).map((node) => [node.n, node.prefixLength]);
}
