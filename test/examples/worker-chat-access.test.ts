import { createHash } from "node:crypto";
import { request } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Bundle, ChatWorker, eventsOf, textOf } from "./chat-worker.ts";
import { ChatWorld } from "./chat-world.ts";

let world: ChatWorld;
beforeAll(async () => {
	world = await ChatWorld.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(() => world.reset());

describe("who and what is let in", { timeout: 60_000 }, () => {
	const bad: readonly (readonly [unknown, string])[] = [
		["{", "The body"],
		["[]", "id: must"],
		[{ text: "hi" }, "id: must"],
		[{ id: "a b", text: "hi" }, "id: must"],
		[{ id: "x".repeat(61), text: "hi" }, "id: must"],
		[{ id: "q" }, "text or parentId"],
		[{ id: "q", text: " " }, "text: must"],
		[{ id: "q", text: 1 }, "text: must"],
		[{ id: "q", text: "hi", parentId: 1 }, "parentId: must"],
		[{ id: "q", text: "hi", more: 1 }, "more: is not known"],
	];
	for (const [body, detail] of bad) {
		it(`${JSON.stringify(body).slice(0, 60)}: 400, and nothing happens`, async () => {
			const id = world.newId();
			const response = await world.chat.send(id, body);
			expect(response.status).toBe(400);
			expect(((await response.json()) as { detail: string }).detail).toContain(detail);
			expect(world.model.requests).toEqual([]);
			await expect(world.leaflog.session(id).get()).rejects.toMatchObject({ status: 404 });
		});
	}

	it("other paths, methods and types; a parent that isn't there; an answer to an answer", async () => {
		const id = world.newId();
		expect((await fetch(`${world.chat.url}/`)).status).toBe(404);
		expect((await fetch(`${world.chat.url}/chat/a%2Fb`)).status).toBe(404);
		expect((await fetch(`${world.chat.url}/chat/${id}`, { method: "DELETE" })).status).toBe(405);
		expect((await fetch(`${world.chat.url}/chat/${id}`)).status).toBe(404);
		const plain = { headers: { "Content-Type": "text/plain" } };
		expect((await world.chat.send(id, { id: "q", text: "hi" }, plain)).status).toBe(400);
		await world.chat.say(id, { id: "q1", text: "Rome?" });
		world.model.requests.length = 0;
		const status = async (turn: object) => (await world.chat.send(id, turn)).status;
		expect(await status({ id: "q2", text: "hi", parentId: "none" })).toBe(404);
		expect(await status({ id: "q3", parentId: "none" })).toBe(404);
		expect(await status({ id: "q4", parentId: "q1-a" })).toBe(422);
		expect(world.model.requests).toEqual([]);
		expect(await world.logOf(id)).toEqual(["q1", "q1-a"]);
		await world.leaflog.session(id).delete();
		expect(await status({ id: "q5", text: "hi" })).toBe(410);
	});

	it("nobody without a token by another name than a loopback one", async () => {
		const { port } = new URL(world.chat.url);
		const status = await new Promise((resolve, reject) => {
			const headers = { Host: "evil.example", "Content-Type": "application/json" };
			const sent = request({ port, host: "127.0.0.1", path: "/chat/x", method: "POST", headers }, (answer) =>
				resolve(answer.statusCode),
			);
			sent.on("error", reject);
			sent.end(JSON.stringify({ id: "q1", text: "hi" }));
		});
		expect(status).toBe(401);
		expect(world.model.requests).toEqual([]);
	});

	it("Leaflog out of reach: 503 before any model is asked", async () => {
		const lost = await ChatWorker.start(world.bundle, world.variables({ LEAFLOG_URL: "http://127.0.0.1:9" }));
		try {
			const response = await lost.send(world.newId(), { id: "q1", text: "hi" });
			expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
				503,
				"unreachable",
			]);
			expect(world.model.requests).toEqual([]);
		} finally {
			await lost.kill();
		}
	});
});

describe("by a service binding, with credentials", { timeout: 180_000 }, () => {
	let both: ChatWorker;
	afterEach(() => both?.kill());

	it("each caller's own token decides: their own sessions, or 401 before any model is asked", async () => {
		const service = await Bundle.of(".");
		const keys = ["ann", "bob"].map((namespace) => ({
			sha256: createHash("sha256").update(`key-of-${namespace}-0123456789`).digest("hex"),
			namespace,
			scopes: ["sessions:read", "sessions:write"],
		}));
		both = await ChatWorker.start(
			world.bundle,
			world.variables({ LEAFLOG_URL: "https://leaflog.internal" }),
			{
				bundle: service,
				variables: { API_KEYS: JSON.stringify(keys) },
			},
		);
		const by = (name: string) => ({ Authorization: `Bearer key-of-${name}-0123456789` });
		const id = world.newId();
		expect(textOf(await both.say(id, { id: "q1", text: "Rome?" }, by("ann")))).toBe(
			"Forum, then Trastevere.",
		);
		expect((await fetch(`${both.url}/chat/${id}`, { headers: by("ann") })).status).toBe(200);
		expect((await fetch(`${both.url}/chat/${id}`, { headers: by("bob") })).status).toBe(404);
		world.model.requests.length = 0;
		for (const headers of [by("eve"), {}]) {
			const [refused] = await both.say(id, { id: "q2", text: "hi" }, headers);
			expect(refused?.event).toBe("401");
		}
		expect(world.model.requests).toEqual([]);
		const events = await eventsOf(
			await both.send(id, { id: "q2", text: "And rain?" }, { headers: by("ann") }),
		);
		expect(events.at(-1)?.data).toMatchObject({ leafId: "q2-a", seq: 4 });
	});
});
