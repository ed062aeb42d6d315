import { describe, expect, it } from "vitest";
import { commitKey, logPrefix } from "../../src/log/keys.ts";
import {
	type CheckedSession,
	type CheckOptions,
	checkSessions,
} from "../../src/operations/check-sessions.ts";
import { appendOne, genesis, World } from "../log/instances.ts";

const names = [
	{ namespace: "one", id: "a" },
	{ namespace: "one", id: "b" },
	{ namespace: "two", id: "a" },
	{ namespace: "two", id: "ended" },
];

/** A bucket with some sessions, of which one has lost an object that another carries. */
async function begin(): Promise<{ world: World; missing: string }> {
	const world = new World();
	const log = world.instance();
	for (const name of names) {
		await log.create(world.scope(), name, { tag: "make", genesis, records: [] });
		for (let k = 0; k < 4; k++) await appendOne(log, world.scope(), name, `e${k}`);
	}
	await log.end(world.scope(), names[3]!);
	const missing = commitKey(logPrefix(names[2]!), 2);
	await world.store.delete([missing]);
	return { world, missing };
}

async function check(world: World, options: CheckOptions): Promise<CheckedSession[]> {
	const checked: CheckedSession[] = [];
	for await (const session of checkSessions(world.store, options)) checked.push(session);
	return checked;
}

describe("checking sessions", () => {
	it("all of the bucket: each session once, with what is wrong with it; nothing is written", async () => {
		const { world, missing } = await begin();
		const checked = await check(world, { repair: false });
		expect(checked.map(({ id }) => id).sort()).toEqual(["a", "a", "b", "ended"]);
		const wrong = checked.filter(({ report }) => report.findings.length > 0);
		expect(wrong).toMatchObject([
			{ id: "a", report: { findings: [{ key: missing, outcome: "repairable" }] } },
		]);
		expect(checked.find(({ id }) => id === "ended")?.report.standing).toBe("ended");
		expect((await world.store.get(missing)).kind).toBe("absent");
	});

	it("one session: in whichever namespace there is one of that id, or only in the one given", async () => {
		const { world } = await begin();
		expect(await check(world, { session: "b", repair: false })).toMatchObject([{ id: "b" }]);
		expect(await check(world, { session: "a", repair: false })).toHaveLength(2);
		expect(await check(world, { session: "a", namespace: "two", repair: false })).toMatchObject([
			{ id: "a", report: { findings: [{ outcome: "repairable" }] } },
		]);
		expect(await check(world, { session: "none", repair: false })).toEqual([]);
		expect(await check(world, { namespace: "one", repair: false })).toHaveLength(2);
	});

	it("with repair: what was missing is there again, and a second check finds nothing", async () => {
		const { world, missing } = await begin();
		const repaired = await check(world, { repair: true });
		expect(repaired.flatMap(({ report }) => report.findings)).toMatchObject([
			{ key: missing, outcome: "repaired", lost: [] },
		]);
		const again = await check(world, { repair: true });
		expect(again.flatMap(({ report }) => report.findings)).toEqual([]);
		const outcome = await world.instance().read(world.scope(), names[2]!, "bodies");
		expect(outcome).toMatchObject({ kind: "ok", view: { length: 4 } });
	});
});
