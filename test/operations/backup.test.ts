import { describe, expect, it } from "vitest";
import { commitKey, logPrefix } from "../../src/log/keys.ts";
import { appendEntries } from "../../src/operations/append-entries.ts";
import { type CheckedSession, checkSessions } from "../../src/operations/check-sessions.ts";
import { createSession } from "../../src/operations/create-session.ts";
import { deleteSession } from "../../src/operations/delete-session.ts";
import { copySession } from "../../src/operations/fork-session.ts";
import { openSession } from "../../src/operations/open-session.ts";
import { sweep, sweepDefaults } from "../../src/operations/sweep.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { seededRandom } from "../log/instances.ts";
import { copyBucket, keysOf } from "./copy-bucket.ts";
import { append, create, listed, minute } from "./sweep-steps.ts";
import { World } from "./world.ts";

const namespace = "somebody";

/** A bucket that is worked on: what happens next, and what was acknowledged of each session, entry by entry. */
class Work {
	readonly world = new World();
	readonly acknowledged = new Map<string, string[]>();
	readonly deleted = new Set<string>();
	readonly #writers = [this.world.instance(), this.world.instance({ activityLag: 15_000 })];
	readonly #random;
	readonly #purges: boolean;
	#made = 0;

	constructor(seed: number, options: { readonly purges: boolean }) {
		this.#random = seededRandom(seed);
		this.#purges = options.purges;
	}

	pick<T>(from: readonly T[]): T | undefined {
		return from[Math.floor(this.#random.fraction() * from.length)];
	}

	async step(): Promise<void> {
		const writer = this.pick(this.#writers)!;
		const living = [...this.acknowledged.keys()].filter((id) => !this.deleted.has(id));
		const id = this.pick(living);
		const chance = this.#random.fraction();
		if (id === undefined || chance < 0.1) {
			const made = `s${this.#made++}`;
			expect((await createSession(writer.call(), { id: made })).kind).toBe("done");
			this.acknowledged.set(made, []);
		} else if (chance < 0.15) {
			const made = `s${this.#made++}`;
			expect((await copySession(writer.call(), { source: id, id: made })).kind).toBe("done");
			this.acknowledged.set(made, [...(this.acknowledged.get(id) ?? [])]);
		} else if (chance < 0.18) {
			expect((await deleteSession(writer.call(), { id })).kind).toBe("deleted");
			this.deleted.add(id);
		} else if (chance < 0.22 && this.#purges) {
			this.world.clock.ms += 61 * minute;
			await sweep(this.world.instance().sweeper(), sweepDefaults);
		} else await this.#append(id);
	}

	async #append(id: string): Promise<void> {
		const entry = `e${this.#made++}`;
		const body = {
			type: "message",
			id: entry,
			message: { role: "user", content: "x".repeat(500), timestamp: 1 },
		};
		const writer = this.pick(this.#writers)!;
		const outcome = await appendEntries(writer.call(), { id, body, keepLeaf: false });
		expect(outcome.kind).toBe("done");
		this.acknowledged.get(id)?.push(entry);
	}
}

/** A bucket of its own, with what was copied. */
function restored(work: Work): World {
	const world = new World();
	world.clock.ms = work.world.clock.ms;
	return world;
}

async function checked(store: ObjectStore): Promise<CheckedSession[]> {
	const sessions: CheckedSession[] = [];
	for await (const session of checkSessions(store, { repair: false })) sessions.push(session);
	return sessions;
}

/** The ids of a session's entries, in order; undefined where it is deleted or not there. */
async function entriesOf(world: World, id: string): Promise<string[] | undefined> {
	const opened = await openSession(world.instance().call(namespace), id, "bodies");
	if (opened.kind === "refused") return undefined;
	const { view } = opened;
	const seqs = Array.from({ length: view.length }, (_, at) => at + 1);
	expect((await view.bodies(seqs)).size).toBe(view.length);
	return seqs.map((seq) => view.id(seq));
}

const ways = [
	{ pageKeys: 5, listsFirst: false },
	{ pageKeys: 5, listsFirst: true },
	{ pageKeys: 1000, listsFirst: true },
];

describe("a copy of a bucket that is written to", () => {
	it.each(ways)(
		"of pages of $pageKeys keys: every session as it was at a moment of the copy, none torn",
		async (way) => {
			for (let seed = 1; seed <= 5; seed++) {
				const work = new Work(seed, { purges: false });
				for (let n = 0; n < 60; n++) await work.step();
				const before = new Map([...work.acknowledged].map(([id, entries]) => [id, entries.length]));
				const gone = new Set(work.deleted);
				const random = seededRandom(seed + 1000);
				const copy = restored(work);
				await copyBucket(work.world.store, copy.store, { ...way, random, meanwhile: () => work.step() });
				for (let n = 0; n < 10; n++) await work.step();

				const sessions = await checked(copy.store);
				expect(
					sessions.flatMap(({ id, report }) => report.findings.map((finding) => ({ seed, id, finding }))),
				).toEqual([]);
				for (const [id, length] of before) {
					const entries = await entriesOf(copy, id);
					if (entries === undefined) expect([seed, id, work.deleted.has(id)]).toEqual([seed, id, true]);
					else {
						// All that was acknowledged before the copy began, and no gap in what came later.
						expect(entries.length).toBeGreaterThanOrEqual(length);
						expect(entries).toEqual(work.acknowledged.get(id)?.slice(0, entries.length));
					}
					if (gone.has(id)) expect(entries).toBeUndefined();
				}
				// Lists follow once they were compared with the sessions.
				const report = await sweep(copy.instance().sweeper(), sweepDefaults, { compare: true });
				expect(report.problems).toEqual([]);
				const living = sessions
					.filter(({ report: { standing } }) => standing === "living")
					.map(({ id }) => id);
				expect(await listed(copy.instance(), namespace)).toEqual(living.sort());
			}
		},
		60_000,
	);

	it("while deleted sessions are purged: what still lives is sound, and a second pass makes all of it so", async () => {
		let torn = 0;
		for (let seed = 1; seed <= 10; seed++) {
			const work = new Work(seed, { purges: true });
			for (let n = 0; n < 60; n++) await work.step();
			const random = seededRandom(seed + 1000);
			const copy = restored(work);
			const way = { pageKeys: 5, listsFirst: seed % 2 === 0, random };
			await copyBucket(work.world.store, copy.store, { ...way, meanwhile: () => work.step() });
			for (const { id, report } of await checked(copy.store)) {
				if (report.findings.length > 0) torn++;
				if (report.findings.length > 0) expect([seed, id, work.deleted.has(id)]).toEqual([seed, id, true]);
			}
			await copyBucket(work.world.store, copy.store, { ...way, meanwhile: async () => {} }, true);
			expect((await checked(copy.store)).flatMap(({ report }) => report.findings)).toEqual([]);
			expect(await keysOf(copy.store)).toEqual(await keysOf(work.world.store));
			for (const [id, entries] of work.acknowledged)
				expect(await entriesOf(copy, id)).toEqual(work.deleted.has(id) ? undefined : entries);
		}
		// Otherwise nothing was shown of the worst.
		expect(torn).toBeGreaterThan(0);
	}, 60_000);

	it("in ranges that are listed at different times: may be torn in the middle of a session, and the check tells", async () => {
		const world = new World();
		const instance = world.instance();
		await create(instance, "torn");
		const grown = async (appends: number) => {
			for (let n = 0; n < appends; n++) await append(instance, "torn", "more");
			return keysOf(world.store);
		};
		const [early, late] = [await grown(10), await grown(30)];
		const middle = commitKey(logPrefix({ namespace, id: "torn" }), 20);
		const copy = new MemoryStore({ now: () => 0 });
		for (const key of [...late.filter((name) => name < middle), ...early.filter((name) => name >= middle)]) {
			const found = await world.store.get(key);
			if (found.kind === "found") await copy.put(key, found.bytes);
		}
		expect((await checked(world.store))[0]?.report.findings).toEqual([]);
		expect((await checked(copy))[0]?.report.findings.length).toBeGreaterThan(0);
	});
});
