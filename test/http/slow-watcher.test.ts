import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { startServer } from "../client/service.ts";
import { user, World } from "./world.ts";

const entries = 40;
const entryBytes = 1024 * 1024;

it("a watcher who doesn't read from the socket: what is read for them ends, and goes on when they do", async () => {
	const world = new World();
	const session = await world.session();
	for (let at = 0; at < entries; at++) {
		await world.post(`${session}/entries`, user("x".repeat(entryBytes), { id: `e${at}` }));
	}
	let bytesRead = 0;
	const server = await startServer({
		store: world.bucket,
		wrap: (inner) => ({
			put: (...given) => inner.put(...given),
			delete: (keys) => inner.delete(keys),
			list: (...given) => inner.list(...given),
			get: async (...given) => {
				const outcome = await inner.get(...given);
				if (outcome.kind === "found") bytesRead += outcome.bytes.length;
				return outcome;
			},
		}),
	});
	const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
	try {
		await once(socket, "connect");
		socket.pause();
		socket.write(`GET ${session}/events?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
		// Until nothing more is read for a while: the system's buffers, some megabytes, are full.
		for (let before = -1; bytesRead === 0 || bytesRead > before; ) {
			before = bytesRead;
			await sleep(500);
		}
		const held = bytesRead;
		expect(held).toBeLessThan((entries * entryBytes) / 4);
		let last = "";
		let received = 0;
		socket.on("data", (chunk: Buffer) => {
			received += chunk.length;
			last = (last + chunk.subarray(-64).toString()).slice(-64);
		});
		socket.resume();
		while (!last.includes(`id: ${entries}\n`)) await once(socket, "data");
		expect(received).toBeGreaterThan(entries * entryBytes);
		expect(bytesRead).toBeGreaterThan(held);
	} finally {
		socket.destroy();
		await server.close();
	}
}, 60_000);
