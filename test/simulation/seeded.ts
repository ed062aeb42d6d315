import type { Random } from "../../src/log/scope.ts";

/** xoshiro128**, seeded by splitmix32 (both public domain, Blackman & Vigna): the only source of chance of a run. */
export class Seeded implements Random {
	readonly #state = new Uint32Array(4);

	constructor(seed: number) {
		let mixed = seed >>> 0;
		for (let word = 0; word < 4; word++) {
			mixed = (mixed + 0x9e3779b9) >>> 0;
			let bits = mixed ^ (mixed >>> 16);
			bits = Math.imul(bits, 0x21f0aaad);
			bits ^= bits >>> 15;
			bits = Math.imul(bits, 0x735a2d97);
			this.#state[word] = bits ^ (bits >>> 15);
		}
	}

	/** 32 random bits. */
	next(): number {
		const [a, b, c, d] = this.#state as unknown as [number, number, number, number];
		const product = Math.imul(b, 5);
		const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
		const crossed = d ^ b;
		this.#state[0] = a ^ crossed;
		this.#state[1] = b ^ c ^ a;
		this.#state[2] = c ^ a ^ (b << 9);
		this.#state[3] = (crossed << 11) | (crossed >>> 21);
		return result;
	}

	fraction(): number {
		return this.next() / 2 ** 32;
	}

	bytes(length: number): Uint8Array {
		return Uint8Array.from({ length }, () => this.next() & 255);
	}

	/** A whole number, from 0 and below `limit`. */
	below(limit: number): number {
		return Math.floor(this.fraction() * limit);
	}

	/** A whole number of the closed range. */
	between(low: number, high: number): number {
		return low + this.below(high - low + 1);
	}

	/** A number of the closed range whose magnitude is uniform: short ones are as likely as long ones. */
	spread(low: number, high: number): number {
		return Math.round(low * (high / low) ** this.fraction());
	}

	chance(probability: number): boolean {
		return this.fraction() < probability;
	}

	pick<T>(choices: readonly T[]): T {
		return choices[this.below(choices.length)]!;
	}

	/** One of the names, each as likely as its weight says. */
	weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T {
		const entries = Object.entries(weights) as [T, number][];
		let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
		for (const [name, weight] of entries) {
			left -= weight;
			if (left < 0) return name;
		}
		return entries.at(-1)![0];
	}

	/** A source of its own: what is drawn from it changes nothing here. */
	fork(): Seeded {
		return new Seeded(this.next());
	}
}
