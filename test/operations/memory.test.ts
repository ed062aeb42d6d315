import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Memory, type Place } from "../../src/operations/memory.ts";

const limits = { total: 1000, each: 600, free: 50, patience: 1000 };

/** A clock on which every sleep is over at once, and calls `then` at each. */
function clock(then: () => void = () => {}) {
	let now = 0;
	return {
		monotonic: () => now,
		sleep: async (ms: number) => {
			now += ms;
			then();
		},
	};
}

describe("Memory", () => {
	it("whatever is held and let go: never more than there is, nor than a caller may have; small ones always", () => {
		const step = fc.record({
			place: fc.nat(19),
			bytes: fc.oneof(fc.nat(2000), fc.nat(60)),
			release: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
				const memory = new Memory(limits, clock());
				const owners = ["a", "b", "c", ""];
				const places = Array.from({ length: 20 }, (_, at) => memory.open(owners[at % 4] ?? ""));
				const held = new Array<number>(20).fill(0);
				for (const { place, bytes, release } of steps) {
					if (release) {
						places[place]?.release();
						held[place] = 0;
					} else {
						const wanted = Math.min(Math.max(0, bytes - limits.free), limits.each);
						const granted = places[place]?.grow(bytes);
						if (wanted === 0) expect(granted).toBe(true);
						const others = held.reduce((sum, one, at) => sum + (at === place ? 0 : one), 0);
						const own = held.reduce(
							(sum, one, at) => sum + (at !== place && at % 4 === place % 4 ? one : 0),
							0,
						);
						const fits = others + wanted <= limits.total && own + wanted <= limits.each;
						expect(granted).toBe(fits || wanted <= (held[place] ?? 0));
						if (granted) held[place] = Math.max(held[place] ?? 0, wanted);
					}
					expect(memory.held).toBe(held.reduce((sum, one) => sum + one, 0));
					expect(memory.held).toBeLessThanOrEqual(limits.total);
				}
				for (const one of places) one.release();
				expect(memory.held).toBe(0);
			}),
			{ seed: 9 },
		);
	});

	it("full: who waits gets the room that others leave, or is told after its patience", async () => {
		let first: Place | undefined;
		let sleeps = 0;
		const memory = new Memory(
			limits,
			clock(() => {
				if (++sleeps === 3) first?.release();
			}),
		);
		first = memory.open("a");
		expect(await first.take(650)).toBe(true);
		expect(await memory.open("a").take(60)).toBe(true);
		expect([sleeps, memory.held]).toEqual([3, 10]);
		expect(await memory.open("b").take(650)).toBe(true);
		expect(await memory.open("b").take(60)).toBe(false);
		expect(await memory.open("c").take(limits.free)).toBe(true);
	});

	it("more than a caller may have: all of what it may", async () => {
		const memory = new Memory(limits, clock());
		expect(await memory.open("a").take(1_000_000)).toBe(true);
		expect(memory.held).toBe(limits.each);
	});
});
