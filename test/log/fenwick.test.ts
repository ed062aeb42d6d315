import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CoverNode, extendCover, guessedCover, largestBlock, lowbit } from "../../src/log/fenwick.ts";

/** The lowest set bit, found by looking at one bit after the other. */
function naiveLowbit(i: number): number {
	let bit = 1;
	while (i % (bit * 2) === 0) bit *= 2;
	return bit;
}

/** The largest aligned block that ends at commit n and fits: tried from the largest down. */
function naiveBlock(n: number, weights: readonly number[], cap: number): number {
	for (let size = naiveLowbit(n + 1); size > 1; size /= 2) {
		let weight = 0;
		for (let m = n - size + 1; m <= n; m++) weight += weights[m]!;
		if (weight <= cap) return size;
	}
	return 1;
}

/** Walks back from the newest commit by what each object carries. */
function naiveCover(n: number, carried: readonly number[]): number[] {
	const cover: number[] = [];
	for (let m = n; m >= 0; m -= carried[m]!) cover.unshift(m);
	return cover;
}

/** Weights of the commits' own parts, now and then a very heavy one, and a cap. */
const shape = fc.record({
	weights: fc.array(fc.oneof(fc.nat(10), fc.nat(300)), { minLength: 1, maxLength: 150 }),
	cap: fc.oneof(fc.nat(40), fc.nat(1000), fc.constant(1e9)),
});

describe("fenwick", () => {
	it("the lowest bit is that of the number, up to numbers of 50 bits", () => {
		const numbers = fc.oneof(
			fc.integer({ min: 1, max: 5000 }),
			fc.integer({ min: 1, max: 2 ** 50 }),
			fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.nat(40)).map(([odd, power]) => odd * 2 ** power),
		);
		fc.assert(
			fc.property(numbers, (i) => {
				expect(lowbit(i)).toBe(naiveLowbit(i));
			}),
			{ seed: 1, numRuns: 2000 },
		);
		expect(guessedCover(2 ** 32 - 1)).toEqual([2 ** 32 - 1]);
		expect(guessedCover(9_999_999_999).length).toBeLessThan(34);
	});

	it("a block is the largest aligned one that fits, whatever the weights and the cap", () => {
		fc.assert(
			fc.property(shape, ({ weights, cap }) => {
				for (let n = 0; n < weights.length; n++)
					expect(blockOf(n, weights, cap)).toBe(naiveBlock(n, weights, cap));
			}),
			{ seed: 2 },
		);
	});

	it("a larger block is only asked for where the smaller one fits", () => {
		const asked: number[] = [];
		expect(largestBlock(16, (first) => asked.push(first) < 3)).toBe(4);
		expect(asked).toEqual([14, 12, 8]);
	});

	it("the cover that is kept up is the one that a walk back finds: it holds every commit exactly once", () => {
		fc.assert(
			fc.property(shape, ({ weights, cap }) => {
				const carried: number[] = [];
				let cover: readonly CoverNode[] = [];
				for (let n = 0; n < weights.length; n++) {
					carried.push(blockOf(n, weights, cap));
					cover = extendCover(cover, { n, carried: carried[n]!, prefixLength: 1 });
					expect(cover.map((node) => node.n)).toEqual(naiveCover(n, carried));
					const held = cover.flatMap((node) =>
						Array.from({ length: node.carried }, (_, k) => node.n - node.carried + 1 + k),
					);
					expect(held).toEqual(Array.from({ length: n + 1 }, (_, k) => k));
				}
			}),
			{ seed: 3 },
		);
	});

	it("what follows from n alone is part of every cover, and all of it where no block was cut", () => {
		fc.assert(
			fc.property(shape, ({ weights, cap }) => {
				const carried = weights.map((_weight, n) => blockOf(n, weights, cap));
				for (let n = 0; n < weights.length; n++) {
					const cover = naiveCover(n, carried).reverse();
					const guessed = guessedCover(n);
					expect(cover).toEqual(expect.arrayContaining(guessed));
					if (cap === 1e9) expect(cover).toEqual(guessed);
					expect(guessed.length).toBeLessThanOrEqual(Math.ceil(Math.log2(n + 2)));
				}
			}),
			{ seed: 4 },
		);
	});
});

function blockOf(n: number, weights: readonly number[], cap: number): number {
	return largestBlock(n + 1, (first) => weights.slice(first, n + 1).reduce((a, b) => a + b, 0) <= cap);
}
