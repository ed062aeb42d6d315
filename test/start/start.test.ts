import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { freePort, Service } from "./service.ts";

const data = mkdtempSync(join(tmpdir(), "leaflog-start-"));
const services: Service[] = [];

afterAll(() => {
	for (const service of services) service.destroy();
	rmSync(data, { recursive: true, force: true });
});

function start(port: number, environment: Record<string, string> = {}): Service {
	const service = new Service("start", port, { LEAFLOG_DATA: data, ...environment });
	services.push(service);
	return service;
}

describe("npm start", () => {
	it("stopped and killed in turn: keeps its sessions, its port is free again, no process stays behind", async () => {
		const port = await freePort();
		const first = await start(port).ready();
		await first.json("/v1/sessions", { method: "POST", body: { id: "kept", name: "one" } });
		first.process.kill("SIGTERM");
		await first.gone();

		const second = await start(port).ready();
		expect(await second.json("/v1/sessions/kept")).toMatchObject({ name: "one", seq: 1 });
		await second.rename("kept", "two");
		second.process.kill("SIGKILL");
		await second.gone();

		const third = await start(port).ready();
		expect(await third.json("/v1/sessions/kept")).toMatchObject({ name: "two", seq: 2 });
		third.process.kill("SIGINT");
		await third.gone();
	}, 400_000);

	it("a port that is none: refused by name, nothing started", async () => {
		const service = start(0, { PORT: "80x" });
		expect(await service.exited).toBe(1);
		expect(service.output).toContain("PORT: must be a whole number from 1 to 65535");
		expect(service.processes()).toEqual([]);
	}, 60_000);
});
