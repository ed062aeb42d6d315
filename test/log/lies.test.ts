import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeHeader, type Header } from "../../src/log/commit.ts";
import { commitKey } from "../../src/log/keys.ts";
import { Corrupt } from "../../src/log/log.ts";
import { contentsOf, World } from "./instances.ts";
import { buildLog, logPlan, type PlannedLog, store, truthOf } from "./random-logs.ts";

const number = fc.oneof(
	fc.nat(40),
	fc.nat(3000),
	fc.constantFrom(2 ** 31, 2 ** 32, 2 ** 40, Number.MAX_SAFE_INTEGER),
);
const text = fc.constantFrom("", "another", "write-0.....", "write-1.....");

/** Fields of a header that say something else than what is so. */
const lie: fc.Arbitrary<Partial<Header>> = fc.record(
	{
		writeId: text,
		previous: fc.option(text),
		length: number,
		head: fc.option(text),
		indexCarried: fc.oneof(
			number,
			fc.nat(40).map((power) => 2 ** power),
		),
		indexLength: number,
		indexChecksum: text,
		bodyCarried: fc.oneof(
			number,
			fc.nat(40).map((power) => 2 ** power),
		),
		cover: fc.array(fc.tuple(number, number), { maxLength: 4 }),
	},
	{ requiredKeys: [] },
);

/** The object of commit n with another header, whose checksum is right. */
function lying(log: PlannedLog, n: number, lies: Partial<Header>): Uint8Array {
	const { bytes, header, prefixLength } = log.commits[n]!;
	const rest = bytes.subarray(prefixLength - header.indexLength);
	return Uint8Array.from([...encodeHeader(log.prefix, { ...header, ...lies }), ...rest]);
}

describe("lies: a header whose checksum is right says what is not so", () => {
	it("reading ends, with the truth or with an error of this log", { timeout: 120_000 }, async () => {
		let noticed = 0;
		let harmless = 0;
		await fc.assert(
			fc.asyncProperty(logPlan, fc.nat(999), lie, async (plan, draw, lies) => {
				const log = buildLog(plan);
				// Mostly the newest one, which everything hangs on.
				const n = Math.max(0, log.commits.length - 1 - (draw % 3));
				const bucket = await store(log);
				await bucket.put(commitKey(log.prefix, n), lying(log, n, lies));
				const world = new World(bucket);
				for (const want of ["index", "bodies"] as const) {
					try {
						const outcome = await world.instance().read(world.scope(), log.name, want);
						if (outcome.kind !== "ok") throw new Error(`the log is ${outcome.kind}`);
						expect(await contentsOf(outcome.view)).toEqual(truthOf(log));
						harmless++;
					} catch (error) {
						if (!(error instanceof Corrupt)) throw error;
						expect(error.key.startsWith(log.prefix)).toBe(true);
						noticed++;
					}
				}
			}),
			{ seed: 1, numRuns: 300 },
		);
		expect(noticed).toBeGreaterThan(200);
		expect(harmless).toBeGreaterThan(20);
	});

	it("a cover that leaves out what is needed, or names what there is not, is an error", async () => {
		const [plan] = fc.sample(
			logPlan.filter(({ commits }) => commits.length > 6),
			{ seed: 2, numRuns: 1 },
		);
		// Nobody carries anything: the whole index is in all of the objects.
		const log = buildLog({ ...plan!, indexCap: 0 });
		const newest = log.commits.length - 1;
		const { cover } = log.commits[newest]!.header;
		expect(cover.length).toBeGreaterThan(2);
		for (const lies of [[], cover.slice(1), cover.map(([n]) => [n, 1] as const), [[1, 2 ** 40] as const]]) {
			const bucket = await store(log);
			await bucket.put(commitKey(log.prefix, newest), lying(log, newest, { cover: lies }));
			const world = new World(bucket);
			await expect(world.instance().read(world.scope(), log.name)).rejects.toBeInstanceOf(Corrupt);
		}
	});
});
