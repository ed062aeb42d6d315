import { describe, expect, it } from "vitest";
import {
	type Fault,
	type FaultPlan,
	FaultyStore,
	randomFaults,
	scriptedFaults,
} from "../../src/store/faults.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { StoreUnavailable } from "../../src/store/object-store.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A faulty store over a bucket, and a clock that stands still until it is turned. */
function faulty(plan: FaultPlan) {
	const bucket = new MemoryStore({ now: () => 0 });
	const sleepers: { delay: number; wake: () => void }[] = [];
	const sleep = (delay: number) => new Promise<void>((wake) => sleepers.push({ delay, wake }));
	const wakeAll = () => {
		for (const { wake } of sleepers.splice(0)) wake();
	};
	return { bucket, store: new FaultyStore(bucket, { plan, sleep }), sleepers, wakeAll };
}

const once = (fault: Fault) => faulty(scriptedFaults([fault]));

describe("faulty store", () => {
	it("no faults: the store itself, and what was sent is told", async () => {
		const { store } = faulty(() => undefined);
		expect((await store.put("a", bytes("x"), { ifAbsent: true })).kind).toBe("created");
		expect((await store.put("a", bytes("x"), { ifAbsent: true })).kind).toBe("exists");
		expect((await store.list("")).objects).toHaveLength(1);
		await store.delete(["a"]);
		expect((await store.get("a")).kind).toBe("absent");
		expect(store.sent.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
			"put a",
			"put a",
			"list ",
			"delete a",
			"get a",
		]);
	});

	it("refused: unknown or unavailable, and nothing happened", async () => {
		const { bucket, store } = faulty(() => ({ kind: "refused", cause: "429" }));
		await bucket.put("b", bytes("x"));
		expect(await store.put("a", bytes("x"))).toMatchObject({ kind: "unknown", cause: { message: "429" } });
		for (const request of [store.get("b"), store.list(""), store.delete(["b"])]) {
			await expect(request).rejects.toBeInstanceOf(StoreUnavailable);
		}
		expect((await bucket.list("")).objects.map(({ key }) => key)).toEqual(["b"]);
	});

	it("answer lost: unknown or unavailable, and it happened", async () => {
		const { bucket, store } = faulty(() => ({ kind: "answer lost" }));
		expect((await store.put("a", bytes("x"), { ifAbsent: true })).kind).toBe("unknown");
		expect((await bucket.get("a")).kind).toBe("found");
		await expect(store.delete(["a"])).rejects.toBeInstanceOf(StoreUnavailable);
		expect((await bucket.get("a")).kind).toBe("absent");
	});

	it("late: unanswered, and the bytes of that time land when the delay is over, if the key is still free", async () => {
		const { bucket, store, sleepers, wakeAll } = once({ kind: "late", delay: 1800 });
		const sent = bytes("zombie");
		expect((await store.put("a", sent, { ifAbsent: true })).kind).toBe("unknown");
		sent.fill(0);
		expect((await bucket.get("a")).kind).toBe("absent");
		expect(sleepers.map(({ delay }) => delay)).toEqual([1800]);
		wakeAll();
		await store.settled();
		expect(await bucket.get("a")).toMatchObject({ kind: "found", bytes: bytes("zombie") });

		const other = once({ kind: "late", delay: 1 });
		await other.store.put("a", bytes("zombie"), { ifAbsent: true });
		await other.store.put("a", bytes("winner"), { ifAbsent: true });
		other.wakeAll();
		await other.store.settled();
		expect(await other.bucket.get("a")).toMatchObject({ bytes: bytes("winner") });
	});

	it("slow: answered after the delay", async () => {
		const { store, sleepers, wakeAll } = once({ kind: "slow", delay: 5 });
		const request = store.put("a", bytes("x"));
		expect((await store.get("a")).kind).toBe("absent");
		expect(sleepers.map(({ delay }) => delay)).toEqual([5]);
		wakeAll();
		expect((await request).kind).toBe("created");
	});

	it("short page: the first half, more to follow, never an empty page", async () => {
		const { bucket, store } = faulty(() => ({ kind: "short page" }));
		for (const key of ["a", "b", "c"]) await bucket.put(key, bytes(key));
		const page = await store.list("");
		expect([page.objects.map(({ key }) => key), page.truncated]).toEqual([["a"], true]);
		expect(await store.list("c")).toMatchObject({ objects: [{ key: "c" }], truncated: false });
	});

	it("corrupt: one bit differs in what is read, none in what is stored", async () => {
		const { bucket, store } = once({ kind: "corrupt" });
		await bucket.put("a", bytes("hello"));
		expect(await store.get("a")).toMatchObject({ kind: "found", bytes: bytes("hemlo") });
		expect(await store.get("a")).toMatchObject({ kind: "found", bytes: bytes("hello") });
	});

	it("random faults: the same draws give the same faults, in the share that was asked for", async () => {
		const plan = () => {
			let state = 7;
			const random = () => {
				state = (state * 48271) % 2147483647;
				return state / 2147483647;
			};
			return randomFaults({ random, chances: { refused: 0.1, late: 0.2 }, longestDelay: 100 });
		};
		const draw = (decide: FaultPlan) =>
			Array.from({ length: 2000 }, (_, number) => decide({ kind: "put", key: "a", number }));
		const faults = draw(plan());
		expect(draw(plan())).toEqual(faults);
		const share = (kind: string) => faults.filter((fault) => fault?.kind === kind).length / faults.length;
		expect(share("refused")).toBeCloseTo(0.1, 1);
		expect(share("late")).toBeCloseTo(0.2, 1);
		expect(faults.every((fault) => fault?.kind !== "late" || (fault.delay >= 0 && fault.delay < 100))).toBe(
			true,
		);
	});
});
