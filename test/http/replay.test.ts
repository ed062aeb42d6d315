import { describe, expect, it } from "vitest";
import { type ObjectStore, StoreUnavailable } from "../../src/store/object-store.ts";
import { expectConflict, expectReplay, furnished, key, note } from "./repeats.ts";

describe("appendEntry: repeats", () => {
	it("with a key: the same content again is the first answer, anywhere and however late", async () => {
		const { world, entries, length } = await furnished();
		const first = await world.post(entries, note(), key());
		expect(first.status).toBe(201);
		await world.post(entries, note({ id: "later" }));
		for (const instance of [world, world.cold(), world.cold()]) {
			expectReplay(await instance.post(entries, note(), key()), first);
		}
		expect(await length()).toBe(4);
	});

	it("with a key: a batch with keepLeaf too", async () => {
		const { world, entries, length } = await furnished();
		const body = { entries: [note(), note({ parentId: "a" }), { type: "session_info", name: " x\n" }] };
		const first = await world.post(`${entries}?keepLeaf=true`, body, key());
		expect(first.body).toMatchObject({ leafId: "b", seq: 6 });
		await world.post(entries, note());
		expectReplay(await world.cold().post(`${entries}?keepLeaf=true`, body, key()), first);
		expectConflict(await world.post(entries, body, key()));
		expect(await length()).toBe(7);
	});

	it("with a key: another content is a conflict", async () => {
		const { world, entries, length } = await furnished();
		const given = note({
			data: { x: 1, y: [2, null] },
			id: "n",
			parentId: "a",
			timestamp: "2026-01-01T00:00:00Z",
		});
		const first = await world.post(entries, given, key());
		const others = [
			{ ...given, data: { x: 1, y: [2] } },
			{ ...given, data: { x: 1 } },
			{ ...given, data: null },
			{ ...given, id: "m" },
			{ ...given, parentId: "b" },
			{ ...given, parentId: null },
			{ ...given, timestamp: "2026-01-01T00:00:01Z" },
			{ ...given, type: "custom_message", content: "x", display: true },
			{ ...given, more: 1 },
			{ entries: [given, note()] },
		];
		for (const body of others) expectConflict(await world.post(entries, body, key()));
		expectConflict(await world.put(entries.replace("entries", "leaf"), { targetId: "a" }, key()));
		const reordered = { data: { y: [2, null], x: 1 }, type: "custom", customType: "note" };
		expectReplay(await world.post(entries, reordered, key()), first);
		expectReplay(await world.cold().post(entries, { entries: [given] }, key()), first);
		expect(await length()).toBe(3);
	});

	it("another key is another request, and a key counts in its session alone", async () => {
		const { world, entries, length } = await furnished();
		expect((await world.post(entries, note(), key("k1"))).status).toBe(201);
		expect((await world.post(entries, note(), key("k2"))).status).toBe(201);
		expect((await world.post(entries, note(), key("K1"))).status).toBe(201);
		const other = await world.session();
		expect((await world.post(`${other}/entries`, note(), key("k1"))).status).toBe(201);
		expect(await length()).toBe(5);
	});

	it("with ids of its own: the same content again is the first answer", async () => {
		const { world, entries, length } = await furnished();
		const one = note({ id: "n", data: 1 });
		const first = await world.post(entries, one);
		const batch = { entries: [note({ id: "p" }), note({ id: "q" })] };
		const firstBatch = await world.post(entries, batch);
		for (const instance of [world, world.cold()]) {
			expectReplay(await instance.post(entries, one), first);
			expectReplay(await instance.post(entries, batch), firstBatch);
			expectReplay(await instance.post(entries, one, key("new")), first);
		}
		expectConflict(await world.post(entries, { ...one, data: 2 }));
		expectConflict(await world.post(entries, { ...one, parentId: "a" }));
		expectConflict(
			await world.cold().post(entries, { entries: [note({ id: "p" }), note({ id: "q", data: 1 })] }),
		);
		expect(await length()).toBe(5);
	});

	it("with ids of its own: a batch of which only a part is known is a conflict", async () => {
		const { world, entries, length } = await furnished();
		await world.post(entries, { entries: [note({ id: "p" }), note({ id: "q" })] });
		const partly = [
			[note({ id: "p" }), note({ id: "r" })],
			[note({ id: "r" }), note({ id: "p" })],
			[note({ id: "p" }), note({ id: "q" }), note({ id: "r" })],
			[note({ id: "p" }), note({ id: "q" }), note()],
			[note(), note({ id: "q" })],
		];
		for (const batch of partly) {
			for (const instance of [world, world.cold()]) {
				expectConflict(await instance.post(entries, { entries: batch }));
				expectConflict(await instance.post(entries, { entries: batch }, key("fresh")));
			}
		}
		expect(await length()).toBe(4);
	});

	it("a batch that names some of its entries is known by them", async () => {
		const { world, entries, length } = await furnished();
		const batch = { entries: [note({ data: 0 }), note({ id: "p" }), note({ data: 2 })] };
		const first = await world.post(entries, batch);
		expectReplay(await world.cold().post(entries, batch), first);
		expectConflict(
			await world.post(entries, { entries: [note({ data: 0 }), note({ id: "p" }), note({ data: 3 })] }),
		);
		expect(await length()).toBe(5);
	});

	it("entries without id and key are new each time", async () => {
		const { world, entries, length } = await furnished();
		for (let turn = 0; turn < 3; turn++) expect((await world.post(entries, note())).status).toBe(201);
		expect(await length()).toBe(5);
	});

	it("what was filled in or tidied when it was stored is no difference", async () => {
		const { world, entries } = await furnished();
		const batch = {
			entries: [
				{ type: "session_info", name: " a\r\n b " },
				{ type: "context_edit", targetId: "a", replacement: { content: "x" } },
				{ type: "label", targetId: "a", label: "  " },
				{ type: "compaction", summary: "s", firstKeptEntryId: null, tokensBefore: 7 },
				{ type: "custom", customType: "n", data: [1e21, -0, 0.1] },
			],
		};
		const first = await world.post(entries, batch, key());
		expect(first.status).toBe(201);
		expectReplay(await world.cold().post(entries, batch, key()), first);
		const huge = '{"type":"custom","customType":"n","id":"huge","data":1e400}';
		const stored = await world.post(entries, huge);
		expect(stored.body.entries[0].data).toBeNull();
		expectReplay(await world.post(entries, huge), stored);
	});

	it("a repeat comes before If-Match and before what the state says", async () => {
		const { world, session, entries } = await furnished();
		const etag = (await world.get(session)).headers.get("ETag") ?? "";
		const headers = { ...key(), "If-Match": etag };
		const first = await world.post(entries, note({ id: "n" }), headers);
		expect(first.status).toBe(201);
		await world.post(entries, note());
		expectReplay(await world.cold().post(entries, note({ id: "n" }), headers), first);
		expectConflict(await world.post(entries, note({ id: "n", data: 1 }), headers));
		expect((await world.post(entries, note(), { "If-Match": etag })).status).toBe(412);
	});

	it("repeats that meet in one instance, or race in two: one is stored", async () => {
		const { world, entries, length } = await furnished();
		const ways: [object, Record<string, string>][] = [
			[note(), key()],
			[{ entries: [note({ id: "n" }), note()] }, {}],
		];
		for (const [turn, [body, headers]] of ways.entries()) {
			const instances = [world, world, world.cold(), world.cold()];
			const replies = await Promise.all(instances.map((instance) => instance.post(entries, body, headers)));
			expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
			expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
			expect(new Set(replies.map((reply) => reply.headers.get("ETag"))).size).toBe(1);
			expect(await length()).toBe([3, 5][turn]);
		}
	});

	it("different contents under one key that meet: one is stored, the others conflict", async () => {
		const { world, entries, length } = await furnished();
		const instances = [world, world, world, world.cold()];
		const replies = await Promise.all(
			instances.map((instance, data) => instance.post(entries, note({ data }), key())),
		);
		expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
		expect(await length()).toBe(3);
	});

	it("many that meet are stored once each, and each answer's ETag names its own state", async () => {
		const { world, session, entries, length } = await furnished();
		const replies = await Promise.all(
			Array.from({ length: 40 }, (_, data) => world.post(entries, note({ data }), key(`k${data}`))),
		);
		expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(201));
		expect(await length()).toBe(42);
		const seqs = replies.map(({ body }) => body.seq).sort((one, other) => one - other);
		expect(seqs).toEqual(Array.from({ length: 40 }, (_, at) => at + 3));
		for (const [data, reply] of replies.entries()) {
			expectReplay(await world.cold().post(entries, note({ data }), key(`k${data}`)), reply);
			const etag = reply.headers.get("ETag") ?? "";
			const newest = reply.body.seq === 42;
			const again = await world.cold().get(`${session}/leaf`, { "If-None-Match": etag });
			expect(again.status).toBe(newest ? 304 : 200);
		}
	});
});

describe("setLeaf: repeats", () => {
	it("with a key it always commits, and a repeat is the first answer", async () => {
		const { world, session, length } = await furnished();
		const there = await world.put(`${session}/leaf`, { targetId: "b" }, key());
		expect(there.body).toMatchObject({ leafId: "b", seq: 3, entry: { type: "leaf", targetId: "b" } });
		await world.post(`${session}/entries`, note());
		expectReplay(await world.cold().put(`${session}/leaf`, { targetId: "b" }, key()), there);
		expectConflict(await world.put(`${session}/leaf`, { targetId: "a" }, key()));
		expectConflict(await world.put(`${session}/leaf`, { targetId: null }, key()));
		expectConflict(await world.post(`${session}/entries`, note(), key()));
		expect(await length()).toBe(4);
	});

	it("without one it writes nothing where the leaf already is", async () => {
		const { world, session, length } = await furnished();
		const reply = await world.cold().put(`${session}/leaf`, { targetId: "b" });
		expect([reply.status, reply.body]).toEqual([200, { leafId: "b", seq: 2 }]);
		expect((await world.put(`${session}/leaf`, { targetId: "a" })).body).toMatchObject({
			leafId: "a",
			seq: 3,
		});
		expect((await world.put(`${session}/leaf`, { targetId: "a" })).body).toEqual({ leafId: "a", seq: 3 });
		expect(await length()).toBe(3);
	});
});

describe("answers that are lost", () => {
	/** A store whose creations take place, but are answered by nothing clear for some time. */
	function losing(state: { losing: boolean }) {
		return (store: ObjectStore): ObjectStore => ({
			get: (name, options) => (state.losing ? Promise.reject(unavailable()) : store.get(name, options)),
			list: (prefix, options) => store.list(prefix, options),
			delete: (keys) => store.delete(keys),
			put: async (name, bytes, options) => {
				const outcome = await store.put(name, bytes, options);
				return state.losing ? { kind: "unknown", cause: unavailable() } : outcome;
			},
		});
	}

	it("indeterminate is 503 with Retry-After, and a repeat finds out", async () => {
		const { world, session, entries, length } = await furnished();
		const state = { losing: false };
		const instance = world.cold({ wrap: losing(state) });
		await instance.get(session);
		state.losing = true;
		const lost = instance.post(entries, note({ data: 1 }), key());
		for (let turn = 0; turn < 200; turn++) {
			await new Promise((resolve) => setImmediate(resolve));
			world.clock.advance(500);
		}
		const reply = await lost;
		expect([reply.status, reply.body.code]).toEqual([503, "storage_unavailable"]);
		expect(reply.body.detail).toMatch(/^Indeterminate/);
		expect(reply.headers.get("Retry-After")).toMatch(/^\d+$/);
		state.losing = false;
		const again = await instance.post(entries, note({ data: 1 }), key());
		expect([again.status, again.body.seq]).toEqual([200, 3]);
		expect(await length()).toBe(3);
	});

	function unavailable(): Error {
		return new StoreUnavailable("no answer");
	}
});
