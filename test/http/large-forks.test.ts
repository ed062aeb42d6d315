import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { requestsOf, user, World } from "./world.ts";

describe("forks of large sources", () => {
	it("of 20,000 entries: forked, cloned and copied in one PUT each, without recursion", {
		timeout: 120_000,
	}, async () => {
		const world = new World();
		const source = await world.session();
		for (let batch = 0; batch < 20; batch++) {
			const entries = Array.from({ length: 1000 }, (_, at) =>
				at % 100 === 99
					? { type: "label", targetId: `e${batch * 1000 + at - 1}`, label: `mark ${batch}` }
					: user(`message ${batch * 1000 + at}`, { id: `e${batch * 1000 + at}` }),
			);
			expect((await world.post(`${source}/entries`, { entries })).status).toBe(201);
		}
		const cold = world.cold();
		const cloned = await cold.post(`${source}/clone`, { id: "clone" });
		expect(cloned.body.session).toMatchObject({ entryCount: 20_000, messageCount: 19_800, seq: 20_000 });
		expect(requestsOf(cloned).put).toBe(2);
		const copied = await cold.post(`${source}/copies`, { id: "copy" });
		expect(copied.body).toMatchObject({ entryCount: 20_000, seq: 20_000 });
		const forked = await cold.post(`${source}/fork`, { entryId: "e15000", id: "fork" });
		expect(forked.body.session).toMatchObject({ messageCount: 14_850 });
		const other = world.cold();
		for (const [id, length] of [
			["clone", 19_800],
			["copy", 20_000],
			["fork", 14_850],
		] as const) {
			const page = (await other.get(`/v1/sessions/${id}/branch?limit=${length + 500}`)).body.entries;
			expect(page.filter((entry: Entry) => entry.type === "message").length).toBe(
				id === "fork" ? 14_850 : 19_800,
			);
		}
		const preview = await other.get(`${source}/navigation?targetId=e0&tokenBudget=100`);
		expect([preview.status, preview.body.commonAncestorId]).toEqual([200, "e0"]);
	});

	it("over 32 MiB: 413 by default, as on Workers, and made where the limit is higher", {
		timeout: 120_000,
	}, async () => {
		const world = new World();
		const source = await world.session([user("first", { id: "u1" })]);
		const filler = "x".repeat(3 * 1024 * 1024);
		for (let at = 0; at < 11; at++) {
			await world.post(`${source}/entries`, {
				type: "custom",
				customType: "file",
				id: `f${at}`,
				data: filler,
			});
		}
		for (const [path, body] of [
			["clone", {}],
			["copies", {}],
			["branched-sessions", { leafId: "f10" }],
			["fork", { entryId: "f10", position: "at" }],
		] as const) {
			const reply = await world.post(`${source}/${path}`, body);
			expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
			expect(reply.body.detail).toContain("33554432");
		}
		expect((await world.post(`${source}/fork`, { entryId: "f1", position: "at" })).status).toBe(201);
		const roomy = world.cold({ config: { limits: { madeSessionBytes: 512 * 1024 * 1024 } } });
		const reply = await roomy.post(`${source}/clone`, { id: "large" });
		expect(reply.status).toBe(201);
		const stored = await world.cold().get("/v1/sessions/large/entries/f10");
		expect(stored.body.entry.data).toHaveLength(filler.length);
	});
});
