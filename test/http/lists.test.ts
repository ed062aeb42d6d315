import { describe, expect, it } from "vitest";
import { World } from "./world.ts";

/** A service with some sessions, the newest last. */
async function serviceWith(...names: string[]): Promise<World> {
	const world = new World();
	for (const name of names) {
		const reply = await world.post("/v1/sessions", { id: name, name: `Name of ${name}`, cwd: `/${name}` });
		expect(reply.status).toBe(201);
	}
	return world;
}

const ids = (reply: { readonly body: { readonly sessions: readonly { readonly id: string }[] } }) =>
	reply.body.sessions.map(({ id }) => id);

describe("lists over HTTP", () => {
	it("pages by cursor, filters, order and children", async () => {
		const world = await serviceWith("a", "b", "c", "d", "e");
		const first = await world.get("/v1/sessions?limit=2");
		expect(ids(first)).toEqual(["e", "d"]);
		const second = await world.get(`/v1/sessions?limit=3&cursor=${first.body.nextCursor}`);
		expect(ids(second)).toEqual(["c", "b", "a"]);
		expect(second.body).not.toHaveProperty("nextCursor");
		expect(ids(await world.get("/v1/sessions?q=OF%20c"))).toEqual(["c"]);
		expect(ids(await world.get("/v1/sessions?cwd=%2Fb&order=created"))).toEqual(["b"]);
		await world.post("/v1/sessions", { id: "child", parentSession: "a" });
		expect(ids(await world.get("/v1/sessions?parent=a"))).toEqual(["child"]);
		expect(ids(await world.get("/v1/sessions/a/children"))).toEqual(["child"]);
		expect((await world.get("/v1/sessions/nobody/children")).status).toBe(404);
	});

	it("what is listed is what the session itself answers", async () => {
		const world = await serviceWith("a");
		const { sessions } = (await world.cold().get("/v1/sessions")).body;
		expect(sessions).toEqual([(await world.get("/v1/sessions/a")).body]);
	});

	it("304 for a list that is still the same, with 1 LIST where cold; not after a change, nor for another query", async () => {
		const world = await serviceWith("a", "b");
		const etag = (await world.get("/v1/sessions")).headers.get("ETag")!;
		const again = (on: World, query = "") => on.get(`/v1/sessions${query}`, { "If-None-Match": etag });
		const cold = await again(world.cold());
		expect([cold.status, cold.text, cold.headers.get("ETag")]).toEqual([304, "", etag]);
		expect(cold.headers.get("Server-Timing")).toMatch(/^list;desc="1"/);
		expect((await again(world)).status).toBe(304);
		expect((await world.get("/v1/sessions", { "If-None-Match": "*" })).status).toBe(304);
		expect((await again(world, "?limit=1")).status).toBe(200);
		await world.call("PATCH", "/v1/sessions/a", { name: "Another" });
		expect((await again(world)).status).toBe(200);
		expect((await again(world.cold())).status).toBe(200);
	});

	it.each([
		"limit=0",
		"limit=201",
		"limit=x",
		"limit=1&limit=2",
		"cursor=",
		"cursor=x",
		"cursor=%F0%9F%92%A5",
		"order=name",
		"foo=1",
		"__proto__=1",
	])("%s is 400", async (query) => {
		const world = await serviceWith("a");
		const reply = await world.get(`/v1/sessions?${query}`);
		expect([reply.status, reply.body.code]).toEqual([400, "invalid_request"]);
	});

	it("renames with If-Match, repeats by key, and refuses what isn't its own", async () => {
		const world = await serviceWith("a");
		const made = await world.get("/v1/sessions/a");
		const headers = { "If-Match": made.headers.get("ETag")!, "Idempotency-Key": "k" };
		const renamed = await world.call("PATCH", "/v1/sessions/a", { name: "New", metadata: { x: 1 } }, headers);
		expect([renamed.status, renamed.body.name, renamed.body.seq]).toEqual([200, "New", 2]);
		const repeated = await world
			.cold()
			.call("PATCH", "/v1/sessions/a", { name: "New", metadata: { x: 1 } }, headers);
		expect([repeated.status, repeated.text, repeated.headers.get("Idempotency-Replayed")]).toEqual([
			200,
			renamed.text,
			"true",
		]);
		expect(
			(await world.call("PATCH", "/v1/sessions/a", { name: "Late" }, { "If-Match": headers["If-Match"] }))
				.status,
		).toBe(412);
		for (const body of [
			{ name: 1 },
			{ name: null },
			{ metadata: [] },
			{ metadata: "x" },
			{ cwd: "/x" },
			[],
			null,
		]) {
			expect((await world.call("PATCH", "/v1/sessions/a", body)).status).toBe(400);
		}
		expect((await world.get("/v1/sessions")).body.sessions).toMatchObject([
			{ name: "New", metadata: { x: 1 } },
		]);
	});
});
