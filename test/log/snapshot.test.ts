import { describe, expect, it } from "vitest";
import { Corrupt } from "../../src/log/errors.ts";
import { snapshotPrefix, versionKey } from "../../src/log/keys.ts";
import { purgeSnapshots } from "../../src/log/purge.ts";
import type { Clock } from "../../src/log/scope.ts";
import { SnapshotRegister } from "../../src/log/snapshot.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { MeteredStore } from "../../src/store/metering.ts";
import type { ObjectStore, PutOutcome } from "../../src/store/object-store.ts";
import { Seeded } from "../simulation/seeded.ts";
import { name, simulate, words } from "./snapshot-world.ts";

const prefix = snapshotPrefix(name.namespace, name.name);

/** Instances over one bucket, and a clock that is turned by hand. */
function setUp() {
	let now = Date.UTC(2026, 0, 1);
	const clock: Clock = {
		now: () => now,
		monotonic: () => now,
		sleep: async (ms) => {
			now += ms;
		},
	};
	const bucket = new MemoryStore({ now: () => now });
	let seed = 1;
	const instance = (store: ObjectStore = bucket) => {
		const metered = new MeteredStore(store, { now: () => now });
		const register = new SnapshotRegister({ clock, random: new Seeded(seed++), kind: words });
		const scope = { store: metered };
		let before = [0, 0, 0];
		return {
			read: async () => [...(await register.read(scope, name)).value].sort(),
			add: (...added: string[]) => register.update(scope, name, added),
			at: (version: number) => register.at(scope, name, version),
			newest: () => register.newest(scope, name),
			prepare: () => register.prepare(scope, name),
			replace: (...all: string[]) => register.replace(scope, name, new Set(all)),
			/** LISTs, GETs and PUTs since it was asked last. */
			requests: () => {
				const { list, get, put } = metered.counts();
				const after = [list.requests, get.requests, put.requests];
				const since = after.map((count, k) => count - before[k]!);
				before = after;
				return { list: since[0], get: since[1], put: since[2] };
			},
		};
	};
	return { bucket, instance, pass: (ms: number) => (now += ms), now: () => now };
}

const hour = 60 * 60_000;

describe("snapshot: the newest version is the truth", () => {
	it("starts empty; what one instance adds every other reads", async () => {
		const { instance } = setUp();
		const [a, b] = [instance(), instance()];
		expect(await a.read()).toEqual([]);
		expect(await a.add("x")).toMatchObject({ kind: "done", snapshot: { version: 0 } });
		expect(await b.read()).toEqual(["x"]);
		expect(await b.add("y")).toMatchObject({ kind: "done", snapshot: { version: 1 } });
		expect(await a.read()).toEqual(["x", "y"]);
	});

	it("a lost race is applied again, on top of the winner", async () => {
		const { instance } = setUp();
		const [a, b, c] = [instance(), instance(), instance()];
		await Promise.all([a.prepare(), b.prepare(), c.prepare()]);
		await Promise.all([a.add("a"), b.add("b"), c.add("c")]);
		expect(await instance().read()).toEqual(["a", "b", "c"]);
	});

	it("changes that change nothing write nothing, and are only told so on a confirmed version", async () => {
		const { instance, bucket } = setUp();
		const [a, b] = [instance(), instance()];
		await a.add("x");
		await b.add("x");
		a.requests();
		expect(await a.add("x")).toMatchObject({ kind: "done", snapshot: { version: 0 } });
		expect(a.requests()).toEqual({ list: 0, get: 1, put: 0 });
		expect((await bucket.list(prefix)).objects).toHaveLength(1);
	});

	it("versions stay readable by their number until they are removed", async () => {
		const { instance, bucket, pass, now } = setUp();
		const a = instance();
		for (const word of ["x", "y", "z"]) await a.add(word);
		const b = instance();
		expect([...(await b.at(1))!.value]).toEqual(["x", "y"]);
		expect((await b.at(-1))!.value.size).toBe(0);
		expect(await b.at(3)).toBeUndefined();
		pass(2 * hour);
		expect(
			await purgeSnapshots(bucket, name.namespace, { now: now(), after: hour, again: hour }),
		).toMatchObject([{ name: name.name, version: 2, older: 0 }]);
		expect(await instance().at(1)).toBeUndefined();
		expect([...(await instance().at(2))!.value]).toEqual(["x", "y", "z"]);
	});

	it("namespaces and names do not meet", async () => {
		const { instance, bucket } = setUp();
		await instance().add("x");
		const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };
		const other = new SnapshotRegister({ clock, random: new Seeded(1), kind: words });
		for (const place of [
			{ ...name, namespace: "other" },
			{ ...name, name: "word" },
			{ ...name, name: "words/" },
		]) {
			expect((await other.read({ store: bucket }, place)).value.size).toBe(0);
		}
	});
});

describe("snapshot: requests", () => {
	it("reads: warm 1 GET, cold 1 LIST + 1 GET, cold and empty 1 LIST", async () => {
		const { instance } = setUp();
		const [a, b] = [instance(), instance()];
		await a.read();
		expect(a.requests()).toEqual({ list: 1, get: 0, put: 0 });
		await a.add("x");
		a.requests();
		await a.read();
		expect(a.requests()).toEqual({ list: 0, get: 1, put: 0 });
		await b.read();
		expect(b.requests()).toEqual({ list: 1, get: 1, put: 0 });
		await b.read();
		expect(b.requests()).toEqual({ list: 0, get: 1, put: 0 });
	});

	it("updates: warm 1 PUT, cold 1 LIST + 1 GET + 1 PUT; prepared, the rest is 1 PUT", async () => {
		const { instance } = setUp();
		const [a, b, c] = [instance(), instance(), instance()];
		await a.add("x");
		a.requests();
		await a.add("y");
		expect(a.requests()).toEqual({ list: 0, get: 0, put: 1 });
		await b.add("z");
		expect(b.requests()).toEqual({ list: 1, get: 1, put: 1 });
		await c.prepare();
		expect(c.requests()).toEqual({ list: 1, get: 1, put: 0 });
		await c.add("w");
		expect(c.requests()).toEqual({ list: 0, get: 0, put: 1 });
	});

	it("what is being prepared is not asked for again, by this request or by others", async () => {
		const { bucket } = setUp();
		const clock = { now: () => 0, monotonic: () => 0, sleep: () => new Promise<void>(() => {}) };
		const metered = new MeteredStore(bucket, { now: () => 0 });
		const register = new SnapshotRegister({ clock, random: new Seeded(1), kind: words });
		const scope = { store: metered };
		const prepared = register.prepare(scope, name);
		await Promise.all(["a", "b", "c"].map((word) => register.update(scope, name, [word])));
		await prepared;
		const { list, get, put } = metered.counts();
		expect([list.requests, get.requests, put.requests]).toEqual([1, 0, 1]);
	});

	it("the number of the newest version alone: warm 1 GET, cold 1 LIST", async () => {
		const { instance } = setUp();
		await instance().add("x");
		const b = instance();
		expect(await b.newest()).toBe(0);
		expect(b.requests()).toEqual({ list: 1, get: 0, put: 0 });
		expect(await b.newest()).toBe(0);
		expect(b.requests()).toEqual({ list: 0, get: 1, put: 0 });
	});

	it("however many versions an instance missed: 1 GET that finds one, 1 LIST + 1 GET", async () => {
		const { instance } = setUp();
		const [a, b] = [instance(), instance()];
		await a.read();
		a.requests();
		for (let k = 0; k < 20; k++) await b.add(`w${k}`);
		expect(await a.read()).toHaveLength(20);
		expect(a.requests()).toEqual({ list: 1, get: 2, put: 0 });
	});

	it("200 updates that meet in one instance share a few PUTs", async () => {
		const { instance } = setUp();
		const a = instance();
		await a.prepare();
		a.requests();
		await Promise.all(Array.from({ length: 200 }, (_, k) => a.add(`w${k}`)));
		expect(a.requests().put).toBeLessThanOrEqual(3);
		expect(await instance().read()).toHaveLength(200);
	});

	it("a version confirmed more than ten minutes ago is not built upon", async () => {
		const { instance, pass } = setUp();
		const a = instance();
		await a.add("x");
		pass(11 * 60_000);
		a.requests();
		await a.read();
		expect(a.requests()).toEqual({ list: 1, get: 0, put: 0 });
		pass(11 * 60_000);
		await a.add("y");
		expect(a.requests()).toEqual({ list: 1, get: 0, put: 1 });
	});
});

describe("snapshot: doubt", () => {
	/** A store whose conditional PUTs end as `answer` says. */
	function doubtful(
		bucket: MemoryStore,
		answer: (outcome: PutOutcome, attempt: number) => PutOutcome | "lost before",
	): ObjectStore {
		let attempt = 0;
		return {
			get: (key, options) => bucket.get(key, options),
			list: (listed, options) => bucket.list(listed, options),
			delete: (keys) => bucket.delete(keys),
			put: async (key, bytes, options) => {
				const wanted = answer({ kind: "unknown", cause: "test" }, attempt++);
				if (wanted === "lost before") return { kind: "unknown", cause: "test" };
				const outcome = await bucket.put(key, bytes, options);
				return wanted.kind === "unknown" ? wanted : outcome;
			},
		};
	}

	it("an answer lost after the write is settled by reading back: one version, no second PUT", async () => {
		const { instance, bucket } = setUp();
		const a = instance(doubtful(bucket, (unknown) => unknown));
		expect(await a.add("x")).toMatchObject({ kind: "done", snapshot: { version: 0 } });
		expect(a.requests()).toEqual({ list: 1, get: 1, put: 1 });
	});

	it("a write that never arrived is sent again", async () => {
		const { instance, bucket } = setUp();
		const a = instance(doubtful(bucket, (unknown, attempt) => (attempt < 3 ? "lost before" : unknown)));
		expect(await a.add("x")).toMatchObject({ kind: "done", snapshot: { version: 0 } });
		expect(a.requests().put).toBe(4);
	});

	it("a write that never gets through is indeterminate after 20 s, and says so", async () => {
		const { instance, bucket } = setUp();
		expect(await instance(doubtful(bucket, () => "lost before")).add("x")).toEqual({
			kind: "unavailable",
			reason: "indeterminate",
		});
	});

	it("a damaged object is an error that names its key; replacing it heals", async () => {
		const { instance, bucket } = setUp();
		await instance().add("x");
		const key = versionKey(prefix, 0);
		const found = await bucket.get(key);
		if (found.kind !== "found") throw new Error("not there");
		const foreign = async () => {
			const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };
			const other = new SnapshotRegister({ clock, random: new Seeded(1), kind: words });
			const place = { namespace: "other", name: name.name };
			await other.update({ store: bucket }, place, ["x"]);
			const object = await bucket.get(versionKey(snapshotPrefix(place.namespace, place.name), 0));
			return object.kind === "found" ? object.bytes : new Uint8Array(0);
		};
		for (const damage of [
			found.bytes.subarray(0, found.bytes.length - 1),
			found.bytes.with(found.bytes.length - 1, 1),
			found.bytes.with(5, 120),
			new TextEncoder().encode("README"),
			new Uint8Array(0),
			await foreign(),
		]) {
			await bucket.put(key, damage);
			const failure = await instance()
				.read()
				.catch((error: unknown) => error);
			expect(failure).toBeInstanceOf(Corrupt);
			expect((failure as Corrupt).key).toBe(key);
		}
		const a = instance();
		expect(await a.replace("x", "y")).toMatchObject({ kind: "done", snapshot: { version: 1 } });
		expect(await a.read()).toEqual(["x", "y"]);
	});
});

describe("snapshot: many instances, faulty links, old versions removed", () => {
	const minutes = 60_000;

	it("nothing acknowledged is lost, and no read misses it, whatever the seed", {
		timeout: 60_000,
	}, async () => {
		for (let seed = 1; seed <= 150; seed++) {
			expect(await simulate({ seed, purgeAfter: 60 * minutes }), `seed ${seed}`).toEqual([]);
		}
	});

	it("notices when versions are removed while an instance may still build upon them", {
		timeout: 60_000,
	}, async () => {
		let noticed = 0;
		for (let seed = 1; seed <= 150; seed++) {
			const limits = { trust: Number.POSITIVE_INFINITY };
			if ((await simulate({ seed, purgeAfter: 0, limits })).length > 0) noticed += 1;
		}
		expect(noticed).toBeGreaterThan(0);
	});
});
