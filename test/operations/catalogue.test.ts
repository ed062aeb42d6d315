import { describe, expect, it } from "vitest";
import type { Session } from "../../schemas/session.ts";
import { Corrupt, snapshotsPrefix } from "../../src/log/log.ts";
import { type Activity, Catalogue, type CatalogueSettings } from "../../src/operations/catalogue.ts";
import { StoreUnavailable } from "../../src/store/object-store.ts";
import { World as Bench, seededRandom } from "../log/instances.ts";
import { session } from "./sessions.ts";

const ns = "somebody";

/** Instances over one bucket. */
function setUp(settings: Partial<CatalogueSettings> = {}) {
	const bench = new Bench();
	let instances = 0;
	const instance = () => new Catalogue({ clock: bench.clock, random: seededRandom(++instances), settings });
	const list = async (catalogue = instance()) =>
		(await catalogue.read(bench.scope(), ns)).flatMap(({ value }) =>
			[...value.cards.values()].map((card) => card.session),
		);
	return { bench, instance, list };
}

/** What was sent while something was done. */
async function requests(bench: Bench, work: (scope: ReturnType<Bench["scope"]>) => Promise<unknown>) {
	const scope = bench.scope();
	await work(scope);
	const { get, put, list } = scope.store.counts();
	return { list: list.requests, get: get.requests, put: put.requests };
}

function sight(one: Session) {
	return { session: one, commit: one.seq };
}

function activity(one: Session): Activity {
	return { id: one.id, seq: one.seq, commit: one.seq, describe: async () => one };
}

const ids = (sessions: readonly Session[]) => sessions.map(({ id }) => id).sort();

describe("catalogue: requests", () => {
	it("a change: cold 1 LIST + 1 GET + 1 PUT, warm 1 PUT", async () => {
		const { bench, instance } = setUp();
		await instance().record(bench.scope(), ns, sight(session("first")));
		const catalogue = instance();
		const record = (id: string) =>
			requests(bench, (scope) => catalogue.record(scope, ns, sight(session(id))));
		expect(await record("a")).toEqual({ list: 1, get: 1, put: 1 });
		expect(await record("b")).toEqual({ list: 0, get: 0, put: 1 });
		expect(await requests(bench, (scope) => catalogue.remove(scope, ns, "a"))).toEqual({
			list: 0,
			get: 0,
			put: 1,
		});
	});

	it("what is prepared beside the session's own work leaves 1 PUT", async () => {
		const { bench, instance } = setUp();
		await instance().record(bench.scope(), ns, sight(session("first")));
		const catalogue = instance();
		catalogue.prepare(bench.scope(), ns, "a");
		await new Promise((done) => setTimeout(done, 5));
		expect(await requests(bench, (scope) => catalogue.record(scope, ns, sight(session("a"))))).toEqual({
			list: 0,
			get: 0,
			put: 1,
		});
	});

	it("a list: cold 1 LIST + 1 GET a shard, warm 1 GET", async () => {
		for (const shards of [1, 4]) {
			const { bench, instance } = setUp({ shards });
			const writer = instance();
			for (let k = 0; k < 40; k++) await writer.record(bench.scope(), ns, sight(session(`s${k}`)));
			const reader = instance();
			const read = () => requests(bench, (scope) => reader.read(scope, ns));
			expect(await read()).toEqual({ list: shards, get: shards, put: 0 });
			expect(await read()).toEqual({ list: 0, get: shards, put: 0 });
			expect(await requests(bench, (scope) => instance().versions(scope, ns))).toEqual({
				list: shards,
				get: 0,
				put: 0,
			});
		}
	});

	it("only its own shard is touched by a change", async () => {
		const { bench, instance } = setUp({ shards: 16 });
		expect(await requests(bench, (scope) => instance().record(scope, ns, sight(session("a"))))).toEqual({
			list: 1,
			get: 0,
			put: 1,
		});
		expect((await bench.store.list(snapshotsPrefix(ns))).objects).toHaveLength(1);
	});
});

describe("catalogue: windows of activity", () => {
	it("what appends change is written once, at the end of the window", async () => {
		const { bench, instance, list } = setUp({ activityLag: 15_000 });
		const catalogue = instance();
		await catalogue.record(bench.scope(), ns, sight(session("a")));
		await catalogue.record(bench.scope(), ns, sight(session("b")));
		const scope = bench.scope();
		const pending: Promise<unknown>[] = [];
		const opened = { ...scope, waitUntil: (work: Promise<unknown>) => pending.push(work) };
		for (let seq = 1; seq <= 20; seq++) {
			await catalogue.activity(opened, ns, activity(session("a", { seq })));
			await catalogue.activity(opened, ns, activity(session("b", { seq: seq * 2 })));
		}
		expect((await list()).map(({ seq }) => seq)).toEqual([0, 0]);
		await Promise.all(pending);
		expect((await list()).map(({ seq }) => seq)).toEqual([20, 40]);
		expect(scope.store.counts().put.requests).toBe(1);
	});

	it("a lag of 0: at once, and waited for", async () => {
		const { bench, instance, list } = setUp({ activityLag: 0 });
		await instance().activity(bench.scope(), ns, activity(session("a", { seq: 3 })));
		expect((await list()).map(({ seq }) => seq)).toEqual([3]);
	});

	it("a session is described on top of what is known of it, and not at all where more is known", async () => {
		const { bench, instance, list } = setUp({ activityLag: 0 });
		const catalogue = instance();
		await catalogue.record(bench.scope(), ns, sight(session("a", { seq: 5, name: "known" })));
		const described: (Session | undefined)[] = [];
		const tell = (seq: number) =>
			catalogue.activity(bench.scope(), ns, {
				id: "a",
				seq,
				commit: seq,
				describe: async (known) => {
					described.push(known);
					return { ...known!, seq };
				},
			});
		await tell(4);
		await tell(6);
		expect(described).toEqual([session("a", { seq: 5, name: "known" })]);
		expect(await list()).toEqual([session("a", { seq: 6, name: "known" })]);
	});

	it("a window whose request was ended by the platform is ended by the next one", async () => {
		const { bench, list } = setUp();
		let sleepers = 0;
		const sleep = (ms: number) => (sleepers++ === 0 ? new Promise<void>(() => {}) : bench.clock.sleep(ms));
		const clock = { now: bench.clock.now, monotonic: bench.clock.monotonic, sleep };
		const catalogue = new Catalogue({ clock, random: seededRandom(1), settings: { activityLag: 15_000 } });
		const pending: Promise<unknown>[] = [];
		await catalogue.activity(bench.scope(), ns, activity(session("a", { seq: 1 })));
		for (let seq = 2; seq <= 3; seq++) {
			bench.clock.ms += 10_000;
			const alive = { ...bench.scope(), waitUntil: (work: Promise<unknown>) => pending.push(work) };
			await catalogue.activity(alive, ns, activity(session("a", { seq })));
		}
		await Promise.all(pending);
		expect((await list()).map(({ seq }) => seq)).toEqual([3]);
	});

	it("a failure is no failure of the append, and the next change brings it along", async () => {
		const { bench, instance, list } = setUp({ activityLag: 0 });
		const catalogue = instance();
		const failing = {
			store: { ...bench.scope().store, list: () => Promise.reject(new StoreUnavailable("down")) },
		};
		await catalogue.activity(failing as never, ns, activity(session("a", { seq: 1 })));
		await catalogue.activity(bench.scope(), ns, activity(session("a", { seq: 2 })));
		expect((await list()).map(({ seq }) => seq)).toEqual([2]);
	});

	it("flush writes what waits", async () => {
		const { bench, instance, list } = setUp({ activityLag: 15_000 });
		const catalogue = instance();
		await catalogue.activity(bench.scope(), ns, activity(session("a", { seq: 1 })));
		await catalogue.flush();
		expect((await list()).map(({ seq }) => seq)).toEqual([1]);
	});
});

describe("catalogue: a damaged shard", () => {
	it("is an error that names its key, and can be put anew", async () => {
		const { bench, instance, list } = setUp();
		await instance().record(bench.scope(), ns, sight(session("a")));
		const [object] = (await bench.store.list(snapshotsPrefix(ns))).objects;
		await bench.store.put(object!.key, new TextEncoder().encode("README"));
		await expect(list()).rejects.toThrow(Corrupt);
		await expect(list()).rejects.toThrow(object!.key);
		await instance().replace(bench.scope(), ns, 0, {
			sightings: [sight(session("a"))],
			gone: [["b", { at: 1 }]],
		});
		expect(ids(await list())).toEqual(["a"]);
		await instance().record(bench.scope(), ns, sight(session("b")));
		expect(ids(await list())).toEqual(["a"]);
	});
});

describe("catalogue: sizes", () => {
	it("20,000 sessions over 16 shards, 3,000 in one: each is there once, and one more is one PUT", {
		timeout: 60_000,
	}, async () => {
		for (const [count, shards] of [
			[20_000, 16],
			[3000, 1],
		] as const) {
			const { bench, instance, list } = setUp({ shards });
			const catalogue = instance();
			const all = Array.from({ length: count }, (_, k) =>
				session(`s${k}`, { made: k, firstMessage: "x".repeat(100) }),
			);
			for (const [shard, own] of Map.groupBy(all, ({ id }) => catalogue.shardOf(id))) {
				expect(own.length).toBeGreaterThan((count / shards) * 0.8);
				const sightings = own.map(sight);
				await catalogue.replace(bench.scope(), ns, shard, { sightings, gone: [] });
			}
			expect(ids(await list())).toEqual(ids(all));
			const writer = instance();
			const one = session("one more");
			const sent = await requests(bench, (scope) => writer.record(scope, ns, sight(one)));
			expect(sent).toEqual({ list: 1, get: 1, put: 1 });
			expect(ids(await list())).toEqual(ids([...all, one]));
		}
	});

	it("500 sessions created at once in one instance share a few PUTs", async () => {
		const { bench, instance, list } = setUp();
		const catalogue = instance();
		const all = Array.from({ length: 500 }, (_, k) => session(`s${k}`));
		const sent = await requests(bench, (scope) =>
			Promise.all(all.map((one) => catalogue.record(scope, ns, sight(one)))),
		);
		expect(sent.put).toBeLessThanOrEqual(3);
		expect(ids(await list())).toEqual(ids(all));
	});
});
