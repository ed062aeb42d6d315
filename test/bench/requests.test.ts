import { describe, expect, it } from "vitest";
import { grow } from "../../bench/growth.ts";
import { type Measurement, measureStage } from "../../bench/requests.ts";

/** Objects of the cover of a log whose newest commit is n. */
function coverSize(n: number): number {
	return (n + 1).toString(2).replaceAll("0", "").length;
}

describe("bench on the virtual clock", async () => {
	const measured: Measurement[] = [];
	const lengths = [10, 100];
	const bytes = new Map<number, number>();
	for await (const stage of grow(lengths)) {
		bytes.set(stage.entries, stage.bytes);
		measured.push(...(await measureStage(stage)));
	}
	const find = (design: string, operation: string, entries: number) => {
		const found = measured.find(
			(row) => row.design === design && row.operation === operation && row.entries === entries,
		)!;
		const { lists, gets, puts, roundTrips, time } = found;
		return { lists, gets, puts, roundTrips, time };
	};

	for (const entries of lengths) {
		const ours = (operation: string) => find("Leaflog", operation, entries);
		const cover = coverSize(entries);

		it(`Leaflog at ${entries} entries: the requests of the budget, and the time that they take`, () => {
			expect(ours("append, warm")).toEqual({ lists: 0, gets: 0, puts: 1, roundTrips: 1, time: 30 });
			expect(ours("append, cold")).toEqual({ lists: 1, gets: cover, puts: 1, roundTrips: 3, time: 85 });
			expect(ours("context of 1 MB, warm")).toEqual({ lists: 0, gets: 1, puts: 0, roundTrips: 1, time: 15 });
			expect(ours("tree, cold")).toEqual({ lists: 1, gets: cover, puts: 0, roundTrips: 2, time: 55 });
			expect(ours("leaf, cold")).toEqual({ lists: 1, gets: 1, puts: 0, roundTrips: 2, time: 55 });
		});

		it(`Leaflog at ${entries} entries: bodies in one wave of blocks`, () => {
			// The compaction is one commit more.
			const context = { index: coverSize(entries + 1), ...ours("context of 1 MB, cold") };
			const branch = { index: cover, ...ours("whole branch, cold") };
			for (const { index, lists, gets, puts, roundTrips } of [context, branch]) {
				expect([lists, puts]).toEqual([1, 0]);
				if (bytes.get(entries)! <= 64 * 1024) expect([gets, roundTrips]).toEqual([index, 2]);
				else {
					expect(roundTrips).toBe(3);
					expect(gets).toBeGreaterThan(index);
					// A block is cut at 64 KiB; one before a large entry may be small.
					expect(gets - index).toBeLessThanOrEqual(Math.ceil(bytes.get(entries)! / (32 * 1024)));
				}
			}
			expect(ours("page of 50, cold").gets).toBeLessThanOrEqual(branch.gets);
		});

		it(`naive designs at ${entries} entries: a GET of all, or a LIST and a GET an entry`, () => {
			expect(find("one object", "append, cold", entries)).toMatchObject({ lists: 0, gets: 1, puts: 1 });
			expect(find("one object", "tree, cold", entries)).toMatchObject({ lists: 0, gets: 1, roundTrips: 1 });
			const perEntry = find("object per entry", "whole branch, cold", entries);
			const waves = Math.ceil(entries / 6);
			expect(perEntry).toEqual({ lists: 1, gets: entries, puts: 0, roundTrips: 2, time: 40 + 15 * waves });
		});
	}

	it("bytes that an append writes: as many as before for Leaflog, all of the session for one object", () => {
		const written = (design: string, entries: number) =>
			measured.find(
				(row) => row.design === design && row.operation === "append, warm" && row.entries === entries,
			)!.bytesWritten;
		expect(written("Leaflog", 100)).toBeLessThan(2 * written("Leaflog", 10));
		expect(written("one object", 100)).toBeGreaterThan(bytes.get(100)!);
	});
});
