import { describe, expect, it } from "vitest";
import { text } from "./chat.ts";
import { at, chain, expectAsInPi, expectSound, message, troubled } from "./troubles.ts";
import { requestsOf, user, World } from "./world.ts";

/** What sessions were broken by elsewhere. Each of them must read as in pi, stay in lists, and answer every call. */

describe("known troubles of size", () => {
	it("an image bigger than the limit: 413 before the leaf moves", async () => {
		const world = new World();
		const session = await world.session([user("one", { id: "u1" })]);
		const data = "A".repeat(4 * 1024 * 1024);
		const picture = message("user", [text("look"), { type: "image", data, mimeType: "image/png" }]);
		const reply = await world.post(`${session}/entries`, picture);
		expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
		const batch = await world.post(`${session}/entries`, { entries: [user("two"), picture] });
		expect(batch.status).toBe(413);
		for (const instance of [world, world.cold()]) {
			expect((await instance.get(`${session}/leaf`)).body).toEqual({ leafId: "u1", seq: 1 });
		}
		const smaller = message("user", [
			{ type: "image", data: data.slice(0, 3_000_000), mimeType: "image/png" },
		]);
		expect((await world.post(`${session}/entries`, smaller)).status).toBe(201);
		await expectSound(world, session);
	});

	it("2,000 custom entries of 50 KB: context and list don't read them", { timeout: 120_000 }, async () => {
		const world = new World();
		const session = await world.session([user("begin", { id: "u1" })]);
		const data = "d".repeat(50_000);
		for (let batch = 0; batch < 20; batch++) {
			const entries = Array.from({ length: 100 }, () => ({ type: "custom", customType: "state", data }));
			expect((await world.post(`${session}/entries`, { entries })).status).toBe(201);
		}
		await world.post(`${session}/entries`, user("end", { id: "u2" }));
		const context = await world.cold().get(`${session}/context`);
		expect(context.body.messages).toHaveLength(2);
		const list = await world.cold().get("/v1/sessions");
		expect(list.body.sessions[0]).toMatchObject({ firstMessage: "begin" });
		const stats = await world.cold().get(`${session}/stats`);
		for (const reply of [context, list, stats]) {
			expect(requestsOf(reply)["bytes-read"]).toBeLessThan(3_000_000);
		}
		expect((await world.cold().get(session)).body).toMatchObject({ entryCount: 2002, messageCount: 2 });
	});

	it("a branch tip among 1,362 that share a prefix: found, read, forked and left as any other", {
		timeout: 120_000,
	}, async () => {
		const tips = 1362;
		const prefix = chain(
			...Array.from({ length: 30 }, (_, n) => message(n % 2 ? "assistant" : "user", `p${n}`)),
		);
		const branches = Array.from({ length: tips }, (_, n) => ({
			id: `t${n}`,
			parentId: "e29",
			timestamp: at,
			...message("user", `tip ${n}`),
		}));
		const { world, session } = await troubled([...prefix, ...branches]);
		await world.put(`${session}/leaf`, { targetId: "t700" });
		await expectAsInPi(world, session);
		const branch = (await world.get(`${session}/branch?limit=1&include=siblings`)).body;
		expect(branch.siblings.t700).toHaveLength(tips);
		expect((await world.get(`${session}/tree`)).body.nodes[29].children).toHaveLength(tips);
		const clone = await world.post(`${session}/clone`);
		expect(clone.body.session).toMatchObject({ entryCount: 31, messageCount: 31, leafId: "t700" });
		const moved = await world.post(`${session}/navigate`, { targetId: "t1361" });
		expect(moved.body).toMatchObject({ leafId: "e29", editorText: "tip 1361", commonAncestorId: "e29" });
		expect((await world.get(`${session}/fork-points`)).body.points).toHaveLength(15 + tips);
	});
});
