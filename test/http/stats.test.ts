import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countable, expectSame, pi } from "../session/pi.ts";
import { type RandomSession, randomSession } from "../session/random-session.ts";
import { imported, inPi, pick } from "./files-and-pi.ts";
import { World } from "./world.ts";

const counted = ({ header, entries }: RandomSession): RandomSession => ({
	header,
	entries: countable(entries),
});

describe("getStats", () => {
	it("adds up all branches as pi does, of random sessions", async () => {
		let cost = 0;
		const cases = fc.sample(fc.tuple(randomSession(60).map(counted), fc.nat(99)), { seed: 33, numRuns: 30 });
		for (const [{ header, entries }, leaf] of cases) {
			if (entries.length === 0) continue;
			const world = new World();
			const session = await imported(world, header, entries);
			await world.put(`${session}/leaf`, { targetId: pick(entries, leaf) });
			const sessionManager = await inPi(world, session);
			let reference: { [field: string]: unknown };
			try {
				reference = pi.AgentSession.prototype.getSessionStats.call({ sessionManager, getContextUsage() {} });
			} catch {
				continue; // A message without usage, which pi cannot add.
			}
			const { body } = await world.get(`${session}/stats`);
			const { sessionFile: _file, sessionId: _id, contextUsage: _usage, ...expected } = reference;
			expectSame(
				{ ...body, models: 0, contextTokens: 0, seq: 0 },
				{ ...expected, models: 0, contextTokens: 0, seq: 0 },
			);
			const projection = sessionManager.buildSessionProjection();
			const estimate = pi.estimateProjectedContextTokens(projection, sessionManager.getBranch());
			expect(body.contextTokens).toBe(estimate.tokens);
			cost += body.cost;
		}
		expect(cost).toBeGreaterThan(0);
	});

	it("of an empty session: nothing", async () => {
		const world = new World();
		expect((await world.get(`${await world.session()}/stats`)).body).toEqual({
			totalMessages: 0,
			userMessages: 0,
			assistantMessages: 0,
			toolResults: 0,
			toolCalls: 0,
			tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
			cost: 0,
			models: [],
			contextTokens: 0,
			seq: 0,
		});
	});
});
