import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type S3Server, startMiniflareS3 } from "../store/miniflare-s3.ts";
import { miniflareS3 } from "../store/miniflare-s3-settings.ts";
import { startCarelessS3 } from "./careless-s3.ts";
import { freePort, Service } from "./service.ts";

let s3: S3Server;
beforeAll(async () => {
	s3 = await startMiniflareS3();
}, 60_000);
afterAll(() => s3.stop());

const services: Service[] = [];
afterEach(() => {
	for (const service of services.splice(0)) service.destroy();
});

async function serving(environment: Record<string, string> = {}, script = "start:node"): Promise<Service> {
	const service = new Service(script, await freePort(), {
		S3_ENDPOINT: s3.endpoint,
		S3_BUCKET: miniflareS3.bucket,
		S3_REGION: miniflareS3.region,
		S3_ACCESS_KEY_ID: miniflareS3.accessKeyId,
		S3_SECRET_ACCESS_KEY: miniflareS3.secretAccessKey,
		...environment,
	});
	services.push(service);
	return service;
}

describe("npm run start:node", () => {
	it("two instances on one bucket: one sees what the other wrote, and SIGTERM ends them well", async () => {
		const [one, other] = await Promise.all([serving(), serving()]);
		await Promise.all([one.ready(), other.ready()]);
		await one.json("/v1/sessions", { method: "POST", body: { id: "shared", name: "one" } });
		expect(await other.json("/v1/sessions/shared")).toMatchObject({ name: "one", seq: 1 });
		await other.rename("shared", "two");
		expect(await one.json("/v1/sessions/shared")).toMatchObject({ name: "two", seq: 2 });
		const style = await fetch(`${one.url}/docs-assets/swagger-ui.css`);
		expect([style.status, style.headers.get("Content-Type")]).toEqual([200, "text/css; charset=utf-8"]);
		expect((await fetch(`${one.url}/docs-assets/%2e%2e/%2e%2e/package.json`)).status).toBe(404);
		for (const service of [one, other]) service.process.kill("SIGTERM");
		expect(await Promise.all([one.exited, other.exited])).toEqual([0, 0]);
	}, 180_000);

	it("npm run sweep: goes through the bucket, and ends well with a report", async () => {
		const sweep = await serving({}, "sweep");
		expect([await sweep.exited, sweep.output]).toEqual([0, expect.stringContaining('"done":true')]);
	}, 60_000);

	it("a variable missing: ends at once and names it, and no secret", async () => {
		const service = await serving({ S3_BUCKET: "" });
		expect(await service.exited).toBe(1);
		expect(service.output).toContain("S3_BUCKET: is required with STORE=s3");
		expect(service.output).not.toContain(miniflareS3.secretAccessKey);
	}, 60_000);

	it("a store that ignores If-None-Match: refused with the reason, and left as it was", async () => {
		const careless = await startCarelessS3();
		const service = await serving({ S3_ENDPOINT: careless.endpoint, S3_BUCKET: "bucket" });
		expect(await service.exited).toBe(1);
		expect(service.output).toContain("ignores If-None-Match");
		expect(careless.keys()).toEqual([]);
		careless.stop();
	}, 60_000);

	it("listening for the world without credentials: lets nobody in, whatever host they name", async () => {
		const service = await (await serving({ HOST: "0.0.0.0" })).ready();
		const answer = await fetch(`${service.url}/v1/sessions/shared`);
		expect([answer.status, await answer.json()]).toMatchObject([501, { code: "not_configured" }]);
		service.process.kill("SIGTERM");
		expect(await service.exited).toBe(0);
	}, 120_000);
});
