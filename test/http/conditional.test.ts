import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/http/endpoints.ts";
import { addressOf, everyRoute, shareKey } from "./every-route.ts";
import { requestsOf, user, World } from "./world.ts";

/** Lists of sessions have tags of their own. */
const ownTags = endpoints
	.filter(({ spec }) => spec.conditional === "own tag")
	.map(({ spec }) => spec.operationId);
// A watch asks for what is new, and is never "not modified".
const reads = everyRoute.filter(
	({ method, operationId }) =>
		method === "GET" && !ownTags.includes(operationId) && operationId !== "watchSession",
);
const writes = everyRoute.filter(({ method, onSession }) => method !== "GET" && onSession);
const note = { type: "custom", customType: "note" };

async function furnished() {
	const world = new World();
	const session = await world.session([user("a", { id: "first" })], { id: "Session.1" });
	await world.post(`${session}/entries`, user("b", { id: "second" }));
	await world.post(`${session}/shares`, { scope: "read" }, { "Idempotency-Key": shareKey });
	return { world, session };
}

describe("If-None-Match", () => {
	it.each(reads)("$operationId: 304 costs one look, and says no more than the ETag", async (route) => {
		const { world, session } = await furnished();
		const path = addressOf(route, session, "first");
		const etag = (await world.get(path)).headers.get("ETag") ?? "";
		const forms = [etag, etag.replace("W/", ""), `"x", ${etag}`, `W/"9-9" , ${etag}`];
		for (const header of forms) {
			const cold = await world.cold().get(path, { "If-None-Match": header });
			expect([cold.status, cold.text]).toEqual([304, ""]);
			expect(cold.headers.get("ETag")).toBe(etag);
			expect(cold.headers.get("Cache-Control")).toBe("private, no-cache");
			expect(requestsOf(cold)).toEqual({ list: 1, "bytes-read": 0, "bytes-written": 0 });
			const warm = await world.get(path, { "If-None-Match": header });
			expect(warm.status).toBe(304);
			expect(requestsOf(warm)).toEqual({ get: 1, "bytes-read": 0, "bytes-written": 0 });
		}
		expect((await world.call("HEAD", path, undefined, { "If-None-Match": etag })).status).toBe(304);
	});

	it.each(reads)("$operationId: any answer's ETag does, and `*`", async (route) => {
		const { world, session } = await furnished();
		const path = addressOf(route, session, "first");
		const written = await world.post(`${session}/entries`, user("c"));
		for (const header of [written.headers.get("ETag") ?? "", 'W/"3-2;gzip"', '"3-2-leaf-gzip"', "*"]) {
			expect((await world.cold().get(path, { "If-None-Match": header })).status).toBe(304);
		}
	});

	it.each(reads)("$operationId: what has changed, or is no ETag of ours, is answered anew", async (route) => {
		const { world, session } = await furnished();
		const path = addressOf(route, session, "first");
		const etag = (await world.get(path)).headers.get("ETag") ?? "";
		await world.post(`${session}/entries`, note);
		for (const header of [
			etag,
			'"3"',
			'"3-1"',
			'"nonsense"',
			"nonsense",
			'""',
			'"3-2x"',
			'"99999999999999-2"',
		]) {
			const reply = await world.cold().get(path, { "If-None-Match": header });
			expect([reply.status, header]).toEqual([200, header]);
		}
	});

	it("what isn't there is 404 all the same", async () => {
		const { world, session } = await furnished();
		const etag = (await world.get(session)).headers.get("ETag") ?? "";
		for (const tail of ["/entries/none", "/branch?from=none", "/branch?before=none", "/context?from=none"]) {
			for (const header of [etag, "*"]) {
				const reply = await world.cold().get(`${session}${tail}`, { "If-None-Match": header });
				expect([reply.status, tail]).toEqual([404, tail]);
			}
		}
		const bad = await world.get(`${session}/branch?limit=0`, { "If-None-Match": etag });
		expect(bad.status).toBe(400);
	});

	it("ETags tell views of one state apart", async () => {
		const { world, session } = await furnished();
		const tails = [
			"",
			"/leaf",
			"/entries",
			"/entries?limit=1",
			"/entries/first",
			"/entries/second",
			"/context",
			"/context?view=entries",
			"/context?view=projection",
			"/context?format=llm",
			"/export",
			"/export?format=log",
		];
		const etags = await Promise.all(
			tails.map(async (tail) => (await world.get(session + tail)).headers.get("ETag")),
		);
		expect(new Set(etags).size).toBe(tails.length);
	});
});

describe("If-Match", () => {
	it.each(writes)("$operationId: goes on where the version is the one known, else 412", async (route) => {
		const { world, session } = await furnished();
		const path = addressOf(route, session, "first");
		const body = route.body?.("first");
		const stale = (await world.get(session)).headers.get("ETag") ?? "";
		await world.post(`${session}/entries`, note);
		for (const header of [stale, '"4-9"', '"nonsense"', "nonsense", '"x", W/"1-0"', ""]) {
			for (const instance of [world, world.cold()]) {
				const reply = await instance.call(route.method, path, body, { "If-Match": header });
				expect([reply.status, reply.body?.code, header]).toEqual([412, "precondition_failed", header]);
			}
		}
		expect((await world.get(session)).body.seq).toBe(3);
		const current = (await world.get(`${session}/tree?q=x`)).headers.get("ETag") ?? "";
		const held = await world.cold().call(route.method, path, body, { "If-Match": `"x", ${current}` });
		expect(held.status).toBe(route.status);
	});

	it.each(writes)(
		"$operationId: `*`, a bare version, and a tag of any view and encoding do",
		async (route) => {
			for (const header of ["*", '"2"', '"2-1-view-gzip"', 'W/"2-1;br"', '"2-7"']) {
				const { world, session } = await furnished();
				const path = addressOf(route, session, "first");
				const reply = await world.call(route.method, path, route.body?.("first"), { "If-Match": header });
				expect([reply.status, header]).toEqual([route.status, header]);
			}
		},
	);

	it.each(writes)("$operationId: an unknown session is 404, not 412", async (route) => {
		const { world } = await furnished();
		const path = addressOf(route, "/v1/sessions/none", "first");
		const reply = await world.call(route.method, path, route.body?.("first"), { "If-Match": '"2"' });
		expect(reply.status).toBe(404);
	});

	it("it comes before what the state says", async () => {
		const { world, session } = await furnished();
		const headers = { "If-Match": '"1"' };
		const bad = [
			world.post(`${session}/entries`, { ...note, parentId: "none" }, headers),
			world.put(`${session}/leaf`, { targetId: "none" }, headers),
			world.put(`${session}/leaf`, { targetId: "second" }, headers),
			world.post(`${session}/branched-sessions`, { leafId: "none" }, headers),
		];
		for (const reply of await Promise.all(bad)) expect(reply.status).toBe(412);
		expect((await world.post(`${session}/entries`, { type: "none" }, headers)).status).toBe(400);
	});

	it("requests that share a commit are checked one after the other", async () => {
		const { world, session } = await furnished();
		const post = (header: string) => world.post(`${session}/entries`, note, { "If-Match": header });
		const replies = await Promise.all([post('"2"'), post('"2"'), post('"3"'), post('"4"'), post('"7"')]);
		const statuses = replies.map(({ status }) => status);
		expect(statuses.filter((status) => status === 201).length).toBe((await world.get(session)).body.seq - 2);
		for (const [at, reply] of replies.entries()) {
			if (reply.status === 201) expect(reply.body.seq).toBe([3, 3, 4, 5, 8][at]);
			else expect(reply.status).toBe(412);
		}
		expect(statuses.slice(0, 2).sort()).toEqual([201, 412]);
	});

	it("a session that is still to be made has no version", async () => {
		const { world } = await furnished();
		expect((await world.post("/v1/sessions", {}, { "If-Match": '"0"' })).status).toBe(412);
		expect((await world.post("/v1/sessions", { id: "new" }, { "If-Match": "*" })).status).toBe(412);
		expect((await world.get("/v1/sessions/new")).status).toBe(404);
	});
});
