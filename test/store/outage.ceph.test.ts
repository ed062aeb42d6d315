import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkLog, logPrefix } from "../../src/log/log.ts";
import { type S3Settings, S3Store } from "../../src/store/s3.ts";
import { forgetful, type Instance, outageInstances } from "./outage-instances.ts";
import { OutageLoad } from "./outage-load.ts";
import { ThrowAwayCeph } from "./throw-away-ceph.ts";

const ceph = new ThrowAwayCeph();
let settings: S3Settings;
let instances: Instance[];

beforeAll(async () => {
	settings = await ceph.start();
	instances = outageInstances(settings);
}, 180_000);
afterAll(() => ceph.stop(), 60_000);

it("the gateway killed in the middle of a load and started again: nothing lost, doubled or untrue", async () => {
	const load = new OutageLoad("killed", instances);
	await load.start();
	await until(() => load.acknowledgedSince(0) >= 40);
	await ceph.killGateway();
	const down = load.history.tick();
	await until(() => bothRefused(load, down));
	const up = load.history.tick();
	await ceph.startGateway();
	await holds(load, down, up);
}, 240_000);

it("the disk stopped for eight seconds in the middle of a load: nothing lost, doubled or untrue", async () => {
	const load = new OutageLoad("frozen", instances);
	await load.start();
	await until(() => load.acknowledgedSince(0) >= 40);
	await ceph.freezeDisk();
	const down = load.history.tick();
	await Promise.all([sleep(8_000), until(() => bothRefused(load, down))]);
	const up = load.history.tick();
	ceph.thawDisk();
	await holds(load, down, up);
	// What the gateway had passed on lands when the disk is back, long after its caller was told 503.
	expect(load.landedUnseen.length).toBeGreaterThan(0);
}, 240_000);

/** Whether reads and writes that began in the outage were answered in it, several each. */
function bothRefused(load: OutageLoad, down: number): boolean {
	const answers = load.answersWithin(down, Number.POSITIVE_INFINITY);
	const reads = answers.filter(({ method }) => method === "GET");
	const writes = answers.filter(({ method, path }) => method === "POST" && path.endsWith("/entries"));
	return reads.length >= 5 && writes.length >= 5;
}

/** Waits for the load to recover and ends it; then compares what its callers were told with what there is. */
async function holds(load: OutageLoad, down: number, up: number): Promise<void> {
	const recovered = load.history.tick();
	await until(() => load.acknowledgedSince(recovered) >= 40);
	await load.stop();
	const outage = load.answersWithin(down, up);
	expect(new Set(outage.map(({ method, status }) => `${method} ${status}`))).toEqual(
		new Set(["GET 503", "POST 503"]),
	);

	const doubtful = load.writings.filter(({ refusals }) => refusals.size > 0);
	expect(doubtful.length).toBeGreaterThan(0);
	const cold = forgetful(settings);
	for (const writing of doubtful) {
		const known = writing.stored;
		expect(await repeated(load, writing)).toBe(true);
		if (known) expect(writing.stored).toBe(known);
	}
	expect(load.writings.filter(({ stored }) => !stored)).toEqual([]);
	for (const writing of [...doubtful, ...load.writings.slice(0, 10)]) {
		const path = `/v1/sessions/${writing.session}/entries`;
		const again = await load.ask(cold, path, writing.init);
		expect([again.status, again.headers.get("Idempotency-Replayed")]).toEqual([200, "true"]);
		expect(again.body).toEqual(writing.stored);
	}

	for (const session of new Set(load.writings.map((writing) => writing.session))) {
		const [entries, ...others] = await Promise.all(
			[cold, ...instances].map((instance) =>
				allOf(load, instance, `/v1/sessions/${session}/entries`, "entries"),
			),
		);
		expect(load.history.contradictions(session, entries!)).toEqual([]);
		for (const other of others) expect(other).toEqual(entries);
		const prefix = logPrefix({ namespace: "outage", id: session });
		const report = await checkLog(new S3Store(settings), prefix, { repair: false });
		expect(report).toMatchObject({ standing: "living", records: entries!.length, findings: [] });
	}
	const listed = (await allOf(load, cold, "/v1/sessions", "sessions")).map(
		(card) => (card as { id: string }).id,
	);
	expect(listed.length).toBe(new Set(listed).size);
	expect(listed).toEqual(expect.arrayContaining(load.created));
	expect(load.amiss).toEqual([]);
}

/** Sends a writing to a cold instance until it is clear that it is stored: the store may still be slow. */
async function repeated(load: OutageLoad, writing: OutageLoad["writings"][number]): Promise<boolean> {
	const cold = forgetful(settings);
	for (let attempt = 0; attempt < 20; attempt++) {
		if (await load.send(cold, writing)) return true;
		await sleep(500);
	}
	return false;
}

/** All pages of a list. */
async function allOf(load: OutageLoad, instance: Instance, path: string, member: string): Promise<unknown[]> {
	const all: unknown[] = [];
	for (let cursor: string | undefined; ; ) {
		const page = cursor === undefined ? "" : `&${member === "entries" ? "after" : "cursor"}=${cursor}`;
		const { status, body } = await load.ask(instance, `${path}?limit=200${page}`);
		expect(status).toBe(200);
		all.push(...(body[member] as unknown[]));
		if (body.nextCursor === undefined) return all;
		cursor = String(body.nextCursor);
	}
}

async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await sleep(20);
}
