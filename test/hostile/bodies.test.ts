import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { limits } from "../../schemas/limits.ts";
import { RawConnection } from "./raw.ts";
import { Server } from "./server.ts";

let server: Server;
beforeAll(async () => {
	server = await Server.start();
	await server.json("/v1/sessions", { id: "kept" });
}, 120_000);
afterAll(() => server.stop());

afterEach(async () => {
	expect(server.running).toBe(true);
	expect(server.lines().filter(({ status, failure }) => status === 500 || failure)).toEqual([]);
	const list = await (await fetch(`${server.url}/v1/sessions`)).json();
	expect(list).toMatchObject({ sessions: [{ id: "kept", seq: 0 }] });
});

const ndjson = "application/x-ndjson";
const calls = [
	["/v1/sessions", "application/json", limits.appendBytes],
	["/v1/sessions/kept/entries", "application/json", limits.appendBytes],
	["/v1/sessions/kept/fork", "application/json", limits.appendBytes],
	["/v1/sessions/import", ndjson, limits.importBytes],
] as const;

const head = (path: string, type: string, ...more: string[]) =>
	`${[`POST ${path} HTTP/1.1`, "Host: localhost", `Content-Type: ${type}`, ...more].join("\r\n")}\r\n\r\n`;

describe.each(calls)("%s", (path, type, most) => {
	it.each([most + 1, 2 ** 40, Number.MAX_SAFE_INTEGER])(
		"a length of %i: 413 before any of it",
		async (length) => {
			const connection = new RawConnection(server.port);
			await connection.send(head(path, type, `Content-Length: ${length}`));
			for (let tries = 0; tries < 200 && connection.statuses.length === 0; tries++) await sleep(20);
			expect(connection.statuses).toEqual([413]);
			expect(connection.text).toContain('"code":"payload_too_large"');
			await connection.closed;
		},
	);

	it("an endless body: 413 once the limit is passed, then the end", async () => {
		const connection = new RawConnection(server.port);
		const chunk = Buffer.concat([Buffer.from("40000\r\n"), Buffer.alloc(0x40000, 0x20), Buffer.from("\r\n")]);
		let over = false;
		connection.closed.then(() => {
			over = true;
		});
		await connection.send(head(path, type, "Transfer-Encoding: chunked"));
		let sent = 0;
		for (; !over && sent < 40 * most; sent += 0x40000)
			await Promise.race([connection.send(chunk), connection.closed]);
		expect(connection.statuses).toEqual([413]);
		// What it takes besides is what the system's buffers hold, and what is thrown away until the end.
		expect(sent).toBeLessThan(most + 128 * 1024 * 1024);
		connection.end();
	}, 60_000);

	it("compressed, however: 415, and what is accepted is told", async () => {
		const bomb = Buffer.alloc(16 * 1024 * 1024, 0x20);
		for (const [coding, bytes] of [
			["gzip", gzipSync(bomb)],
			["x-gzip", gzipSync(bomb)],
			["deflate", deflateSync(bomb)],
			["br", brotliCompressSync(bomb)],
			["zstd", zstdCompressSync(bomb)],
			["gzip, gzip", gzipSync(gzipSync(bomb))],
			["identity, gzip", gzipSync("{}")],
			["nonsense", Buffer.from("{}")],
		] as const) {
			const headers = { "Content-Type": type, "Content-Encoding": coding };
			const refusal = await server.refusal(path, new Uint8Array(bytes), headers);
			expect(refusal).toMatchObject({ status: 415, code: "unsupported_media_type" });
			expect(refusal.headers.get("Accept-Encoding")).toBe("identity");
		}
	});

	it("compressed without saying so, or no text: 400 or 422", async () => {
		for (const bytes of [
			gzipSync("{}"),
			randomBytes(100_000),
			Buffer.alloc(100_000),
			Buffer.from("\xff\xfe{\0}\0", "latin1"),
		]) {
			const answer = await server.post(path, new Uint8Array(bytes), { "Content-Type": type });
			expect(answer.status).toBe(type === ndjson ? 422 : 400);
		}
	});

	it("`identity` is no compression", async () => {
		const answer = await server.post(path, "]", { "Content-Type": type, "Content-Encoding": "identity" });
		expect(answer.status).toBe(type === ndjson ? 422 : 400);
	});
});

describe("answers", () => {
	it.each(["gzip;q=1e999", `${"gzip, ".repeat(2000)}br`, "*;q=0", "\u00ff", "gzip;q=0, identity;q=0"])(
		"accepting %s: answered",
		async (coding) => {
			const answer = await fetch(`${server.url}/openapi.json`, { headers: { "Accept-Encoding": coding } });
			expect(answer.status).toBe(200);
			expect(await answer.json()).toMatchObject({ openapi: "3.1.0" });
		},
	);
});

describe("a body in a million chunks of one byte", () => {
	it("takes no more memory than its bytes do, and somebody else is served meanwhile", async () => {
		const fresh = await Server.start();
		onTestFinished(() => fresh.stop());
		await fresh.json("/v1/sessions", { id: "kept" });
		const before = fresh.peakMemory();
		const connection = new RawConnection(fresh.port);
		await connection.send(
			head("/v1/sessions/kept/entries", "application/json", "Transfer-Encoding: chunked"),
		);
		const piece = Buffer.from("1\r\n \r\n".repeat(50_000));
		for (let at = 0; at < 20; at++) await connection.send(piece);
		expect((await fetch(`${fresh.url}/v1/sessions/kept`)).status).toBe(200);
		await connection.send("2\r\n[]\r\n0\r\n\r\n");
		for (let tries = 0; tries < 5000 && connection.statuses.length === 0; tries++) await sleep(20);
		expect(connection.statuses).toEqual([400]);
		connection.end();
		// A list of the chunks would be larger.
		expect(fresh.peakMemory() - before).toBeLessThan(100);
	}, 180_000);
});
