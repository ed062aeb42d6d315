import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/store/faults.ts";
import { FaultyWorld, name } from "./faulty-world.ts";
import { genesis, seededRandom } from "./instances.ts";

const lost: Fault = { kind: "answer lost" };
const refused: Fault = { kind: "refused" };
const late = (delay: number): Fault => ({ kind: "late", delay });

describe("settling: a write whose outcome is in doubt", () => {
	for (const cause of ["409", "429", "500", "timeout", "connection reset"]) {
		it(`${cause}, nothing was written: the same bytes are sent again, and land once`, async () => {
			const faulty = await FaultyWorld.begin();
			const log = await faulty.warm();
			faulty.next("put", { kind: "refused", cause }, { kind: "refused", cause });
			expect(await faulty.append(log, "a")).toMatchObject({
				kind: "done",
				answer: { seq: 1, replayed: false },
			});
			expect(faulty.puts).toBe(3);
			expect(await faulty.ids()).toEqual(["a"]);
			expect(await faulty.objects()).toHaveLength(2);
		});
	}

	it("the answer is lost after the write took effect: it is found to be ours", async () => {
		const faulty = await FaultyWorld.begin();
		const log = await faulty.warm();
		faulty.next("put", lost);
		expect(await faulty.append(log, "a")).toMatchObject({
			kind: "done",
			answer: { seq: 1, replayed: false },
		});
		expect(faulty.puts).toBe(1);
		expect(await faulty.ids()).toEqual(["a"]);
	});

	it("412 for our own earlier write is success", async () => {
		const faulty = await FaultyWorld.begin();
		const log = await faulty.warm();
		faulty.next("put", lost);
		faulty.next("get", refused); // It can't be looked for either, and so it is sent again.
		expect(await faulty.append(log, "a")).toMatchObject({
			kind: "done",
			answer: { seq: 1, replayed: false },
		});
		expect(faulty.puts).toBe(2);
		expect(await faulty.ids()).toEqual(["a"]);
		expect(await faulty.objects()).toHaveLength(2);
	});

	it("412 for another's commit: it is folded in, and the next number is taken at once", async () => {
		const faulty = await FaultyWorld.begin();
		const log = await faulty.warm();
		await faulty.append(faulty.sound.instance(), "other");
		const before = faulty.clock.ms;
		const outcome = await faulty.append(log, "a");
		expect(outcome).toMatchObject({ kind: "done", answer: { seq: 2 }, view: { commit: 2 } });
		expect(faulty.clock.ms).toBe(before);
		expect(await faulty.ids()).toEqual(["other", "a"]);
	});

	it("in doubt, and the number is another's: both are there once", async () => {
		const faulty = await FaultyWorld.begin();
		const log = await faulty.warm();
		faulty.next("put", refused);
		const outcome = faulty.append(log, "a");
		const other = faulty.append(faulty.sound.instance(), "other");
		expect((await Promise.all([outcome, other])).map(({ kind }) => kind)).toEqual(["done", "done"]);
		expect((await faulty.ids()).sort()).toEqual(["a", "other"]);
	});

	it("it lands late, after it was sent again: once", async () => {
		const faulty = await FaultyWorld.begin();
		const log = await faulty.warm();
		faulty.next("put", late(5_000));
		expect(await faulty.append(log, "a")).toMatchObject({ kind: "done", answer: { seq: 1 } });
		await faulty.store.settled();
		expect(await faulty.ids()).toEqual(["a"]);
		expect(await faulty.objects()).toHaveLength(2);
	});

	it("it lands late, while it is being settled: once", async () => {
		const faulty = await FaultyWorld.begin();
		const log = await faulty.warm();
		faulty.next("put", late(3_000), refused, refused, refused, refused, refused, refused, refused, refused);
		expect(await faulty.append(log, "a")).toMatchObject({ kind: "done", answer: { seq: 1 } });
		await faulty.store.settled();
		expect(await faulty.ids()).toEqual(["a"]);
	});

	it("nothing is known for longer than it is settled: indeterminate, and a repeat appends it", async () => {
		const faulty = await FaultyWorld.begin();
		const log = await faulty.warm();
		faulty.always.put = refused;
		const begun = faulty.clock.ms;
		expect(await faulty.append(log, "a")).toEqual({ kind: "unavailable", reason: "indeterminate" });
		expect(faulty.clock.ms - begun).toBeGreaterThan(20_000);
		expect(faulty.clock.ms - begun).toBeLessThan(23_000);
		expect(await faulty.ids()).toEqual([]);
		faulty.heal();
		expect(await faulty.append(log, "a")).toMatchObject({
			kind: "done",
			answer: { seq: 1, replayed: false },
		});
		expect(await faulty.ids()).toEqual(["a"]);
	});

	for (const who of ["the same instance", "another instance"] as const) {
		it(`it landed, and nobody could see it: a repeat on ${who} finds it`, async () => {
			const faulty = await FaultyWorld.begin();
			const log = await faulty.warm();
			faulty.always.put = lost;
			faulty.always.get = refused;
			expect(await faulty.append(log, "a")).toEqual({ kind: "unavailable", reason: "indeterminate" });
			faulty.heal();
			const next = who === "the same instance" ? log : faulty.world.instance();
			expect(await faulty.append(next, "a")).toMatchObject({
				kind: "done",
				answer: { seq: 1, replayed: true },
			});
			expect(await faulty.ids()).toEqual(["a"]);
		});
	}

	it("it lands long after its answer, where a repeat was faster: once", async () => {
		const faulty = await FaultyWorld.begin();
		const log = await faulty.warm();
		faulty.next("put", late(60_000));
		faulty.always.put = refused;
		expect(await faulty.append(log, "a")).toEqual({ kind: "unavailable", reason: "indeterminate" });
		faulty.heal();
		expect(await faulty.append(log, "a")).toMatchObject({ kind: "done", answer: { replayed: false } });
		await faulty.store.settled();
		expect(faulty.clock.ms).toBeGreaterThan(60_000);
		expect(await faulty.ids()).toEqual(["a"]);
	});

	it("all members of a group are told, and a repeat of each finds out", async () => {
		const faulty = await FaultyWorld.begin();
		const log = await faulty.warm();
		faulty.always.put = lost;
		faulty.always.get = refused;
		const ids = ["a", "b", "c"];
		const outcomes = await Promise.all(ids.map((id) => faulty.append(log, id)));
		for (const outcome of outcomes) expect(outcome.kind).toBe("unavailable");
		faulty.heal();
		for (const id of ids) expect(await faulty.append(log, id)).toMatchObject({ kind: "done" });
		expect((await faulty.ids()).sort()).toEqual(ids);
	});

	it("nothing was sent, since the tail could not be read: that is thrown, and nothing is written", async () => {
		const faulty = await FaultyWorld.begin();
		faulty.always.list = refused;
		await expect(faulty.append(faulty.world.instance(), "a")).rejects.toThrow("503");
		expect(faulty.puts).toBe(0);
	});
});

describe("settling: creation and end", () => {
	const other = { namespace: "n", id: "other" };
	const create = (faulty: FaultyWorld) =>
		faulty.world.instance().create(faulty.world.scope(), other, { tag: "t", genesis, records: [] });

	it("a creation whose answer was lost is created", async () => {
		const faulty = await FaultyWorld.begin();
		faulty.next("put", lost);
		expect(await create(faulty)).toMatchObject({ kind: "created", view: { length: 0 } });
	});

	it("a creation that nobody could see is there once, and a repeat finds it", async () => {
		const faulty = await FaultyWorld.begin();
		faulty.always.put = lost;
		faulty.always.get = refused;
		expect(await create(faulty)).toEqual({ kind: "unavailable", reason: "indeterminate" });
		faulty.heal();
		expect(await create(faulty)).toMatchObject({ kind: "exists", view: { length: 0 } });
	});

	it("an end whose answer was lost has ended; one that nobody could see is found by a repeat", async () => {
		for (const seen of [true, false]) {
			const faulty = await FaultyWorld.begin();
			const log = await faulty.warm();
			if (seen) faulty.next("put", lost);
			else {
				faulty.always.put = lost;
				faulty.always.get = refused;
			}
			expect((await log.end(faulty.world.scope(), name)).kind).toBe(seen ? "ended" : "unavailable");
			faulty.heal();
			expect(await log.end(faulty.world.scope(), name)).toEqual({ kind: "gone" });
			expect(await faulty.objects()).toHaveLength(2);
		}
	});
});

describe("settling: any faults in any order", () => {
	it("what was acknowledged is there once, what was not is found or made by a repeat", {
		timeout: 120_000,
	}, async () => {
		for (let seed = 1; seed <= 40; seed++) await run(seed);
	});

	async function run(seed: number): Promise<void> {
		const faulty = await FaultyWorld.begin();
		const { fraction } = seededRandom(seed);
		const draw = (): Fault | undefined => {
			const kinds: (Fault | undefined)[] = [
				refused,
				lost,
				late(fraction() * 40_000),
				{ kind: "slow", delay: fraction() * 3000 },
			];
			return fraction() < 0.4 ? kinds[Math.floor(fraction() * kinds.length)] : undefined;
		};
		for (let k = 0; k < 400; k++) faulty.next("put", draw());
		for (let k = 0; k < 400; k++) faulty.next("get", fraction() < 0.2 ? refused : undefined);
		for (let k = 0; k < 400; k++) faulty.next("list", fraction() < 0.2 ? refused : undefined);
		const logs = [faulty.world.instance(), faulty.world.instance(), faulty.world.instance()];
		const ids = Array.from({ length: 9 }, (_, k) => `e${k}`);
		const seqs = await Promise.all(
			ids.map((id, k) => untilDone(faulty, () => faulty.append(logs[k % 3]!, id))),
		);
		await faulty.store.settled();
		const found = await faulty.ids();
		expect([...found].sort(), `seed ${seed}`).toEqual(ids);
		expect(
			ids.map((id) => found.indexOf(id) + 1),
			`seed ${seed}`,
		).toEqual(seqs);
	}

	/** Repeats until it is known where it lies. */
	async function untilDone(
		faulty: FaultyWorld,
		append: () => ReturnType<FaultyWorld["append"]>,
	): Promise<number> {
		for (;;) {
			try {
				const outcome = await append();
				if (outcome.kind === "done") return outcome.answer.seq;
				if (outcome.kind !== "unavailable") throw new Error(outcome.kind);
			} catch (error) {
				if ((error as Error).name !== "StoreUnavailable") throw error;
			}
			await faulty.clock.sleep(1000);
		}
	}
});
