import { describe, expect, it } from "vitest";
import { FaultyStore } from "../../src/store/faults.ts";
import { addressOf, branches, sessionOf } from "./branches.ts";
import { storedEntries } from "./files-and-pi.ts";
import { requestsOf, user, World } from "./world.ts";

describe("a session made from another", () => {
	const calls: Record<string, [string, object]> = {
		createBranchedSession: ["branched-sessions", { leafId: "u3" }],
		"forkSession before": ["fork", { entryId: "u2" }],
		"forkSession at": ["fork", { entryId: "u3", position: "at" }],
		cloneSession: ["clone", {}],
		copySession: ["copies", {}],
	};

	for (const [call, [path, body]] of Object.entries(calls)) {
		it(`${call}: names its source, has its working directory unless given, and a time of its own`, async () => {
			const { world, session } = await branches();
			const reply = await world.post(`${session}/${path}`, body);
			expect(reply.headers.get("Location")).toBe(addressOf(reply));
			expect(sessionOf(reply)).toMatchObject({ version: 3, parentSession: "source", cwd: "/work" });
			expect(Date.parse(sessionOf(reply).timestamp)).toBe(world.clock.now());
			const other = await world.post(`${session}/${path}`, { ...body, id: "mine", cwd: "/else" });
			expect(sessionOf(other)).toMatchObject({ id: "mine", cwd: "/else" });
			const header = JSON.parse((await world.get("/v1/sessions/mine/export")).text.split("\n")[0] ?? "");
			expect(header).toMatchObject({
				type: "session",
				version: 3,
				id: "mine",
				cwd: "/else",
				parentSession: "source",
			});
		});

		it(`${call}: is readable, and listed, on any instance the moment it is answered; 1 PUT beside the list's`, async () => {
			const { world, session } = await branches();
			const reply = await world.post(`${session}/${path}`, body);
			expect(requestsOf(reply).put).toBe(2);
			const other = world.cold();
			const read = await other.get(addressOf(reply));
			expect([read.status, read.body]).toEqual([200, sessionOf(reply)]);
			expect(read.headers.get("ETag")?.split("-").slice(0, 2)).toEqual(
				reply.headers.get("ETag")?.replace(/"$/, "").split("-"),
			);
			const { sessions } = (await other.get(`${session}/children`)).body;
			expect(sessions).toEqual([sessionOf(reply)]);
		});

		it(`${call}: shares nothing with its source`, async () => {
			const { world, session } = await branches();
			const made = addressOf(await world.post(`${session}/${path}`, body));
			const before = await storedEntries(world, made);
			await world.post(`${session}/entries`, user("more"));
			await world.call("DELETE", session);
			expect(await storedEntries(world.cold(), made)).toEqual(before);
			expect((await world.get(made)).body.parentSession).toBe("source");
		});

		it(`${call}: a repeat with its key gives the first answer, whatever became of both`, async () => {
			const { world, session } = await branches();
			const again = (instance: World, given: object = body) =>
				instance.post(`${session}/${path}`, given, { "Idempotency-Key": "k" });
			const first = await again(world);
			await world.post(`${session}/navigate`, { targetId: "a2" });
			await world.post(`${addressOf(first)}/entries`, user("more"));
			for (const instance of [world, world.cold()]) {
				const second = await again(instance);
				expect([second.status, second.text, second.headers.get("Idempotency-Replayed")]).toEqual([
					200,
					first.text,
					"true",
				]);
				expect(second.headers.get("ETag")).toBe(first.headers.get("ETag"));
			}
			for (const other of [
				{ ...body, cwd: "/else" },
				{ ...body, id: sessionOf(first).id, cwd: "/else" },
			]) {
				expect((await again(world, other)).status).toBe(409);
			}
			const elsewhere = await world.session([
				user("x", { id: "u1" }),
				user("y", { id: "u2" }),
				user("z", { id: "u3" }),
			]);
			expect((await world.post(`${elsewhere}/${path}`, body, { "Idempotency-Key": "k" })).status).toBe(409);
		});

		it(`${call}: an id that is taken is 409, a deleted one 410`, async () => {
			const { world, session } = await branches();
			await world.post(`${session}/${path}`, { ...body, id: "mine" });
			expect((await world.post(`${session}/${path}`, { ...body, id: "mine" })).status).toBe(409);
			await world.call("DELETE", "/v1/sessions/mine");
			expect((await world.post(`${session}/${path}`, { ...body, id: "mine" })).status).toBe(410);
		});

		it(`${call}: with If-Match only of the source as it is known`, async () => {
			const { world, session } = await branches();
			const known = { "If-Match": (await world.get(`${session}/tree`)).headers.get("ETag") ?? "" };
			expect((await world.post(`${session}/${path}`, body, known)).status).toBe(201);
			const keyed = { ...known, "Idempotency-Key": "k" };
			const first = await world.post(`${session}/${path}`, body, keyed);
			await world.post(`${session}/entries`, user("more"));
			expect((await world.post(`${session}/${path}`, body, known)).status).toBe(412);
			expect((await world.post(`${session}/${path}`, body, keyed)).text).toBe(first.text);
		});

		it(`${call}: appears whole or not at all`, async () => {
			const { world, session } = await branches();
			const refusing = world.cold({
				wrap: (store) =>
					new FaultyStore(store, {
						plan: ({ kind }) => (kind === "put" ? { kind: "refused" } : undefined),
						sleep: () => new Promise((resolve) => setImmediate(resolve)),
					}),
			});
			const sent = refusing.post(`${session}/${path}`, { ...body, id: "mine" });
			for (let turn = 0; turn < 200; turn++) {
				await new Promise((resolve) => setImmediate(resolve));
				world.clock.advance(500);
			}
			expect((await sent).status).toBe(503);
			expect((await world.cold().get("/v1/sessions/mine")).status).toBe(404);
		});

		it(`${call}: what isn't there is 404, and shapes are 400`, async () => {
			const { world, session } = await branches();
			for (const bad of [{ id: "-" }, { id: 7 }, { cwd: 7 }, { more: 1 }]) {
				expect((await world.post(`${session}/${path}`, { ...body, ...bad })).status).toBe(400);
			}
			const [field] = Object.keys(body);
			if (field === undefined) return;
			const unknown = await world.post(`${session}/${path}`, { ...body, [field]: "nowhere" });
			expect([unknown.status, unknown.body.errors[0].path]).toEqual([404, field]);
			for (const bad of [7, null, ""]) {
				expect((await world.post(`${session}/${path}`, { ...body, [field]: bad })).status).toBe(400);
			}
		});

		it(`${call}: a working directory or a session that is too large is 413, and nothing is stored`, async () => {
			const { world, session } = await branches();
			const long = await world.post(`${session}/${path}`, { ...body, id: "mine", cwd: "x".repeat(4097) });
			const strict = world.cold({ config: { limits: { madeSessionBytes: 300 } } });
			const large = await strict.post(`${session}/${path}`, { ...body, id: "mine" });
			for (const reply of [long, large])
				expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
			expect((await world.get("/v1/sessions/mine")).status).toBe(404);
		});
	}

	it("createBranchedSession: a name of its own follows the labels, and is the leaf", async () => {
		const { world, session } = await branches();
		const body = { leafId: "u3", name: "Green\r\n\ntea " };
		const reply = await world.post(`${session}/branched-sessions`, body, { "Idempotency-Key": "k" });
		expect(reply.body).toMatchObject({ name: "Green tea", seq: 5, entryCount: 5 });
		const stored = await storedEntries(world, addressOf(reply));
		expect(stored.map(({ type }) => type)).toEqual([
			"message",
			"message",
			"message",
			"label",
			"session_info",
		]);
		expect(reply.body.leafId).toBe(stored.at(-1)?.id);
		const again = (name: string) =>
			world.post(`${session}/branched-sessions`, { leafId: "u3", name }, { "Idempotency-Key": "k" });
		expect((await again("Green tea")).text).toBe(reply.text);
		expect((await again("Black tea")).status).toBe(409);
		const long = await world.post(`${session}/branched-sessions`, { leafId: "u3", name: "x".repeat(513) });
		expect(long.status).toBe(413);
	});

	it("forkSession before: needs a user message", async () => {
		const { world, session } = await branches();
		for (const entryId of ["a1", "l1", "x1"]) {
			const reply = await world.post(`${session}/fork`, { entryId });
			expect([reply.status, reply.body.code]).toEqual([422, "unprocessable"]);
		}
	});

	it("forkSession before the first message: an empty session that names its source", async () => {
		const { world, session } = await branches();
		const reply = await world.post(`${session}/fork`, { entryId: "u1" });
		expect(reply.body).toMatchObject({
			selectedText: "first",
			session: { parentSession: "source", leafId: null, entryCount: 0, seq: 0 },
		});
		expect((await world.get(`${addressOf(reply)}/context`)).body.messages).toEqual([]);
	});

	it("forkSession at, createBranchedSession: a leaf entry is 422", async () => {
		const { world, session } = await branches();
		expect((await world.post(`${session}/fork`, { entryId: "x1", position: "at" })).status).toBe(422);
		expect((await world.post(`${session}/branched-sessions`, { leafId: "x1" })).status).toBe(422);
	});

	it("cloneSession: without a leaf there is nothing to clone", async () => {
		const { world, session } = await branches();
		await world.put(`${session}/leaf`, { targetId: null });
		const reply = await world.post(`${session}/clone`);
		expect([reply.status, reply.body.code]).toEqual([422, "unprocessable"]);
		const copy = await world.post(`${session}/copies`);
		expect([copy.status, copy.body.leafId]).toEqual([201, null]);
	});

	it("keeps lines byte for byte where nothing is different in them", async () => {
		const world = new World();
		const header = {
			type: "session",
			version: 3,
			id: "odd",
			timestamp: "2026-01-01T00:00:00.000Z",
			cwd: "/",
		};
		const line =
			'{ "type":"message" , "id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"\\u0041","timestamp":1.0e3},"n":10000000000000000000001}';
		const reply = await world.call("POST", "/v1/sessions/import", `${JSON.stringify(header)}\n${line}\n`, {
			"Content-Type": "application/x-ndjson",
		});
		expect(reply.status).toBe(201);
		for (const path of ["clone", "copies"]) {
			const made = await world.post(`/v1/sessions/odd/${path}`);
			expect((await world.get(`${addressOf(made)}/export`)).text.split("\n")[1]).toBe(line);
		}
	});
});
