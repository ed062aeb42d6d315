import { describe, expect, it } from "vitest";
import { commitKey, logPrefix } from "../../src/log/keys.ts";
import type { AppendOutcome, Log, LogView, Scope } from "../../src/log/log.ts";
import { purgeLog } from "../../src/log/purge.ts";
import type { ObjectStore, PutOutcome } from "../../src/store/object-store.ts";
import { appendOne, genesis, record, World } from "./instances.ts";

const name = { namespace: "n", id: "s" };

/** The same store, but PUTs, or their answers, wait in the order they came until they are let through one by one. */
class GatedPuts implements ObjectStore {
	readonly #store: ObjectStore;
	readonly #held: "request" | "answer";
	readonly #waiting: (() => void)[] = [];

	constructor(store: ObjectStore, held: "request" | "answer" = "request") {
		this.#store = store;
		this.#held = held;
	}

	async put(...args: Parameters<ObjectStore["put"]>): Promise<PutOutcome> {
		const released = () => new Promise<void>((resolve) => this.#waiting.push(resolve));
		if (this.#held === "request") await released();
		const outcome = await this.#store.put(...args);
		if (this.#held === "answer") await released();
		return outcome;
	}

	get: ObjectStore["get"] = (...args) => this.#store.get(...args);
	list: ObjectStore["list"] = (...args) => this.#store.list(...args);
	delete: ObjectStore["delete"] = (...args) => this.#store.delete(...args);

	/** When `count` PUTs wait. */
	async until(count: number): Promise<void> {
		while (this.#waiting.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
	}

	/** Lets the PUT with this index among those that wait through. */
	release(index: number): void {
		this.#waiting.splice(index, 1)[0]!();
	}
}

/**
 * A log whose instance has lost number 1 to another and whose leader now puts number 2, with what the others want.
 * Nobody waits long for that leader: the others take it for gone.
 */
async function leaderAtNumberTwo(
	others: (log: Log, scope: Scope) => Promise<AppendOutcome<unknown>>[],
	held: "request" | "answer" = "request",
) {
	const world = new World();
	const rival = world.instance();
	const log = world.instance({ followerWait: 50, patience: 500 });
	await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
	await appendOne(rival, world.scope(), name, "x1");
	const gate = new GatedPuts(world.store, held);
	const scope: Scope = { store: gate };
	const leading = appendOne(log, scope, name, "leader");
	await gate.until(1);
	const outcomes = others(log, scope);
	gate.release(0);
	await gate.until(1);
	return { world, rival, gate, leading, outcomes };
}

describe("doubt: a leader that was taken for gone comes back", () => {
	it("contention is not said of an append that another leader is still putting", async () => {
		const { world, rival, gate, leading, outcomes } = await leaderAtNumberTwo((log, scope) => [
			appendOne(log, scope, name, "follower"),
		]);
		await appendOne(rival, world.scope(), name, "x2");
		await gate.until(2);
		gate.release(1); // The follower's own try for number 2 is lost to the rival; it goes on to number 3.
		await gate.until(2);
		world.clock.ms += 1000;
		gate.release(0); // The first leader's try for number 2 is lost as well, and it is late.
		await leading;
		await gate.until(1);
		gate.release(0);
		expect((await outcomes[0]!).kind).toBe("done");
	});

	it("a refusal is not given to an append that another leader is putting behind what it needs", async () => {
		const needy = (view: LogView) =>
			view.request("needy").length > 0
				? { kind: "answer" as const, answer: "landed" }
				: view.seqOf("needed") === undefined
					? { kind: "answer" as const, answer: "refused" }
					: { kind: "commit" as const, records: [record(view, "needy")], result: () => "landed" };
		const { gate, leading, outcomes } = await leaderAtNumberTwo((log, scope) => [
			appendOne(log, scope, name, "needed"),
			log.append(scope, name, { tag: "needy", decide: needy }),
		]);
		setTimeout(() => gate.release(0), 150);
		await leading;
		const outcome = await outcomes[1]!;
		expect(outcome).not.toMatchObject({ kind: "done", answer: "refused" });
	});

	it("gone is not said of an append that another leader brought in before the end", async () => {
		const { world, rival, gate, leading, outcomes } = await leaderAtNumberTwo(
			(log, scope) => [appendOne(log, scope, name, "follower")],
			"answer",
		);
		await rival.end(world.scope(), name);
		await gate.until(2); // The follower tries number 2 as well, which the leader's commit has.
		gate.release(1);
		expect(await outcomes[0]!).toEqual({ kind: "unavailable", reason: "indeterminate" });
		gate.release(0);
		expect((await leading).kind).toBe("done");
	});
});

describe("doubt: an instance stands still until its log is ended and purged", () => {
	for (const landsFirst of [true, false]) {
		it(`an append that landed ${landsFirst ? "before" : "after"} that is neither acknowledged nor said to be undone`, async () => {
			const world = new World();
			const other = world.instance();
			const log = world.instance();
			await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
			await appendOne(log, world.scope(), name, "e1");
			const gate = new GatedPuts(world.store, landsFirst ? "answer" : "request");
			const pending = appendOne(log, { store: gate }, name, "e2");
			await gate.until(1);
			await appendOne(other, world.scope(), name, "e3");
			await other.end(world.scope(), name);
			world.clock.ms += 3_600_000;
			await purgeLog(world.store, logPrefix(name), { now: world.clock.ms, after: 3_600_000, again: 1e9 });
			gate.release(0);
			expect(await pending).toEqual({ kind: "unavailable", reason: "indeterminate" });
			expect(await appendOne(log, world.scope(), name, "e2")).toEqual({ kind: "gone" });
			expect(await world.instance().read(world.scope(), name)).toEqual({ kind: "gone" });
		});
	}

	it("an append that landed on a number which a purge has just freed, and no other yet, is not acknowledged", async () => {
		const world = new World();
		const other = world.instance();
		const log = world.instance();
		await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
		await appendOne(log, world.scope(), name, "e1");
		const gate = new GatedPuts(world.store);
		const pending = appendOne(log, { store: gate }, name, "e2");
		await gate.until(1);
		await appendOne(other, world.scope(), name, "e3");
		await other.end(world.scope(), name);
		world.clock.ms += 3_600_000;
		const freed = commitKey(logPrefix(name), 2);
		const halfway: ObjectStore = {
			put: (...args) => world.store.put(...args),
			get: (...args) => world.store.get(...args),
			list: (...args) => world.store.list(...args),
			delete: (keys) => world.store.delete(keys.filter((key) => key === freed)),
		};
		await purgeLog(halfway, logPrefix(name), { now: world.clock.ms, after: 3_600_000, again: 1e9 });
		gate.release(0);
		expect(await pending).toEqual({ kind: "unavailable", reason: "indeterminate" });
	});

	it("an end that landed before the purge leaves the tombstone that shows it", async () => {
		const world = new World();
		const log = world.instance();
		await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
		await appendOne(log, world.scope(), name, "e1");
		const gate = new GatedPuts(world.store, "answer");
		const pending = log.end({ store: gate }, name);
		await gate.until(1);
		world.clock.ms += 3_600_000;
		await purgeLog(world.store, logPrefix(name), { now: world.clock.ms, after: 3_600_000, again: 1e9 });
		gate.release(0);
		expect(await pending).toEqual({ kind: "gone" });
		const { objects } = await world.store.list(logPrefix(name));
		expect(objects.map(({ key }) => key)).toEqual([2, 0].map((n) => commitKey(logPrefix(name), n)));
	});

	it("a creation whose answer was lost is not said to be undone", async () => {
		const world = new World();
		const other = world.instance();
		const forgetful: ObjectStore = {
			get: (...args) => world.store.get(...args),
			list: (...args) => world.store.list(...args),
			delete: (...args) => world.store.delete(...args),
			put: async (...args) => {
				await world.store.put(...args);
				await other.end(world.scope(), name);
				world.clock.ms += 3_600_000;
				await purgeLog(world.store, logPrefix(name), { now: world.clock.ms, after: 3_600_000, again: 1e9 });
				return { kind: "unknown", cause: "no answer" };
			},
		};
		const creation = { tag: "make", genesis, records: [] };
		const outcome = await world.instance().create({ store: forgetful }, name, creation);
		expect(outcome).toEqual({ kind: "unavailable", reason: "indeterminate" });
		expect(await world.instance().create(world.scope(), name, creation)).toEqual({ kind: "gone" });
	});
});
