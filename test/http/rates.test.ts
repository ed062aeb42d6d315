import { describe, expect, it } from "vitest";
import { MemoryRates } from "../../src/http/memory-rates.ts";
import { bindingRates } from "../../src/worker-rates.ts";
import * as tokens from "./tokens.ts";
import { user, World } from "./world.ts";

const named = (key: string) => ({ of: "namespaces", key }) as const;

const bearer = async (sub: string) => ({ Authorization: `Bearer ${await tokens.token({ sub })}` });

describe("rates of a namespace", () => {
	it("reads and writes beyond them: 429 before any work, until time has passed; others are served", async () => {
		const time = { now: 0 };
		const rates = new MemoryRates({ reads: 4, writes: 2 }, () => time.now);
		const world = new World({ authenticate: tokens.authenticate(), rates });
		const [one, other] = [await bearer("one"), await bearer("other")];
		for (let n = 0; n < 2; n++) expect((await world.post("/v1/sessions", {}, one)).status).toBe(201);
		world.lines.length = 0;
		const objects = (await world.bucket.list("")).objects.length;
		const refused = await world.post("/v1/sessions", "no json", one);
		expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
		expect(refused.headers.get("Retry-After")).toBe("30");
		expect(refused.headers.get("Content-Type")).toBe("application/problem+json");
		expect(world.lines[0]?.store).toBeUndefined();
		expect((await world.bucket.list("")).objects.length).toBe(objects);
		for (let n = 0; n < 4; n++) expect((await world.get("/v1/sessions", one)).status).toBe(200);
		const read = await world.get("/v1/sessions", one);
		expect([read.status, read.headers.get("Retry-After")]).toEqual([429, "15"]);
		expect((await world.post("/v1/sessions", {}, other)).status).toBe(201);
		time.now += 29_999;
		expect((await world.post("/v1/sessions", {}, one)).status).toBe(429);
		time.now += 1;
		expect((await world.post("/v1/sessions", {}, one)).status).toBe(201);
		expect((await world.post("/v1/sessions", {}, one)).status).toBe(429);
	});

	it("who reads a share alone: counted by the share, and the owner is not slowed down", async () => {
		const rates = new MemoryRates({ reads: 2, writes: 9 }, () => 0);
		const world = new World({ authenticate: tokens.authenticate(), rates });
		const owner = await bearer("owner");
		const session = `/v1/sessions/${(await world.post("/v1/sessions", { entries: [user("a")] }, owner)).body.id}`;
		const share = {
			"Leaflog-Share": (await world.post(`${session}/shares`, { scope: "read" }, owner)).body.token,
		};
		const statuses = [];
		for (let n = 0; n < 3; n++) statuses.push((await world.get(session, share)).status);
		expect(statuses).toEqual([200, 200, 429]);
		expect((await world.get(session, owner)).status).toBe(200);
	});

	it("any number of made-up shares: a namespace that has used up its calls is still known", async () => {
		const rates = new MemoryRates({ reads: 1, writes: 1 }, () => 0);
		const world = new World({ authenticate: tokens.authenticate(), rates });
		const owner = await bearer("owner");
		const statuses = async () => [(await world.get("/v1/sessions", owner)).status];
		expect(await statuses()).toEqual([200]);
		for (let made = 0; made < 30_000; made++) rates.take("reads", { of: "shares", key: `made up ${made}` });
		const share = { "Leaflog-Share": `lls_${"A".repeat(43)}` };
		expect((await world.get("/v1/sessions/any", share)).status).toBe(401);
		expect((await world.get("/v1/sessions/any", share)).status).toBe(429);
		expect(await statuses()).toEqual([429]);
	});

	it("without credentials: nobody is counted", async () => {
		const world = new World();
		for (let n = 0; n < 20; n++) expect((await world.get("/v1/sessions")).status).toBe(200);
	});

	it("on Workers: the binding's counters, where there is one", async () => {
		const asked: string[] = [];
		const binding = {
			limit: async ({ key }: { key: string }) => {
				asked.push(key);
				return { success: asked.length < 2 };
			},
		};
		const rates = bindingRates({ READS: binding }, new MemoryRates({ reads: 0.1, writes: 1 }, () => 0));
		expect(await rates.take("reads", named("a"))).toEqual({ kind: "taken" });
		expect(await rates.take("reads", named("b"))).toEqual({ kind: "exceeded", seconds: 60 });
		expect(asked).toEqual(["a", "b"]);
		expect(await rates.take("writes", named("a"))).toEqual({ kind: "taken" });
		expect(await rates.take("writes", named("a"))).toEqual({ kind: "exceeded", seconds: 60 });
	});
});
