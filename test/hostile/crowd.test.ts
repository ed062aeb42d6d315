import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { limits, serverLimits } from "../../schemas/limits.ts";
import { RawConnection } from "./raw.ts";
import { Server } from "./server.ts";

/** MiB that the process may take at most, whatever comes. docs/limits.md says what was measured. */
const most = 1024;
const crowd = 500;

let server: Server;
beforeAll(async () => {
	server = await Server.start({ MAX_CONNECTIONS: "1000" });
	await server.json("/v1/sessions", { id: "mine" });
	await server.json("/v1/sessions", { id: "large" });
	const message = { type: "message", message: { role: "user", content: "x".repeat(7000) } };
	const entries = Array.from({ length: 1000 }, () => message);
	for (let at = 0; at < 4; at++) await server.json("/v1/sessions/large/entries", { entries });
}, 120_000);
afterAll(() => server.stop());

let connections: RawConnection[] = [];
afterEach(() => {
	for (const connection of connections.splice(0)) connection.end();
});

function connect(count = crowd): RawConnection[] {
	connections = Array.from({ length: count }, () => new RawConnection(server.port));
	return connections;
}

let said = 0;

/** A client that behaves: 20 times it appends, and reads what it appended. All of it must be answered. */
async function served(): Promise<number> {
	let answers = 0;
	for (let round = 0; round < 20; round++) {
		const content = `sentence ${++said}`;
		await server.json("/v1/sessions/mine/entries", { type: "message", message: { role: "user", content } });
		const read = await fetch(`${server.url}/v1/sessions/mine/branch?limit=1`);
		expect(await read.text()).toContain(content);
		answers += 2;
	}
	return answers;
}

/** How often each status was answered to the crowd. */
function statuses(): Record<number, number> {
	const counts: Record<number, number> = {};
	for (const status of connections.flatMap((one) => one.statuses)) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

function report(what: string): void {
	console.log(`${what}: peak ${server.peakMemory()} MiB; answers ${JSON.stringify(statuses())}`);
	expect(server.peakMemory()).toBeLessThan(most);
	expect(server.running).toBe(true);
	expect(server.lines().filter(({ status }) => status === 500)).toEqual([]);
}

const post = (path: string, length: number, type = "application/json") =>
	`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
const get = (path: string, ...headers: string[]) =>
	`${[`GET ${path} HTTP/1.1`, "Host: localhost", ...headers].join("\r\n")}\r\n\r\n`;

describe(`${crowd} connections at once`, () => {
	it("that say nothing", async () => {
		connect();
		expect(await served()).toBe(40);
		report("idle");
	}, 60_000);

	it("that upload 8 MiB each and stop before the end", async () => {
		const body = Buffer.alloc(limits.appendBytes - 1, 0x20);
		for (const connection of connect()) {
			connection.send(post("/v1/sessions/large/entries", limits.appendBytes));
			connection.send(body);
		}
		expect(await served()).toBe(40);
		await sleep(12_000);
		expect(await served()).toBe(40);
		// Half of the memory for bodies is for one namespace.
		const places = serverLimits.heldBodyBytes / 2 / limits.appendBytes;
		expect(statuses()).toEqual({ 503: crowd - places });
		report("8 MiB, unfinished");
	}, 60_000);

	it("that import 32 MiB each", async () => {
		const body = Buffer.alloc(limits.importBytes - 1, 0x20);
		for (const connection of connect()) {
			connection.send(post("/v1/sessions/import", limits.importBytes, "application/x-ndjson"));
			connection.send(body);
		}
		expect(await served()).toBe(40);
		await sleep(12_000);
		const places = serverLimits.heldBodyBytes / 2 / limits.importBytes;
		expect(statuses()).toEqual({ 503: crowd - places });
		report("32 MiB imports");
	}, 90_000);

	it("that ask for 7 MB each and read none of it", async () => {
		for (const connection of connect()) {
			connection.socket.pause();
			connection.send(get("/v1/sessions/large/entries?limit=1000"));
		}
		expect(await served()).toBe(40);
		await sleep(12_000);
		expect(await served()).toBe(40);
		report("7 MB answers, unread");
	}, 60_000);

	it("that watch 28 MB from the start and read none of it", async () => {
		for (const connection of connect()) {
			connection.socket.pause();
			connection.send(get("/v1/sessions/large/events?after=0"));
		}
		expect(await served()).toBe(40);
		await sleep(5000);
		report("watchers, unread");
	}, 60_000);

	it("that watch and read: each is told of an entry, once", async () => {
		for (const connection of connect()) connection.send(get("/v1/sessions/mine/events"));
		const all = (condition: (one: RawConnection) => boolean) => connections.every(condition);
		for (let tries = 0; tries < 300 && !all((one) => one.text.includes("retry:")); tries++) await sleep(100);
		const content = "for everybody";
		await server.json("/v1/sessions/mine/entries", { type: "message", message: { role: "user", content } });
		for (let tries = 0; tries < 300 && !all((one) => one.text.includes(content)); tries++) await sleep(100);
		const told = connections.filter((one) => one.text.match(/event: entry/g)?.length === 1);
		expect(told).toHaveLength(crowd);
		report("watchers, reading");
	}, 90_000);
});

describe("60 connections at once", () => {
	it("that upload 8 MiB of JSON each, which is 160 MiB once parsed", async () => {
		const list = `[${"[],".repeat(1_390_000)}[]]`;
		const entry = `{"type":"custom","customType":"x","data":${list}}`;
		const body = Buffer.from(`{"entries":[${entry},${entry}],"unknown":1}`);
		expect(body.length).toBeLessThan(limits.appendBytes);
		for (const connection of connect(60)) {
			connection.send(post("/v1/sessions/large/entries", body.length));
			connection.send(body);
		}
		expect(await served()).toBe(40);
		for (let tries = 0; tries < 300 && connections.some((one) => one.statuses.length === 0); tries++) {
			await sleep(100);
		}
		expect(Object.keys(statuses()).map(Number)).not.toContain(500);
		report("8 MiB, unfolding");
	}, 90_000);
});

describe("more connections than are allowed", () => {
	it("are closed; those that are open are served", async () => {
		const agent = new RawConnection(server.port);
		await agent.send(get("/v1/sessions/mine"));
		for (let tries = 0; tries < 100 && agent.statuses.length < 1; tries++) await sleep(50);
		connections = Array.from({ length: 1200 }, () => new RawConnection(server.port));
		let closed = 0;
		for (const connection of connections) connection.closed.then(() => closed++);
		for (let tries = 0; tries < 100 && closed < 200; tries++) await sleep(50);
		expect(closed).toBeGreaterThanOrEqual(200);
		await agent.send(get("/v1/sessions/mine"));
		for (let tries = 0; tries < 100 && agent.statuses.length < 2; tries++) await sleep(50);
		expect(agent.statuses).toEqual([200, 200]);
		agent.end();
		report("1200 connections where 1000 are allowed");
	}, 60_000);
});
