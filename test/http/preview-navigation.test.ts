import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectSame, pi } from "../session/pi.ts";
import { randomSession } from "../session/random-session.ts";
import { imported, inPi, pick } from "./files-and-pi.ts";
import { twoBranches } from "./two-branches.ts";
import { user, World } from "./world.ts";

describe("previewNavigation: as pi collects it", () => {
	it("what is left behind, the common ancestor, and what fits into a budget, of random sessions", async () => {
		let left = 0;
		const cases = fc.sample(
			fc.tuple(randomSession(40), fc.nat(99), fc.nat(99), fc.constantFrom(0, 5, 60, 900)),
			{
				seed: 11,
				numRuns: 90,
			},
		);
		for (const [{ header, entries }, leaf, target, budget] of cases) {
			if (entries.length === 0) continue;
			const world = new World();
			const session = await imported(world, header, entries);
			await world.put(`${session}/leaf`, { targetId: pick(entries, leaf) });
			const targetId = pick(entries, target);
			const { body } = await world.get(`${session}/navigation?targetId=${targetId}`);
			const reference = await inPi(world, session);
			const collected = pi.collectEntriesForBranchSummary(reference, reference.getLeafId(), targetId);
			expect(body.oldLeafId).toBe(pick(entries, leaf));
			if (body.oldLeafId === targetId) {
				expect(body).toMatchObject({
					newLeafId: targetId,
					commonAncestorId: targetId,
					entriesToSummarize: [],
				});
				continue;
			}
			expect(body.commonAncestorId).toBe(collected.commonAncestorId);
			expectSame(body.entriesToSummarize, collected.entries);
			left += body.entriesToSummarize.length;
			let fitting: number;
			try {
				fitting = pi.prepareBranchEntries(collected.entries, budget).messages.length;
			} catch {
				continue; // A content of null, which pi cannot count.
			}
			const within = await world.get(`${session}/navigation?targetId=${targetId}&tokenBudget=${budget}`);
			expect(within.body.entriesToSummarize).toHaveLength(fitting);
		}
		expect(left).toBeGreaterThan(100);
	});

	it("a target that isn't there is 404, one that is a leaf entry 422, none at all 400", async () => {
		const { world, session } = await twoBranches();
		const moved = await world.put(`${session}/leaf`, { targetId: "a2" });
		const ask = async (query: string) => (await world.get(`${session}/navigation${query}`)).status;
		expect(await ask("?targetId=nowhere")).toBe(404);
		expect(await ask(`?targetId=${moved.body.entry.id}`)).toBe(422);
		for (const query of ["", "?targetId=", "?targetId=a2&tokenBudget=-1", "?targetId=a2&tokenBudget=1.5"]) {
			expect(await ask(query)).toBe(400);
		}
	});

	it("is the same answer until something is written: 304", async () => {
		const { world, session } = await twoBranches();
		const path = `${session}/navigation?targetId=u2`;
		const first = await world.get(path);
		const again = { "If-None-Match": first.headers.get("ETag") ?? "" };
		expect((await world.get(path, again)).status).toBe(304);
		await world.post(`${session}/entries`, user("more"));
		expect((await world.get(path, again)).status).toBe(200);
	});
});
