import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeTombstone } from "../../src/log/commit.ts";
import { checkLog, type LogReport } from "../../src/log/fsck.ts";
import { commitKey } from "../../src/log/keys.ts";
import { Corrupt } from "../../src/log/log.ts";
import { MeteredStore } from "../../src/store/metering.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { type Damage, damage, damaged, inflict } from "./damage.ts";
import { contentsOf, World } from "./instances.ts";
import { buildLog, type LogPlan, logPlan, type PlannedLog, store, truthOf } from "./random-logs.ts";

const anyLog = logPlan.map((plan) => buildLog(plan));
const draws = fc.nat(999);

/** What a bucket holds, as text by key. */
async function contents(bucket: ObjectStore): Promise<Map<string, string>> {
	const held = new Map<string, string>();
	for (const { key } of (await bucket.list("")).objects) {
		const found = await bucket.get(key);
		if (found.kind === "found") held.set(key, Buffer.from(found.bytes).toString("latin1"));
	}
	return held;
}

function latin1(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString("latin1");
}

/** Whether all that commit n's object held is in other objects, or is left in it where it can be told to be right. */
function isRestorable(log: PlannedLog, n: number, what: Damage): boolean {
	const own = log.commits[n]!;
	const left = damaged(log, n, what);
	const isLeft = (start: number, end: number) =>
		left !== undefined && latin1(left.subarray(start, end)) === latin1(own.bytes.subarray(start, end));
	const others = log.commits.filter((other) => other.n > n);
	const indexElsewhere = others.some(({ n: m, header }) => m - header.indexCarried < n);
	const headerFlipped = what.kind === "flipped" && what.region === "header";
	if (!indexElsewhere && !headerFlipped && !isLeft(0, own.prefixLength)) return false;
	let end = own.bytes.length;
	for (let m = n; m > n - own.header.bodyCarried; m--) {
		const bodies = log.commits[m]!.ownBodies;
		const start = end - bodies.reduce((sum, [, body]) => sum + body.length + 1, 0);
		const elsewhere = log.commits.some(
			(other) => other.n !== n && other.n >= m && other.n - other.header.bodyCarried < m,
		);
		if (!elsewhere && !isLeft(start, end - 1)) return false;
		end = start;
	}
	return true;
}

describe("fsck: sound logs", () => {
	it("nothing is found, nothing is written, and each object is read once", { timeout: 60_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(anyLog, async (log) => {
				const bucket = await store(log);
				const before = await contents(bucket);
				const metered = new MeteredStore(bucket, { now: () => 0 });
				expect(await checkLog(metered, log.prefix, { repair: true })).toEqual({
					prefix: log.prefix,
					standing: "living",
					commits: log.commits.length,
					records: log.records.length,
					findings: [],
				} satisfies LogReport);
				expect(metered.counts()).toMatchObject({
					get: { requests: log.commits.length },
					list: { requests: 1 },
					put: { requests: 0 },
				});
				expect(await contents(bucket)).toEqual(before);
			}),
			{ seed: 1, numRuns: 60 },
		);
	});

	it("what engines write in turns, with their own caps, is sound", async () => {
		const world = new World();
		const name = { namespace: "n", id: "s" };
		const instances = [{}, { bodyCap: 900 }, { indexCap: 500 }, { indexCap: 2000, bodyCap: 0 }].map(
			(limits) => world.instance(limits),
		);
		const genesis = { meta: {}, bytes: new TextEncoder().encode("{}") };
		await instances[0]!.create(world.scope(), name, { tag: "t", genesis, records: [] });
		for (let k = 0; k < 80; k++) {
			const bytes = new TextEncoder().encode(`"${"x".repeat((k * 37) % 300)}"`);
			await instances[k % 4]!.append(world.scope(), name, {
				tag: `t${k}`,
				decide: ({ head }) => ({
					kind: "commit",
					records: [{ id: `e${k}`, parent: head, kind: "k", time: "", bytes }],
					result: () => k,
				}),
			});
		}
		const { prefix } = buildLog(fc.sample(logPlan, { seed: 1, numRuns: 1 })[0]!, name);
		const report = await checkLog(world.store, prefix, { repair: false });
		expect(report).toMatchObject({ standing: "living", commits: 81, records: 80, findings: [] });
	});

	it("a log that is not there is absent", async () => {
		const report = await checkLog(new World().store, "x/s/y/", { repair: true });
		expect(report).toEqual({ prefix: "x/s/y/", standing: "absent", commits: 0, records: 0, findings: [] });
	});
});

describe("fsck: one object is damaged", () => {
	it("it is reported by its key, and restored byte for byte where copies exist", {
		timeout: 120_000,
	}, async () => {
		const outcomes = { repaired: 0, partly: 0, lost: 0 };
		await fc.assert(
			fc.asyncProperty(anyLog, draws, damage, async (log, draw, what) => {
				const n = draw % log.commits.length;
				// That the newest object is missing can't be seen.
				if (what.kind === "missing" && n === log.commits.length - 1) return;
				const original = log.commits[n]!.bytes;
				const left = damaged(log, n, what);
				if (left && latin1(left) === latin1(original)) return;
				const bucket = await store(log);
				await inflict(bucket, log, n, left);
				const before = await contents(bucket);
				const key = commitKey(log.prefix, n);

				const found = await checkLog(bucket, log.prefix, { repair: false });
				expect(found.findings.map((finding) => finding.key)).toEqual([key]);
				expect(await contents(bucket)).toEqual(before);

				const [finding] = (await checkLog(bucket, log.prefix, { repair: true })).findings;
				expect(finding!.outcome).toBe(found.findings[0]!.outcome.replace("repairable", "repaired"));
				const after = await contents(bucket);
				before.delete(key);
				for (const [other, text] of before) expect(after.get(other)).toBe(text);
				const isWhole = finding!.outcome === "repaired" && finding!.lost.length === 0;
				if (isRestorable(log, n, what)) expect(isWhole).toBe(true);
				if (isWhole) {
					expect(after.get(key)).toBe(latin1(original));
					outcomes.repaired++;
				} else {
					expect(finding!.outcome === "unclear" || finding!.lost.length > 0).toBe(true);
					if (finding!.outcome === "repaired") outcomes.partly++;
					else outcomes.lost++;
				}
				if (finding!.outcome === "repaired") await expectReadable(bucket, log, finding!.lost);
			}),
			{ seed: 2, numRuns: 300 },
		);
		expect(outcomes.repaired).toBeGreaterThan(100);
		expect(outcomes.partly).toBeGreaterThan(5);
		expect(outcomes.lost).toBeGreaterThan(25);
	});

	/** All of the log is read, but for the bodies that are lost, which are errors. */
	async function expectReadable(
		bucket: ObjectStore,
		log: PlannedLog,
		lost: readonly string[],
	): Promise<void> {
		const world = new World(bucket);
		const outcome = await world.instance().read(world.scope(), log.name);
		if (outcome.kind !== "ok") throw new Error(outcome.kind);
		const { view } = outcome;
		for (let seq = 1; seq <= view.length; seq++) {
			const body = view.bodies([seq]).then((bodies) => bodies.get(seq));
			if (lost.includes(`record ${seq} (${view.id(seq)})`))
				await expect(body).rejects.toBeInstanceOf(Corrupt);
			else expect(await body).toEqual(log.records[seq - 1]!.bytes);
		}
		if (!lost.includes("the log's first line")) expect(await view.genesisBody()).toEqual(log.genesisBody);
		if (lost.length === 0) expect(await contentsOf(view)).toEqual(truthOf(log));
	}
});

describe("fsck: many objects are damaged", () => {
	it("sound ones are never touched, restored ones are as they were, and a second run has nothing to do", {
		timeout: 120_000,
	}, async () => {
		let restored = 0;
		await fc.assert(
			fc.asyncProperty(anyLog, fc.array(fc.tuple(draws, damage), { maxLength: 6 }), async (log, damages) => {
				const bucket = await store(log);
				const hurt = new Set<string>();
				for (const [draw, what] of damages) {
					const n = draw % log.commits.length;
					if (what.kind === "missing" && n === log.commits.length - 1) continue;
					await inflict(bucket, log, n, damaged(log, n, what));
					hurt.add(commitKey(log.prefix, n));
				}
				const before = await contents(bucket);
				const { findings } = await checkLog(bucket, log.prefix, { repair: true });
				const after = await contents(bucket);
				const written = new Set<string>();
				for (const { key, outcome, lost } of findings) {
					if (outcome === "repaired") written.add(key);
					if (outcome !== "repaired" || lost.length > 0) continue;
					restored++;
					expect(hurt).toContain(key);
					expect(after.get(key)).toBe(
						latin1(log.commits.find(({ n }) => commitKey(log.prefix, n) === key)!.bytes),
					);
				}
				for (const [key, text] of before) if (!written.has(key)) expect(after.get(key)).toBe(text);
				const again = await checkLog(bucket, log.prefix, { repair: true });
				expect(again.findings.filter(({ outcome }) => outcome === "repaired")).toEqual([]);
				expect(await contents(bucket)).toEqual(after);
			}),
			{ seed: 3, numRuns: 200 },
		);
		expect(restored).toBeGreaterThan(100);
	});

	it("a whole log of commits with even numbers is restored from those with odd ones", async () => {
		for (const plan of fc.sample(logPlan, { seed: 6, numRuns: 30 })) {
			const log = buildLog({ ...plan, indexCap: 1e7, bodyCap: 1e7, commits: plan.commits.map(keepBodies) });
			const bucket = await store(log);
			const before = await contents(bucket);
			for (const { n } of log.commits.slice(0, -1)) if (n % 2 === 0) await inflict(bucket, log, n, undefined);
			const { findings } = await checkLog(bucket, log.prefix, { repair: true });
			for (const finding of findings) expect(finding).toMatchObject({ outcome: "repaired", lost: [] });
			expect(await contents(bucket)).toEqual(before);
		}
	});
});

function keepBodies(commit: LogPlan["commits"][number]): LogPlan["commits"][number] {
	return { ...commit, forgetful: false };
}

describe("fsck: what is not repaired", () => {
	const [plan] = fc.sample(
		logPlan.filter(({ commits }) => commits.length > 8),
		{ seed: 7, numRuns: 1 },
	);
	const log = buildLog({ ...plan!, indexCap: 1e7, bodyCap: 1e7, commits: plan!.commits.map(keepBodies) });
	const count = log.commits.length;
	const end = (n: number) => encodeTombstone(log.prefix, n, "abcdefghijkl");

	/** The log with an object missing that could be restored, and what `change` makes of it. */
	async function begin(change: (bucket: ObjectStore) => Promise<unknown>) {
		const bucket = await store(log);
		await inflict(bucket, log, 2, undefined);
		await change(bucket);
		return { bucket, before: await contents(bucket) };
	}

	it("a log that has ended is left alone, before and after its purge", async () => {
		for (const purged of [false, true]) {
			const { bucket, before } = await begin(async (bucket) => {
				await bucket.put(commitKey(log.prefix, count), end(count));
				if (purged) await bucket.put(commitKey(log.prefix, 0), end(0));
			});
			const report = await checkLog(bucket, log.prefix, { repair: true });
			expect(report).toMatchObject({ standing: "ended", findings: [] });
			expect(await contents(bucket)).toEqual(before);
		}
	});

	it("a log whose newest object may have been a tombstone is told, and left alone", async () => {
		const { bucket, before } = await begin((bucket) =>
			bucket.put(commitKey(log.prefix, count), end(count).with(20, 0)),
		);
		const { findings } = await checkLog(bucket, log.prefix, { repair: true });
		expect(findings.map(({ key, outcome }) => [key, outcome])).toEqual([
			[commitKey(log.prefix, 2), "repairable"],
			[commitKey(log.prefix, count), "unclear"],
		]);
		expect(await contents(bucket)).toEqual(before);
	});

	it("a log that ends while it is checked is left alone", async () => {
		const { bucket } = await begin(async () => {});
		const ending: ObjectStore = {
			put: (...args) => bucket.put(...args),
			delete: (keys) => bucket.delete(keys),
			get: (...args) => bucket.get(...args),
			list: async (prefix, options) => {
				if (options?.limit === 1) await bucket.put(commitKey(log.prefix, count), end(count));
				return bucket.list(prefix, options);
			},
		};
		const { findings } = await checkLog(ending, log.prefix, { repair: true });
		expect(findings).toMatchObject([{ key: commitKey(log.prefix, 2), outcome: "unclear" }]);
		expect((await bucket.get(commitKey(log.prefix, 2))).kind).toBe("absent");
	});

	it("objects that vouch for themselves and contradict the log are told, and left alone", async () => {
		// Another commit 2 of the same log: a writer that lagged behind found the number free.
		const other = buildLog({
			...log.plan,
			commits: log.plan.commits
				.slice(0, 2)
				.map((commit, k) =>
					k === 1 ? { ...commit, requests: [[{ ...commit.requests[0]![0]!, kind: "other" }]] } : commit,
				),
		});
		const { bucket, before } = await begin((bucket) =>
			bucket.put(commitKey(log.prefix, 2), other.commits[2]!.bytes),
		);
		const { findings } = await checkLog(bucket, log.prefix, { repair: true });
		expect(findings.length).toBeGreaterThan(0);
		for (const finding of findings) expect(finding.outcome).toBe("unclear");
		expect(await contents(bucket)).toEqual(before);
	});

	it("keys that are no commit's, and damaged objects beyond a gap, are told", async () => {
		const { bucket, before } = await begin(async (bucket) => {
			await bucket.put(commitKey(log.prefix, 2), log.commits[2]!.bytes);
			await bucket.put(`${log.prefix}README`, new Uint8Array(1));
			await bucket.put(commitKey(log.prefix, 9_000_000), new Uint8Array(500));
		});
		const report = await checkLog(bucket, log.prefix, { repair: true });
		expect(report).toMatchObject({ standing: "living", commits: count });
		expect(report.findings.map(({ key, outcome }) => [key, outcome])).toEqual([
			[`${log.prefix}README`, "unclear"],
			[commitKey(log.prefix, 9_000_000), "unclear"],
		]);
		expect(await contents(bucket)).toEqual(before);
	});
});
