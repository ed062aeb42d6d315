import { describe, expect, it } from "vitest";
import { addressOf, everyRoute } from "./every-route.ts";
import { user, World } from "./world.ts";

const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/" };

const picture = { type: "image", data: "aGVsbG8=", mimeType: "image/png" };

/** Imports that many entries, each below the one whose number `parentOf` gives; 0 for a root. */
async function imported(count: number, parentOf: (n: number) => number, pictured: string): Promise<World> {
	const world = new World();
	const lines = [JSON.stringify(header)];
	for (let n = 1; n <= count; n++) {
		const parent = parentOf(n);
		const text = { type: "text", text: `message ${n}` };
		const content = `e${n}` === pictured ? [text, picture] : [text];
		const message = { role: "user", content, timestamp: n };
		const timestamp = new Date(Date.UTC(2026, 0, 1) + n).toISOString();
		const parentId = parent === 0 ? null : `e${parent}`;
		lines.push(JSON.stringify({ type: "message", id: `e${n}`, parentId, timestamp, message }));
	}
	const reply = await world.call("POST", "/v1/sessions/import", lines.join("\n"), {
		"Content-Type": "application/x-ndjson",
	});
	expect([reply.status, reply.body.imported]).toEqual([201, count]);
	return world;
}

const shapes: [string, number, (n: number) => number, string][] = [
	["20,000 in one line", 20_000, (n) => n - 1, "e1"],
	["1,000 tips below one entry", 2001, (n) => (n === 1 ? 0 : n <= 1001 ? 1 : n - 1000), "e1"],
	["1,000 roots with a child each", 2000, (n) => (n <= 1000 ? 0 : n - 1000), "e1000"],
];

describe.each(shapes)("%s", (_name, count, parentOf, entryId) => {
	it("every call answers, on the instance that wrote and on a cold one", async () => {
		const world = await imported(count, parentOf, entryId);
		const session = "/v1/sessions/s";
		for (const route of everyRoute.filter(({ onSession, method }) => onSession && method !== "DELETE")) {
			for (const instance of [world, world.cold()]) {
				await world.put(`${session}/leaf`, { targetId: `e${count}` });
				const path = addressOf(route, session, entryId);
				const reply = await instance.call(route.method, path, route.body?.(entryId), { ...route.headers });
				expect([route.operationId, reply.status]).toEqual([route.operationId, route.status]);
			}
		}
		const all = await world.cold().get(`${session}/branch?from=e${count}&include=siblings`);
		expect(all.body.entries.at(-1).id).toBe(`e${count}`);
		expect((await world.cold().call("DELETE", session)).status).toBe(204);
	}, 120_000);
});

describe("answers that are sent while they are read", () => {
	const big = "x".repeat(900_000);

	async function furnished() {
		const world = new World();
		const session = await world.session([user(big, { id: "e1" }), user(big, { id: "e2" })], { id: "s" });
		for (let n = 3; n <= 12; n++) await world.post(`${session}/entries`, user(big, { id: `e${n}` }));
		return { world, session };
	}

	it("are whole, and the log line waits for their end", async () => {
		const { world, session } = await furnished();
		for (const tail of ["/branch", "/entries", "/export", "/context?view=entries"]) {
			const cold = world.cold();
			const response = await cold.send("GET", session + tail);
			expect(cold.lines).toEqual([]);
			const told = response.headers.get("Server-Timing");
			const text = await response.text();
			expect(text.match(/"id":"e\d+"/g)).toHaveLength(12);
			if (tail !== "/export") expect(JSON.parse(text).entries).toHaveLength(12);
			await new Promise((resolve) => setImmediate(resolve));
			expect(cold.lines).toHaveLength(1);
			expect(cold.lines[0]).toMatchObject({ status: 200 });
			expect(cold.lines[0]?.broken).toBeUndefined();
			// The header went out before the reads did, and told them all.
			const sent = cold.lines[0]?.store as { get: { requests: number }; bytesRead: number };
			expect(told).toContain(`get;desc="${sent.get.requests}"`);
			expect(told).toContain(`bytes-read;desc="${sent.bytesRead}"`);
		}
	}, 60_000);

	it("read no further when nobody listens, and nothing for HEAD", async () => {
		const { world, session } = await furnished();
		const cold = world.cold();
		const response = await cold.send("GET", `${session}/branch`);
		await response.body?.cancel();
		await new Promise((resolve) => setImmediate(resolve));
		expect(cold.lines).toHaveLength(1);
		const store = cold.lines[0]?.store as { bytesRead: number };
		expect(store.bytesRead).toBeLessThan(8_000_000);
		const head = await world.cold().call("HEAD", `${session}/branch`);
		expect([head.status, head.text]).toEqual([200, ""]);
	}, 60_000);

	it("break off where the store does, which the log line tells", async () => {
		const { world, session } = await furnished();
		let cut = false;
		const cold = world.cold({
			wrap: (store) => ({
				put: (key, bytes, options) => store.put(key, bytes, options),
				list: (prefix, options) => store.list(prefix, options),
				delete: (keys) => store.delete(keys),
				get: async (key, options) => {
					if (cut) throw new Error("the line is cut");
					return store.get(key, options);
				},
			}),
		});
		const response = await cold.send("GET", `${session}/branch`);
		expect(response.status).toBe(200);
		cut = true;
		const text = response.text().then(
			(whole) => whole.length,
			(error: Error) => error.message,
		);
		expect(await text).toBe("the line is cut");
		await new Promise((resolve) => setImmediate(resolve));
		expect(cold.lines[0]).toMatchObject({ status: 200, broken: true, failure: { name: "Error" } });
	}, 60_000);
});
