import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { freePort, Service } from "../start/service.ts";

const run = promisify(execFile);
const data = mkdtempSync(join(tmpdir(), "leaflog-examples-"));
const services: Service[] = [];

afterAll(() => {
	for (const service of services) service.destroy();
	rmSync(data, { recursive: true, force: true });
});

async function started(
	script: string,
	environment: Record<string, string>,
	folder?: string,
): Promise<Service> {
	const service = new Service(script, await freePort(), environment, folder);
	services.push(service);
	return service;
}

it("npm start in examples/worker-chat, its stand-in for a model, and Leaflog: what the README says", async () => {
	const folder = "examples/worker-chat";
	const leaflog = await (await started("start", { LEAFLOG_DATA: data })).ready();
	const model = await (await started("model", {}, folder)).ready();
	const variables = {
		LEAFLOG_URL: leaflog.url,
		MODEL_URL: model.url,
		CLOUDFLARE_INCLUDE_PROCESS_ENV: "true",
	};
	const chat = await (await started("start", { ...variables, CI: "1" }, folder)).ready("/chat/none", 404);
	const readme = readFileSync(join(import.meta.dirname, "../../examples/worker-chat/README.md"), "utf8");
	const commands = readme.split("\n").filter((line) => line.startsWith("curl "));
	const told: string[] = [];
	for (const command of commands) {
		const here = command.replaceAll("127.0.0.1:8788", new URL(chat.url).host);
		told.push((await run("bash", ["-c", `${here} -sS`])).stdout);
	}
	const [first = "", second = "", third = ""] = told;
	expect(first).toContain('event: text\ndata: {"text":"You "}\n\n');
	expect(first).toMatch(
		/event: answer\ndata: .*You said: .*Two days in Rome.*, after 0 messages.*"leafId":"q1-a","seq":2/,
	);
	expect(second).toMatch(/In rain.*, after 0 messages.*"leafId":"q2-a","seq":4/);
	expect(JSON.parse(third)).toMatchObject({ leafId: "q2-a", siblings: { q2: ["q1", "q2"] } });
	expect(await leaflog.json("/v1/sessions/rome")).toMatchObject({ messageCount: 4, seq: 4 });
	chat.process.kill("SIGTERM");
	await chat.gone();
}, 240_000);
