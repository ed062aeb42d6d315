import { describe, expect, it } from "vitest";
import { Scheduler } from "./scheduler.ts";
import { Seeded } from "./seeded.ts";

async function orderOf(seed: number, delays: readonly number[]): Promise<string[]> {
	const scheduler = new Scheduler(new Seeded(seed));
	const happened: string[] = [];
	for (const [index, delay] of delays.entries()) {
		scheduler.after(delay, () => {
			happened.push(`${index}@${scheduler.now}`);
		});
	}
	await scheduler.run(1000);
	return happened;
}

describe("scheduler", () => {
	it("takes events in the order of their times, whatever order they came in", async () => {
		const random = new Seeded(7);
		const delays = Array.from({ length: 500 }, () => random.below(1e6) + random.fraction());
		const happened = await orderOf(1, delays);
		const times = happened.map((text) => Number(text.split("@")[1]));
		expect(times).toEqual([...delays].sort((a, b) => a - b));
	});

	it("lets the seed decide between events of one moment, and the same seed the same way", async () => {
		const orders = new Set<string>();
		for (let seed = 0; seed < 60; seed++) {
			const order = (await orderOf(seed, [5, 5, 5])).join();
			expect((await orderOf(seed, [5, 5, 5])).join()).toBe(order);
			orders.add(order);
		}
		expect(orders.size).toBe(6);
	});

	it("lets all follow from an event before the next one", async () => {
		const scheduler = new Scheduler(new Seeded(1));
		const happened: string[] = [];
		const dawdle = async () => {
			for (let turn = 0; turn < 50; turn++) await Promise.resolve();
			happened.push("first, after 50 turns");
		};
		scheduler.after(1, () => void dawdle());
		scheduler.after(1.000001, () => void happened.push("second"));
		await scheduler.run(10);
		expect(happened).toEqual(["first, after 50 turns", "second"]);
	});

	it("ends a run that never ends", async () => {
		const scheduler = new Scheduler(new Seeded(1));
		const again = () => scheduler.after(1, again);
		again();
		await expect(scheduler.run(100)).rejects.toThrow("no end after 100 events");
	});
});

describe("seeded", () => {
	it("gives the same numbers for the same seed, and others for another", () => {
		const numbers = (seed: number) => {
			const random = new Seeded(seed);
			return Array.from({ length: 20 }, () => random.next());
		};
		expect(numbers(42)).toEqual(numbers(42));
		expect(numbers(42)).not.toEqual(numbers(43));
	});

	it("is even enough: each of ten tenths gets its share", () => {
		const random = new Seeded(3);
		const counts = new Array<number>(10).fill(0);
		for (let draw = 0; draw < 20_000; draw++) counts[random.below(10)]! += 1;
		for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(250);
	});
});
