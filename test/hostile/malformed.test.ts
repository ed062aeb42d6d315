import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { limits, serverLimits } from "../../schemas/limits.ts";
import { RawConnection } from "./raw.ts";
import { Server } from "./server.ts";

let server: Server;
beforeAll(async () => {
	server = await Server.start({ REQUEST_SECONDS: "5", HEADERS_SECONDS: "2" });
	await server.json("/v1/sessions", { id: "kept", name: "as it was" });
}, 120_000);
afterAll(() => server.stop());

/** Whatever was sent: the process lives, nobody was answered 500, others are served, and nothing was stored. */
afterEach(async () => {
	expect(server.running).toBe(true);
	expect(server.lines().filter(({ status }) => status === 500)).toEqual([]);
	const list = await (await fetch(`${server.url}/v1/sessions`)).json();
	expect(list).toMatchObject({ sessions: [{ id: "kept", name: "as it was", seq: 1 }] });
});

/** What is answered to these bytes, up to where the server ends the connection. */
async function answerTo(bytes: string | Uint8Array): Promise<RawConnection> {
	const connection = new RawConnection(server.port);
	await connection.send(bytes);
	await connection.closed;
	connection.end();
	return connection;
}

const head = (line: string, ...headers: string[]) =>
	`${[line, "Host: localhost", "Connection: close", ...headers].join("\r\n")}\r\n\r\n`;
const post = (...headers: string[]) =>
	head("POST /v1/sessions HTTP/1.1", "Content-Type: application/json", ...headers);

describe("what is no HTTP request", () => {
	it.each([
		["no request at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS hello\r\n\r\n", 400],
		["another protocol's version", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", 400],
		["an unknown method", head("STEAL /v1/sessions HTTP/1.1"), 400],
		["no host", "GET /v1/sessions HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
		["a host that is none", "GET /v1/sessions HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n", 400],
		["NUL in the address", head("GET /v1/sessions/a\0b HTTP/1.1"), 400],
		["NUL in a header", head("GET /v1/sessions HTTP/1.1", "X-A: a\0b"), 400],
		["a line feed in a header's name", head("GET /v1/sessions HTTP/1.1", "X-A\n: b"), 400],
		["a space before the colon", head("GET /v1/sessions HTTP/1.1", "X-A : b"), 400],
		["a header that goes on in a second line", head("GET /v1/sessions HTTP/1.1", "X-A: b", " c"), 400],
		["two lengths", `${post("Content-Length: 2", "Content-Length: 3")}{}`, 400],
		["length and chunks", `${post("Content-Length: 2", "Transfer-Encoding: chunked")}0\r\n\r\n`, 400],
		["a negative length", post("Content-Length: -1"), 400],
		["a length that is no number", `${post("Content-Length: 2, 2")}{}`, 400],
		["an unknown transfer coding last", `${post("Transfer-Encoding: chunked, gzip")}0\r\n\r\n`, 400],
		["a chunk without a size", `${post("Transfer-Encoding: chunked")}zz\r\n{}\r\n0\r\n\r\n`, 400],
		["a chunk longer than it says", `${post("Transfer-Encoding: chunked")}1\r\n{}\r\n0\r\n\r\n`, 400],
		[
			"chunks with long extensions",
			`${post("Transfer-Encoding: chunked")}2;${"x".repeat(30_000)}\r\n{}\r\n0\r\n\r\n`,
			413,
		],
		["a header beyond all bounds", head("GET /v1/sessions HTTP/1.1", `X-A: ${"a".repeat(100_000)}`), 431],
		["an endless address", head(`GET /v1/sessions/${"a".repeat(100_000)} HTTP/1.1`), 431],
		[
			"10,000 headers",
			head("GET /v1/sessions HTTP/1.1", ...Array.from({ length: 10_000 }, (_, n) => `X-${n}: ${n}`)),
			431,
		],
	])("%s: refused in problem+json, and the connection ends", async (_, bytes, status) => {
		const { statuses, text } = await answerTo(bytes);
		expect(statuses).toEqual([status]);
		// Node itself judges a missing host.
		if (text.includes("application/problem+json")) {
			const body = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));
			expect(body).toMatchObject({ status, requestId: expect.stringMatching(/^[\w-]{32,36}$/) });
		} else expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
	});

	it("as many headers as fit: none is lost", async () => {
		const many = Array.from({ length: 2200 }, (_, n) => `${n}:`);
		const bytes = head("GET /v1/sessions/kept HTTP/1.1", ...many, "If-None-Match: *");
		expect(bytes.length).toBeLessThan(serverLimits.headerBytes);
		expect((await answerTo(bytes)).statuses).toEqual([304]);
	});

	it("500 texts of any bytes, and requests with bytes changed: a clear answer or the end", async () => {
		const line = "POST /v1/sessions/kept/entries HTTP/1.1";
		const headers = ["Content-Type: application/json", "Content-Length: 2", "Idempotency-Key: k"];
		const sound = Buffer.from(`${head(line, ...headers)}[]`);
		const changed = fc
			.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
			.map((changes) => {
				const bytes = Buffer.from(sound);
				for (const [at, byte] of changes) bytes[at] = byte;
				return bytes as Uint8Array;
			});
		const bytes = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 300 }), changed);
		await fc.assert(
			fc.asyncProperty(fc.array(bytes, { minLength: 25, maxLength: 25 }), async (all) => {
				const answers = await Promise.all(
					all.map(async (one) => {
						const connection = new RawConnection(server.port);
						await connection.send(one);
						// Where the server waits for more, it gets an end.
						connection.socket.end();
						await connection.closed;
						return connection.statuses;
					}),
				);
				for (const status of answers.flat()) expect([500, 503]).not.toContain(status);
			}),
			{ seed: 5, numRuns: 20, endOnFailure: true },
		);
	}, 60_000);
});

describe("connections", () => {
	it("requests one after the other without waiting, then garbage: nobody gets another answer than their own", async () => {
		const connection = new RawConnection(server.port);
		const get = "GET /v1/sessions/kept HTTP/1.1\r\nHost: localhost\r\n\r\n";
		await connection.send(`${get.repeat(3)}${"garbage ".repeat(100)}\r\n\r\n`);
		await connection.closed;
		// What is no request ends the connection, with whatever was not answered yet.
		expect(connection.statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
		expect(connection.statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(1);
	});

	it("closed on one side: ended, whatever was asked", async () => {
		const connection = new RawConnection(server.port);
		await connection.send("GET /v1/sessions/kept HTTP/1.1\r\nHost: localhost\r\n");
		connection.socket.end();
		await connection.closed;
		expect(connection.statuses.filter((status) => status !== 400)).toEqual([]);
	});

	it("broken off in the middle of a body: no failure in the log, nothing stored", async () => {
		const before = halves();
		for (let at = 0; at < 20; at++) {
			const connection = new RawConnection(server.port);
			await connection.send(`${post("Content-Length: 100000")}{"id":"half","cwd":"`);
			await sleep(10);
			connection.socket.resetAndDestroy();
		}
		for (let tries = 0; tries < 100 && halves() < before + 20; tries++) await sleep(50);
		expect(halves()).toBe(before + 20);
		expect(server.lines().filter((line) => line.failure !== undefined)).toEqual([]);
	});
	const halves = () =>
		server
			.lines()
			.filter(({ route, method, status }) => `${method} ${route} ${status}` === "POST /v1/sessions 400")
			.length;

	it("upgrades, tunnels and other hosts' addresses lead nowhere", async () => {
		const upgrade = await answerTo(
			head("GET /v1/sessions/none HTTP/1.1", "Upgrade: websocket", "Sec-WebSocket-Key: dGVzdA=="),
		);
		expect(upgrade.statuses).toEqual([404]);
		expect((await answerTo(head("CONNECT elsewhere.example:443 HTTP/1.1"))).statuses).toEqual([]);
		const absolute = await answerTo(head("GET http://elsewhere.example/v1/sessions HTTP/1.1"));
		expect(absolute.statuses).toEqual([501]);
		expect((await answerTo(head("TRACE /v1/sessions HTTP/1.1"))).statuses).toEqual([405]);
	});
});

describe("addresses", () => {
	it.each([
		["/v1/sessions/%", 400],
		["/v1/sessions/%zz", 400],
		["/v1/sessions/%00", 400],
		["/v1/sessions/a%00b/entries", 400],
		["/v1/sessions/%ff%fe", 400],
		["/v1/sessions/%c0%ae", 400],
		["/v1/sessions/%ed%a0%80", 400],
		["/v1/sessions/a%2fb", 400],
		["/v1/sessions/%2e%2e", 404],
		["/v1/sessions/..%5c..", 400],
		["/v1/sessions?q=%ff", 400],
		["/v1/sessions?cursor=%00", 400],
		["/v1/sessions?limit=1e9", 400],
		["/v1/sessions?limit=1&limit=2", 400],
		["/v1/sessions?__proto__=1", 400],
		["//v1/sessions", 404],
		["/v1/sessions/\\..\\..", 400],
		["/app/assets/../../package.json", 404],
		["/app/assets/%2e%2e/%2e%2e/package.json", 404],
		["/docs-assets/..%2f..%2fpackage.json", 404],
		["/docs-assets/%00", 404],
		["/docs-assets/%ff", 400],
	])("%s: %i in problem+json", async (path, status) => {
		const { statuses, text } = await answerTo(head(`GET ${path} HTTP/1.1`));
		expect(statuses).toEqual([status]);
		expect(text).toMatch(/^content-type: application\/problem\+json\r$/im);
		expect(text).not.toMatch(/node_modules|\/src\/|at .*\.ts/);
	});
});

describe("JSON that is deep", () => {
	const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

	it.each([limits.jsonDepth + 1, 10_000, 100_000, 4_000_000])(
		"%i levels: 400",
		async (levels) => {
			for (const body of [
				`{"type":"custom","customType":"deep","data":${deep(levels - 1)}}`,
				`{"metadata":${deep(levels - 1)}}`,
				"[".repeat(levels),
				'{"a":'.repeat(Math.min(levels, 1_000_000)),
			]) {
				for (const path of ["/v1/sessions", "/v1/sessions/kept/entries"]) {
					const refusal = await server.refusal(path, body);
					expect(refusal).toMatchObject({ status: 400, code: "invalid_request" });
				}
			}
		},
		60_000,
	);

	it("deep lines of a file: told with their number, nothing stored", async () => {
		const header =
			'{"type":"session","version":3,"id":"deep","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}';
		for (const levels of [limits.jsonDepth, 100_000]) {
			const line = `{"type":"custom","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","customType":"x","data":${deep(levels)}}`;
			const refusal = await server.refusal("/v1/sessions/import", `${header}\n${line}\n`, {
				"Content-Type": "application/x-ndjson",
			});
			expect(refusal).toMatchObject({ status: 422, first: { line: 2 } });
		}
	});
});
