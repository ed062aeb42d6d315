import { describe, expect, it } from "vitest";
import { appendEntries } from "../../src/operations/append-entries.ts";
import { readSession } from "../../src/operations/read-session.ts";
import { sweep, sweepDefaults } from "../../src/operations/sweep.ts";
import { interrupted } from "./interrupted-store.ts";
import { append, create, day } from "./sweep-steps.ts";
import { World } from "./world.ts";

const ttl = 30 * day;

/** A sweep of one silent session, in the middle of which another instance appends to it. */
async function sweptWhileWritten(at: number, sweeper: "cold" | "warm") {
	const world = new World();
	const writer = world.instance();
	await create(writer, "silent");
	await append(writer, "silent", "second");
	world.clock.ms += ttl + day;
	const other = world.instance();
	// Ten minutes later it would not trust what it knows.
	if (sweeper === "warm") await readSession(other.call(), "silent");
	let answered: string | undefined;
	const { store, asked } = interrupted(world.store, async (request) => {
		if (request !== at) return;
		const body = { type: "message", message: { role: "user", content: "late", timestamp: 1 } };
		answered = (await appendEntries(writer.call(), { id: "silent", body, keepLeaf: false })).kind;
	});
	const report = await sweep(other.sweeper(store), { ...sweepDefaults, ttl });
	const read = await readSession(world.instance().call(), "silent");
	return { answered, report, alive: read.kind === "done" && read.value.seq === 3, requests: asked() };
}

describe("sessions that nobody wrote to for long", () => {
	it.each(["cold", "warm"] as const)(
		"a write that is acknowledged while a %s sweep is at it: keeps the session, at whatever moment it comes",
		async (sweeper) => {
			const undisturbed = await sweptWhileWritten(Number.POSITIVE_INFINITY, sweeper);
			expect(undisturbed).toMatchObject({ report: { expired: 1, problems: [] }, alive: false });
			const ends = { kept: 0, refused: 0, expired: 0 };
			for (let at = 0; at < undisturbed.requests; at++) {
				const { answered, alive, report } = await sweptWhileWritten(at, sweeper);
				expect({ at, answered, alive, problems: report.problems }).toEqual({
					at,
					answered: alive ? "done" : "refused",
					alive,
					problems: [],
				});
				ends[alive ? "kept" : "refused"]++;
				ends.expired += report.expired;
			}
			expect(ends.kept).toBeGreaterThan(4);
			expect(ends.refused).toBeGreaterThan(0);
			expect(ends.expired).toBe(ends.refused);
		},
	);
});
