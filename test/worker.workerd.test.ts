/// <reference types="@cloudflare/vitest-plugin/types" />
import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, it, vi } from "vitest";
import worker from "../src/worker.ts";
import { appOf } from "../src/worker-app.ts";
import { miniflareS3 } from "./store/miniflare-s3-settings.ts";

const creation = {
	method: "POST",
	headers: { "Content-Type": "application/json" },
	body: JSON.stringify({ id: "first", name: "From the Worker" }),
};

/** Asks the deployed Worker as somebody who reached it under this host name. */
function ask(path: string, init?: RequestInit<IncomingRequestCfProperties>, host = "localhost") {
	const request = new Request<unknown, IncomingRequestCfProperties>(`http://${host}${path}`, init);
	return worker.fetch(request, env, createExecutionContext());
}

beforeEach(() => {
	vi.spyOn(console, "log").mockImplementation(() => {});
});

describe("Worker", () => {
	it("asked whether it is ready: it is, its bucket refuses second creations", async () => {
		const answer = await ask("/healthz?ready=1");
		expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
	});

	it("a session that was created: read again, the work on the bucket told", async () => {
		const created = await ask("/v1/sessions", creation);
		expect(created.status).toBe(201);
		expect(created.headers.get("Server-Timing")).toMatch(/put;desc="\d+";dur=.*bytes-written;desc="\d{2,}"/);
		const read = await ask("/v1/sessions/first");
		expect(await read.json()).toMatchObject({ id: "first", name: "From the Worker", seq: 1 });
	});

	it("reached from elsewhere without credentials configured: nobody is let in", async () => {
		const answer = await ask("/v1/sessions/first", {}, "leaflog.example");
		expect([answer.status, await answer.json()]).toMatchObject([501, { code: "not_configured" }]);
	});

	it("deployed without credentials: nobody is let in, whatever host name they come with", async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		const { DEVELOPMENT: _, ...bindings } = env as Cloudflare.Env & { DEVELOPMENT: string };
		for (const DEVELOPMENT of [undefined, "", "false"]) {
			const deployed = appOf({ ...bindings, DEVELOPMENT } as Cloudflare.Env);
			for (const host of ["localhost", "127.0.0.1", "[::1]", "localhost:8787", "leaflog.example"]) {
				const answer = await deployed.fetch(new Request(`http://${host}/v1/sessions`, creation));
				expect([host, answer.status, await answer.json()]).toMatchObject([
					host,
					501,
					{ code: "not_configured" },
				]);
			}
		}
	});

	it("credentials that make no sense: nobody is let in, by no name", async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		for (const variables of [{ API_KEYS: "{" }, { JWT_ALGORITHMS: "HS256" }, { JWT_ISSUER: "i" }]) {
			const app = appOf({ ...env, ...variables } as Cloudflare.Env);
			expect((await app.fetch(new Request("http://localhost/v1/sessions"))).status).toBe(501);
		}
	});

	it("woken by its schedule: sweeps the bucket, and writes down what it did", async () => {
		await ask("/v1/sessions", { ...creation, body: JSON.stringify({ id: "ended" }) });
		expect((await ask("/v1/sessions/ended", { method: "DELETE" })).status).toBe(204);
		const lines = vi.spyOn(console, "log").mockImplementation(() => {});
		await worker.scheduled(createScheduledController(), env);
		expect(JSON.parse(String(lines.mock.lastCall?.[0]))).toMatchObject({
			sweep: { done: true, waiting: 1, purged: 0, problems: [] },
		});
	});

	it("configured for S3: that is where sessions are", async () => {
		const { bucket, region, accessKeyId, secretAccessKey } = miniflareS3;
		const app = appOf({
			...env,
			STORE: "s3",
			S3_ENDPOINT: inject("s3Endpoint"),
			S3_BUCKET: bucket,
			S3_REGION: region,
			S3_ACCESS_KEY_ID: accessKeyId,
			S3_SECRET_ACCESS_KEY: secretAccessKey,
		} as Cloudflare.Env);
		const status = async (path: string, init?: RequestInit) =>
			(await app.fetch(new Request(`http://localhost${path}`, init))).status;
		expect(await status("/healthz?ready=1")).toBe(200);
		expect(await status("/v1/sessions", creation)).toBe(201);
		expect(await status("/v1/sessions/first")).toBe(200);
	});

	it("configured wrongly: nobody is served, and the variable is named", async () => {
		const written = vi.spyOn(console, "error").mockImplementation(() => {});
		for (const [variables, name] of [
			[{ STORE: "disk" }, "STORE"],
			[{ STORE: "s3" }, "S3_BUCKET"],
			[{ BUCKET: undefined }, "BUCKET"],
		] as const) {
			const app = appOf({ ...env, ...variables } as Cloudflare.Env);
			const session = await app.fetch(new Request("http://localhost/v1/sessions/first"));
			expect([session.status, await session.json()]).toMatchObject([501, { code: "not_configured" }]);
			const health = await app.fetch(new Request("http://localhost/healthz?ready=1"));
			expect([health.status, await health.json()]).toMatchObject([
				503,
				{ detail: expect.stringContaining(name) },
			]);
			expect(written.mock.lastCall?.[0]).toContain(`\n${name}: `);
		}
	});
});
