import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { publicErrors } from "../../schemas/error.ts";
import { endpoints } from "../../src/http/endpoints.ts";
import { generatedFiles } from "../../src/http/generated-files.ts";
import { openApiDocument } from "../../src/http/openapi.ts";
import { type ObjectStore, StoreUnavailable } from "../../src/store/object-store.ts";
import { user, World } from "./world.ts";

const root = join(import.meta.dirname, "../..");

describe("the OpenAPI document", () => {
	const document = JSON.parse(JSON.stringify(openApiDocument(endpoints)));

	it.each([...generatedFiles().keys()])("%s: the committed file is current", (path) => {
		expect(readFileSync(join(root, path), "utf8")).toBe(generatedFiles().get(path));
	});

	it("is served, without credentials", async () => {
		const reply = await new World().get("/openapi.json");
		expect(reply.status).toBe(200);
		expect(reply.body).toEqual(document);
		expect(reply.body.openapi).toBe("3.1.0");
	});

	it("names every call once, and tells each status that its codes have", () => {
		const ids = endpoints.map(({ spec }) => spec.operationId);
		expect(new Set(ids).size).toBe(ids.length);
		for (const { spec } of endpoints) {
			const operation = document.paths[spec.path][spec.method];
			expect(operation.operationId).toBe(spec.operationId);
			for (const code of spec.refusals) {
				expect(operation.responses[publicErrors[code].status].description).toContain(`\`${code}\``);
			}
		}
	});

	it("refers to nothing that it doesn't hold", () => {
		const names = new Set(Object.keys(document.components.schemas));
		const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
		expect(referred.length).toBeGreaterThan(100);
		for (const [, name = ""] of referred) expect(names).toContain(name);
	});
});

describe("/docs", () => {
	it("is a page that loads nothing from elsewhere", async () => {
		const world = new World();
		const page = await world.get("/docs");
		expect(page.status).toBe(200);
		expect(page.headers.get("Content-Type")).toMatch(/^text\/html/);
		const policy = page.headers.get("Content-Security-Policy") ?? "";
		expect(policy).toContain("default-src 'none'; script-src 'self'");
		expect(policy).not.toMatch(/https?:|script-src[^;]*unsafe/);
		expect(page.text).not.toMatch(/https?:\/\/|<script>|onload=/);
		const start = await world.get("/docs/start.js");
		expect([start.status, start.headers.get("Content-Type")]).toEqual([
			200,
			"text/javascript; charset=utf-8",
		]);
		expect(start.headers.get("X-Content-Type-Options")).toBe("nosniff");
	});
});

describe("/healthz", () => {
	it("is alive without the store, and ready only with it", async () => {
		const world = new World({
			probe: async () => ({ kind: "unfit", why: "The store ignores If-None-Match" }),
		});
		expect((await world.get("/healthz")).body).toEqual({ status: "ok" });
		const unfit = await world.get("/healthz?ready=1");
		expect([unfit.status, unfit.body.code, unfit.body.detail]).toEqual([
			503,
			"storage_unavailable",
			"The store ignores If-None-Match",
		]);
		const fit = new World({ probe: async () => ({ kind: "ready" }) });
		expect((await fit.get("/healthz?ready=1")).status).toBe(200);
	});
});

describe("addresses that don't exist", () => {
	it.each([
		"/",
		"/v1",
		"/v1/",
		"/v1/nonsense",
		"/v1/sessions/s/nonsense",
		"/v1/sessions/",
		"/v2/sessions",
		"/docs/x",
	])("%s: 404 in problem+json", async (path) => {
		const world = new World();
		for (const method of ["GET", "POST", "OPTIONS"]) {
			const reply = await world.call(method, path);
			expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
			expect(reply.headers.get("Content-Type")).toBe("application/problem+json");
		}
		expect((await world.call("HEAD", path)).status).toBe(404);
	});

	it("other methods on the service's own pages are 405", async () => {
		const world = new World();
		for (const path of ["/healthz", "/openapi.json", "/docs"]) {
			const reply = await world.call("POST", path);
			expect([reply.status, reply.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
		}
	});
});

describe("CORS", () => {
	const page = "https://chat.example";
	const preflight = (world: World, origin: string) =>
		world.call("OPTIONS", "/v1/sessions", undefined, {
			Origin: origin,
			"Access-Control-Request-Method": "POST",
			"Access-Control-Request-Headers": "authorization,content-type",
		});

	it("listed origins may call and read our headers, preflights need no credentials", async () => {
		const world = new World({
			config: { corsOrigins: [page] },
			authenticate: () => ({ kind: "refused", code: "unauthorized", detail: "No token" }),
		});
		const before = await preflight(world, page);
		expect(before.status).toBe(204);
		expect(before.headers.get("Access-Control-Allow-Origin")).toBe(page);
		expect(before.headers.get("Access-Control-Allow-Methods")).toContain("PATCH");
		expect(before.headers.get("Access-Control-Allow-Headers")?.toLowerCase()).toMatch(
			/authorization.*idempotency-key.*if-match/,
		);
		const reply = await world.get("/v1/sessions/x", { Origin: page });
		expect(reply.status).toBe(401);
		expect(reply.headers.get("Access-Control-Allow-Origin")).toBe(page);
		expect(reply.headers.get("Vary")).toContain("Origin");
		for (const name of ["ETag", "Location", "Retry-After", "Idempotency-Replayed", "Server-Timing"]) {
			expect(reply.headers.get("Access-Control-Expose-Headers")?.split(",")).toContain(name);
		}
	});

	it("others may not", async () => {
		for (const world of [new World({ config: { corsOrigins: [page] } }), new World()]) {
			for (const origin of ["https://other.example", `${page}.other.example`, "null"]) {
				const before = await preflight(world, origin);
				expect(before.headers.get("Access-Control-Allow-Origin")).toBeNull();
				const reply = await world.get("/v1/sessions/x", { Origin: origin });
				expect(reply.headers.get("Access-Control-Allow-Origin")).toBeNull();
			}
		}
		const open = new World({ config: { corsOrigins: ["*"] } });
		expect((await preflight(open, page)).headers.get("Access-Control-Allow-Origin")).toBe("*");
	});
});

describe("compression", () => {
	it("large answers are compressed where the client accepts it", async () => {
		const world = new World({ config: { compress: true } });
		const session = await world.session([user("x".repeat(50_000))]);
		for (const tail of ["/branch", "/context", "/export"]) {
			const plain = await world.send("GET", session + tail);
			expect(plain.headers.get("Content-Encoding")).toBeNull();
			const packed = await world.send("GET", session + tail, { headers: { "Accept-Encoding": "gzip, br" } });
			expect(packed.headers.get("Content-Encoding")).toBe("gzip");
			expect(packed.headers.get("ETag")).toBe(plain.headers.get("ETag"));
			expect(packed.headers.get("Vary")).toContain("Accept-Encoding");
			const bytes = new Uint8Array(await packed.arrayBuffer());
			expect(bytes.length).toBeLessThan(5000);
			expect(new TextDecoder().decode(gunzipSync(bytes))).toBe(await plain.text());
		}
	});
});

describe("request ids", () => {
	it("a sound one is taken over, another is replaced", async () => {
		const world = new World();
		const reply = await world.get("/v1/sessions/x", { "X-Request-Id": "abc-123" });
		expect(reply.headers.get("X-Request-Id")).toBe("abc-123");
		expect(reply.body.requestId).toBe("abc-123");
		const other = await world.get("/v1/sessions/x", { "X-Request-Id": '"}{"x' });
		expect(other.headers.get("X-Request-Id")).toMatch(/^[0-9a-f]{32}$/);
	});
});

describe("a store that fails", () => {
	const broken =
		(how: { down: boolean }) =>
		(store: ObjectStore): ObjectStore => {
			const fail = () => Promise.reject(new StoreUnavailable("secret host name"));
			return {
				put: (key, bytes, options) =>
					how.down ? Promise.resolve({ kind: "unknown", cause: "secret" }) : store.put(key, bytes, options),
				get: (key, options) => (how.down ? fail() : store.get(key, options)),
				list: (prefix, options) => (how.down ? fail() : store.list(prefix, options)),
				delete: (keys) => (how.down ? fail() : store.delete(keys)),
			};
		};

	it("reads are 503 with Retry-After, and are well again after", async () => {
		const world = new World();
		const session = await world.session([user("a")]);
		const how = { down: true };
		const other = world.cold({ wrap: broken(how) });
		const reply = await other.get(`${session}/context`);
		expect([reply.status, reply.body.code]).toEqual([503, "storage_unavailable"]);
		expect(reply.headers.get("Retry-After")).toBe("2");
		expect(reply.text).not.toContain("secret");
		expect(other.lines[0]).toMatchObject({ status: 503, failure: { name: "StoreUnavailable" } });
		expect(JSON.stringify(other.lines)).not.toContain("secret");
		how.down = false;
		expect((await other.get(`${session}/context`)).status).toBe(200);
	});

	it("an object that doesn't verify is 500, whose key only the log line names", async () => {
		const world = new World();
		const session = await world.session([user("a")], { id: "s" });
		const garbled = (store: ObjectStore): ObjectStore => ({
			put: (key, bytes, options) => store.put(key, bytes, options),
			list: (prefix, options) => store.list(prefix, options),
			delete: (keys) => store.delete(keys),
			get: async (key, options) => {
				const outcome = await store.get(key, options);
				if (outcome.kind === "found") outcome.bytes.fill(0x20, 40, 60);
				return outcome;
			},
		});
		const other = world.cold({ wrap: garbled });
		const reply = await other.get(`${session}/context`);
		expect([reply.status, reply.body.code]).toEqual([500, "internal"]);
		expect(reply.text).not.toMatch(/jsonl|checksum|header/i);
		const [line] = other.lines;
		expect(line).toMatchObject({
			status: 500,
			failure: { name: "Corrupt", key: expect.stringMatching(/jsonl/) },
		});
	});

	it("a log line without a clue about what was said, for what nobody expected", async () => {
		const world = new World({
			authenticate: () => {
				throw new TypeError("token secret-token is odd");
			},
		});
		const reply = await world.get("/v1/sessions/x");
		expect([reply.status, reply.body.code]).toEqual([500, "internal"]);
		expect(world.lines[0]).toMatchObject({
			failure: { name: "TypeError", stack: expect.stringMatching(/^at /) },
		});
		expect(JSON.stringify([world.lines, reply.text])).not.toContain("secret-token");
	});
});
