/// <reference types="@cloudflare/vitest-plugin/types" />
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "../../schemas/limits.ts";
import { appOf, type WorkerApp } from "../../src/worker-app.ts";

let app: WorkerApp;
const lines: { status: number; failure?: unknown }[] = [];

beforeEach(async () => {
	lines.length = 0;
	vi.spyOn(console, "log").mockImplementation((line) => lines.push(JSON.parse(String(line))));
	app = appOf({ ...env, DEVELOPMENT: "true" } as Cloudflare.Env);
	await send("/v1/sessions", '{"id":"kept"}');
});

async function send(path: string, body: BodyInit | null, headers: Record<string, string> = {}) {
	const request = new Request(`http://localhost${path}`, {
		method: "POST",
		headers: { "Content-Type": "application/json", ...headers },
		body,
	});
	const answer = await app.fetch(request, env, createExecutionContext());
	return { status: answer.status, body: (await answer.json()) as { code?: string; id?: string } };
}

/** The session is as it was, and no failure was written down. */
async function expectNothingStored() {
	const request = new Request("http://localhost/v1/sessions?limit=200");
	const answer = await app.fetch(request, env, createExecutionContext());
	expect(await answer.json()).toMatchObject({ sessions: [{ id: "kept", seq: 0 }] });
	expect(lines.filter(({ status, failure }) => status >= 500 || failure)).toEqual([]);
}

const calls = [
	["/v1/sessions", "application/json", limits.appendBytes],
	["/v1/sessions/kept/entries", "application/json", limits.appendBytes],
	["/v1/sessions/import", "application/x-ndjson", limits.importBytes],
] as const;

describe.each(calls)("%s in workerd", (path, type, most) => {
	it("an endless body: 413, not read to its end", async () => {
		let pulled = 0;
		const endless = new ReadableStream<Uint8Array>({
			pull(controller) {
				pulled++;
				controller.enqueue(new Uint8Array(256 * 1024).fill(0x20));
			},
		});
		expect(await send(path, endless, { "Content-Type": type })).toMatchObject({
			status: 413,
			body: { code: "payload_too_large" },
		});
		expect(pulled).toBeLessThan(most / (256 * 1024) + 10);
		await expectNothingStored();
	});

	it("one byte more than is allowed: 413", async () => {
		const body = new Uint8Array(most + 1).fill(0x20);
		expect((await send(path, body, { "Content-Type": type })).status).toBe(413);
		await expectNothingStored();
	});

	it("a compressed body: 415, however small", async () => {
		const bomb = new Blob([new Uint8Array(16 * 1024 * 1024)]).stream();
		const packed = await new Response(bomb.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
		const refusal = await send(path, packed, { "Content-Type": type, "Content-Encoding": "gzip" });
		expect(refusal).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
		await expectNothingStored();
	});

	it.each([limits.jsonDepth + 1, 100_000, 2_000_000])("JSON %i deep: refused", async (levels) => {
		const line = `{"type":"custom","id":"a","customType":"x","data":${"[".repeat(levels)}${"]".repeat(levels)}}`;
		const refusal = await send(path, line.slice(0, most), { "Content-Type": type });
		expect(refusal.status).toBe(type === "application/x-ndjson" ? refusal.status : 400);
		expect([400, 413, 422]).toContain(refusal.status);
		await expectNothingStored();
	});

	it("a body that breaks off: 400, and no failure", async () => {
		const broken = new ReadableStream<Uint8Array>({
			start(controller) {
				controller.enqueue(new TextEncoder().encode('{"id":"half"'));
			},
			pull(controller) {
				controller.error(new Error("the client is gone"));
			},
		});
		expect((await send(path, broken, { "Content-Type": type })).status).toBe(400);
		await expectNothingStored();
	});
});
