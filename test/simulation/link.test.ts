import { describe, expect, it } from "vitest";
import { Bucket } from "./bucket.ts";
import { type Faults, Link } from "./link.ts";
import { type Hazards, Machine, type World } from "./machine.ts";
import { calm } from "./profile.ts";
import { Scheduler } from "./scheduler.ts";
import { Seeded } from "./seeded.ts";
import { Tally } from "./tally.ts";
import { Trace } from "./trace.ts";

const bytes = new TextEncoder().encode("content");

function setUp(faults: Partial<Faults> = {}, hazards: Partial<Hazards> = {}, seed = 1) {
	const random = new Seeded(seed);
	const scheduler = new Scheduler(random);
	const world: World = { scheduler, random, trace: new Trace(scheduler, true), tally: new Tally() };
	const bucket = new Bucket(scheduler);
	const machine = new Machine(world, "A", { ...calm.hazards, ...hazards });
	const link = new Link(world, machine, bucket, { ...calm.faults, ...faults }, "A");
	return { world, scheduler, bucket, machine, link };
}

/** How a promise ended once all events were over. */
function watch<T>(promise: Promise<T>): { outcome?: T | Error } {
	const seen: { outcome?: T | Error } = {};
	promise.then(
		(outcome) => Object.assign(seen, { outcome }),
		(error) => Object.assign(seen, { outcome: error }),
	);
	return seen;
}

describe("link", () => {
	it("puts and gets, in steps of virtual time", async () => {
		const { scheduler, link } = setUp();
		const put = watch(link.put("k", bytes, { ifAbsent: true }));
		await scheduler.run(100);
		expect(put.outcome).toMatchObject({ kind: "created" });
		const [again, got, listed] = [
			watch(link.put("k", bytes, { ifAbsent: true })),
			watch(link.get("k")),
			watch(link.list("")),
		];
		await scheduler.run(100);
		expect(again.outcome).toEqual({ kind: "exists" });
		expect(got.outcome).toMatchObject({ kind: "found", bytes });
		expect(listed.outcome).toMatchObject({ objects: [{ key: "k" }], truncated: false });
		expect(scheduler.now).toBeGreaterThan(0);
	});

	it("fails before the write: unknown, and nothing there", async () => {
		const { scheduler, link, bucket } = setUp({ before: 1 });
		const put = watch(link.put("k", bytes, { ifAbsent: true }));
		await scheduler.run(100);
		expect(put.outcome).toMatchObject({ kind: "unknown" });
		expect(bucket.landings).toEqual([]);
	});

	it("fails after the write: unknown, and there", async () => {
		const { scheduler, link, bucket } = setUp({ after: 1 });
		const put = watch(link.put("k", bytes, { ifAbsent: true }));
		await scheduler.run(100);
		expect(put.outcome).toMatchObject({ kind: "unknown" });
		expect(bucket.landings).toHaveLength(1);
	});

	it("lands late: unknown first, there long after, even when the sender is dead by then", async () => {
		let landedAfterDeath = 0;
		for (let seed = 0; seed < 40; seed++) {
			const { scheduler, link, bucket, machine, world } = setUp({ late: 1, latest: 1_800_000 }, {}, seed);
			const put = watch(link.put("k", bytes, { ifAbsent: true }).then(() => machine.die()));
			await scheduler.run(100);
			expect(put).toHaveProperty("outcome");
			expect(bucket.landings).toHaveLength(1);
			if (
				world.trace.lines.findIndex((line) => /dies/.test(line)) <
				world.trace.lines.findIndex((line) => /takes/.test(line))
			) {
				landedAfterDeath += 1;
			}
		}
		expect(landedAfterDeath).toBeGreaterThan(10);
	});

	it("answers 429 or 409 for a key just written to, without effect", async () => {
		for (const fault of ["rateLimit", "conflict"] as const) {
			const { scheduler, link, bucket } = setUp({ [fault]: 1 });
			const puts = [1, 2].map(() => watch(link.put("k", bytes, { ifAbsent: true })));
			await scheduler.run(100);
			const kinds = puts.map(({ outcome }) => (outcome as { kind: string }).kind).sort();
			expect(kinds).toEqual(["created", "unknown"]);
			expect(bucket.landings).toHaveLength(1);
		}
	});

	it("throws StoreUnavailable for a read without answer", async () => {
		const { scheduler, link } = setUp({ before: 0.5, after: 0.5 });
		const reads = [watch(link.get("k")), watch(link.list("")), watch(link.delete(["k"]))];
		await scheduler.run(100);
		for (const { outcome } of reads) expect(outcome).toHaveProperty("name", "StoreUnavailable");
	});

	it("cuts pages and removals short, and says so", async () => {
		const { scheduler, link, bucket } = setUp({ partial: 1 });
		const keys = Array.from({ length: 50 }, (_, number) => `k${number}`);
		for (const key of keys) await bucket.store.put(key, bytes);
		const listed = watch(link.list("", { limit: 50 }));
		const deleted = watch(link.delete(keys));
		await scheduler.run(100);
		const page = listed.outcome as { objects: unknown[]; truncated: boolean };
		expect(page.truncated).toBe(page.objects.length < 50);
		const left = (await bucket.store.list("")).objects.length;
		expect(deleted.outcome === undefined ? left === 0 : left > 0).toBe(true);
	});

	it("answers nobody whose request was dropped", async () => {
		const { scheduler, link } = setUp();
		const got = watch(link.get("k"));
		link.dropped = true;
		await scheduler.run(100);
		expect(got).not.toHaveProperty("outcome");
	});
});

describe("machine", () => {
	it("takes no step while it stands still, and all of them after", async () => {
		const { scheduler, machine } = setUp();
		const taken: number[] = [];
		machine.step(10, () => taken.push(scheduler.now));
		machine.step(2000, () => taken.push(scheduler.now));
		machine.freeze(1500);
		await scheduler.run(100);
		expect(taken[0]).toBeGreaterThanOrEqual(1500);
		expect(taken[1]).toBeGreaterThanOrEqual(2000);
	});

	it("keeps one of its clocks going through every freeze", async () => {
		const kinds = new Set<string>();
		for (let seed = 0; seed < 50; seed++) {
			const { scheduler, machine } = setUp({}, { skew: 1000 }, seed);
			const [wall, monotonic] = [machine.clock.now(), machine.clock.monotonic()];
			machine.freeze(600_000);
			machine.step(0, () => {
				const passed = [machine.clock.now() - wall, machine.clock.monotonic() - monotonic];
				kinds.add(passed.map((ms) => (ms > 590_000 ? "went" : "stopped")).join());
			});
			await scheduler.run(100);
		}
		expect([...kinds].sort()).toEqual(["stopped,went", "went,stopped", "went,went"]);
	});

	it("takes no step after its death, and tells who waits", async () => {
		const { scheduler, machine } = setUp({}, { death: 1 });
		let told = 0;
		machine.lost.add(() => told++);
		machine.step(1, () => expect.unreachable());
		machine.step(2, () => expect.unreachable());
		await scheduler.run(100);
		expect([machine.alive, told]).toEqual([false, 1]);
	});
});
