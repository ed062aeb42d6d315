import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { RawConnection } from "./raw.ts";
import { Server } from "./server.ts";

let server: Server;
beforeAll(async () => {
	server = await Server.start({ HEADERS_SECONDS: "1", REQUEST_SECONDS: "3" });
	await server.json("/v1/sessions", { id: "kept" });
}, 120_000);
afterAll(() => server.stop());

const trickling: RawConnection[] = [];
afterEach(() => {
	for (const connection of trickling.splice(0)) connection.end();
});

/** Sends one byte of the text now and then, until the server ends it. */
async function trickle(before: string, text: string): Promise<RawConnection> {
	const connection = new RawConnection(server.port);
	trickling.push(connection);
	let over = false;
	connection.closed.then(() => {
		over = true;
	});
	await connection.send(before);
	for (const byte of text) {
		if (over) break;
		await connection.send(byte);
		await Promise.race([sleep(100), connection.closed]);
	}
	await connection.closed;
	return connection;
}

const json = "Host: localhost\r\nContent-Type: application/json\r\n";
const long = `{"id":"slow","cwd":"/${"x".repeat(10_000)}"}`;

describe("requests that come one byte now and then", () => {
	it.each([
		["an address", "", `GET /v1/sessions/${"a".repeat(5000)}`],
		["headers", "GET /v1/sessions/kept HTTP/1.1\r\nHost: localhost\r\n", `X-A: ${"a".repeat(5000)}`],
		["a body", `POST /v1/sessions HTTP/1.1\r\n${json}Content-Length: ${long.length}\r\n\r\n`, long],
		[
			"chunks",
			`POST /v1/sessions HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n`,
			"1\r\n \r\n".repeat(2000),
		],
		[
			"a file",
			"POST /v1/sessions/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 9999\r\n\r\n",
			long,
		],
	])(
		"%s: 408 in problem+json, and the end",
		async (_, before, text) => {
			const connection = await trickle(before, text);
			expect(connection.statuses).toEqual([408]);
			expect(connection.text).toContain('"code":"request_timeout"');
			expect((await fetch(`${server.url}/v1/sessions/slow`)).status).toBe(404);
		},
		60_000,
	);

	it("nothing at all after connecting: the end", async () => {
		const connection = new RawConnection(server.port);
		await connection.closed;
		expect(connection.statuses).toEqual([408]);
	}, 60_000);

	it("200 of them at once: a client beside them is served, file imports too", async () => {
		const start = `POST /v1/sessions/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 9999\r\n\r\n`;
		const all = Promise.all(Array.from({ length: 200 }, () => trickle(start, long)));
		await sleep(300);
		const file =
			'{"type":"session","version":3,"id":"beside","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n';
		const imported = await server.post("/v1/sessions/import", file, {
			"Content-Type": "application/x-ndjson",
		});
		expect(imported.status).toBe(201);
		await server.json("/v1/sessions/kept/entries", { type: "custom", customType: "beside" });
		for (const connection of await all) expect(connection.statuses).toEqual([408]);
	}, 60_000);

	it("none of it was a failure of the service", () => {
		expect(server.running).toBe(true);
		expect(server.lines().filter(({ status, failure }) => status >= 500 || failure)).toEqual([]);
	});
});
