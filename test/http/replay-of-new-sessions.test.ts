import { describe, expect, it } from "vitest";
import { expectConflict, expectReplay, furnished, key, note } from "./repeats.ts";
import { user } from "./world.ts";

describe("calls that make a session: repeats", () => {
	const file = (text = "hi") =>
		`{"type":"session","version":3,"id":"filed","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/f"}\n` +
		`{"type":"message","id":"m","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"${text}","timestamp":1}}\n`;
	const ndjson = { "Content-Type": "application/x-ndjson" };

	it("createSession with a key: the id follows from it, and the first answer comes again", async () => {
		const { world } = await furnished();
		const body = {
			name: " n\n",
			cwd: "/x",
			metadata: { a: { b: 1 } },
			entries: [user("hi"), note({ data: 1 })],
		};
		const first = await world.post("/v1/sessions", body, key());
		expect(first.status).toBe(201);
		expect(first.body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
		await world.post(`/v1/sessions/${first.body.id}/entries`, { type: "session_info", name: "renamed" });
		for (const instance of [world, world.cold()]) {
			expectReplay(await instance.post("/v1/sessions", body, key()), first);
			expectReplay(await instance.post("/v1/sessions", { ...body, id: first.body.id }, key()), first);
			expectReplay(await instance.post("/v1/sessions", { metadata: { a: { b: 1 } } }, key()), first);
		}
		const others = [
			{ ...body, name: "m" },
			{ ...body, cwd: "/y" },
			{ ...body, metadata: { a: { b: 2 } } },
			{ ...body, parentSession: "p" },
			{ ...body, entries: [user("hi")] },
			{ ...body, entries: [user("hi"), note({ data: 2 })] },
			{ ...body, entries: [] },
		];
		for (const other of others) expectConflict(await world.cold().post("/v1/sessions", other, key()));
		expect((await world.get(`/v1/sessions/${first.body.id}`)).body).toMatchObject({
			name: "renamed",
			seq: 4,
		});
	});

	it("createSession: the key's scope is the namespace", async () => {
		const { world } = await furnished();
		const first = await world.post("/v1/sessions", {}, key());
		const caller = { namespace: "others", scopes: new Set(["sessions:write"] as const) };
		const other = world.cold({ authenticate: () => ({ kind: "caller", caller }) });
		const theirs = await other.post("/v1/sessions", {}, key());
		expect(theirs.status).toBe(201);
		expect(theirs.body.id).not.toBe(first.body.id);
	});

	it("createSession: an id that is taken is a conflict without a key, and with another one", async () => {
		const { world } = await furnished();
		expectConflict(await world.post("/v1/sessions", { id: "s" }));
		expectConflict(await world.cold().post("/v1/sessions", { id: "s" }, key("other")));
		const first = await world.post("/v1/sessions", { id: "mine", name: "n" }, key("mine"));
		expectReplay(await world.cold().post("/v1/sessions", { id: "mine", name: "n" }, key("mine")), first);
		expectConflict(await world.post("/v1/sessions", { id: "mine", name: "n" }));
		expectConflict(await world.post("/v1/sessions", { id: "mine", name: "n" }, key("other")));
	});

	it("createSession: an id that was deleted is gone for ever", async () => {
		const { world, session } = await furnished();
		const first = await world.post("/v1/sessions", {}, key());
		await world.call("DELETE", session);
		await world.call("DELETE", `/v1/sessions/${first.body.id}`);
		expect((await world.cold().post("/v1/sessions", { id: "s" })).status).toBe(410);
		expect((await world.cold().post("/v1/sessions", {}, key())).status).toBe(410);
	});

	it("createBranchedSession with a key", async () => {
		const { world, session, entries } = await furnished();
		const path = `${session}/branched-sessions`;
		const etag = (await world.get(session)).headers.get("ETag") ?? "";
		const first = await world.post(path, { leafId: "a", name: "n" }, { ...key(), "If-Match": etag });
		expect(first.status).toBe(201);
		await world.post(entries, note());
		await world.post(`/v1/sessions/${first.body.id}/entries`, note());
		const again = { ...key(), "If-Match": etag };
		expectReplay(await world.cold().post(path, { leafId: "a", name: "n" }, again), first);
		expectReplay(await world.cold().post(path, { leafId: "a", cwd: first.body.cwd }, key()), first);
		expectConflict(await world.post(path, { leafId: "b", name: "n" }, key()));
		expectConflict(await world.post(path, { leafId: "a", name: "m" }, key()));
		expectConflict(await world.post(path, { leafId: "a", cwd: "/other" }, key()));
		expectConflict(await world.post("/v1/sessions", {}, key()));
		const other = await world.session([user("a", { id: "a" })]);
		expectConflict(await world.post(`${other}/branched-sessions`, { leafId: "a" }, key()));
		expect((await world.post(path, { leafId: "a" }, { "If-Match": etag })).status).toBe(412);
	});

	it("importSession with a key", async () => {
		const { world } = await furnished();
		const path = "/v1/sessions/import";
		const first = await world.post(path, file(), { ...key(), ...ndjson });
		expect([first.status, first.body.session.id]).toEqual([201, "filed"]);
		await world.post("/v1/sessions/filed/entries", note());
		expectReplay(await world.cold().post(path, file(), { ...key(), ...ndjson }), first);
		expectReplay(await world.cold().post(`${path}?id=filed`, file(), { ...key(), ...ndjson }), first);
		expectConflict(await world.post(path, file("ho"), { ...key(), ...ndjson }));
		expectConflict(await world.post(`${path}?repair=true`, file(), { ...key(), ...ndjson }));
		expectConflict(await world.post(path, file(), ndjson));
		expectConflict(await world.post(path, file(), { ...key("other"), ...ndjson }));
		expect((await world.post(`${path}?id=other`, file(), ndjson)).body.session.id).toBe("other");
	});

	it("racing creations with one key make one session", async () => {
		const { world } = await furnished();
		const instances = [world, world, world.cold(), world.cold()];
		const replies = await Promise.all(
			instances.map((instance) => instance.post("/v1/sessions", { entries: [user("hi")] }, key())),
		);
		expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
		expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
	});
});
