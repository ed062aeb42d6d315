import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { says } from "../client/service.ts";
import { seededRandom } from "../http/world.ts";
import { commandLine } from "./command-line.ts";

const program = join(import.meta.dirname, "../../cli/main.ts");
let place: Awaited<ReturnType<typeof commandLine>>;
beforeEach(async () => {
	place = await commandLine({ config: { limits: {} } });
});
afterEach(() => place.close());

describe("pull", () => {
	it("killed anywhere: no file is there in part, and the next run brings the rest", {
		timeout: 180_000,
	}, async () => {
		const chance = seededRandom("killed pull");
		const { world } = place.server;
		const ids = Array.from({ length: 8 }, (_, at) => `session-${at}`);
		for (const id of ids)
			await place.leaflog.createSession({ id, cwd: "/home/me", entries: [says("x".repeat(300_000))] });
		const folder = join(place.folder, "pulled");
		const files = async () =>
			(await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.endsWith(".jsonl"));
		const honest = world.fetch.bind(world);
		let kills = 0;
		for (let round = 0; round < 4; round++) {
			for (const id of ids) await place.leaflog.session(id).append(says(`round ${round}`));
			let left = Math.floor(chance.fraction() * 12);
			let kill = () => {};
			// The answer is on its way, and stops in the middle: that is where it is killed.
			world.fetch = async (request) => {
				const response = await honest(request);
				if (!request.url.endsWith("/export") || left-- > 0) return response;
				const bytes = new Uint8Array(await response.arrayBuffer());
				const body = new ReadableStream({
					async pull(controller) {
						controller.enqueue(bytes.subarray(0, bytes.length / 2));
						await new Promise((resolve) => setTimeout(resolve, 200));
						kill();
						await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
					},
				});
				return new Response(body, response);
			};
			const env = { ...process.env, LEAFLOG_URL: place.server.url };
			const child = spawn(process.execPath, [program, "pull", folder], { env, stdio: "ignore" });
			kill = () => {
				if (child.kill("SIGKILL")) kills++;
			};
			await new Promise((resolve) => child.once("exit", resolve));
			world.fetch = honest;
			for (const name of await files()) {
				const lines = (await readFile(join(folder, name), "utf8")).split("\n");
				expect(lines.pop()).toBe("");
				for (const line of lines) JSON.parse(line);
			}
		}
		expect(kills).toBeGreaterThan(1);
		expect(await place.leaf("pull", folder)).toMatchObject({ status: 0, err: "" });
		expect(await files()).toHaveLength(8);
		for (const name of await files()) {
			const id = /_(.*)\.jsonl$/.exec(name)?.[1] ?? "";
			expect(await readFile(join(folder, name), "utf8")).toBe(await place.leaflog.session(id).export());
		}
		const left = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".tmp"));
		expect(left).toEqual([]);
		expect((await place.leaf("pull", folder)).out).toBe("8 sessions: 8 unchanged\n");
	});

	it("pi writes to a file while it is being pulled: what pi wrote stays", async () => {
		const { world } = place.server;
		await place.leaflog.createSession({ id: "busy", cwd: "/", entries: [says("one", { id: "a" })] });
		const folder = join(place.folder, "pulled");
		await place.leaf("pull", folder);
		const [name = ""] = (await readdir(folder, { recursive: true })).filter((file) =>
			file.endsWith(".jsonl"),
		);
		await place.leaflog.session("busy").append(says("two", { id: "b" }));
		const honest = world.fetch.bind(world);
		const written = `${JSON.stringify({ parentId: "a", timestamp: "2026-01-02T03:04:05.000Z", ...says("mine", { id: "c" }) })}\n`;
		world.fetch = async (request) => {
			if (request.url.endsWith("/export")) await writeFile(join(folder, name), written, { flag: "a" });
			return honest(request);
		};
		const { status, out } = await place.leaf("pull", folder);
		world.fetch = honest;
		expect([status, out]).toEqual([1, expect.stringContaining("written to meanwhile: pull again")]);
		expect(await readFile(join(folder, name), "utf8")).toContain('"mine"');
		expect((await place.leaf("push", folder)).out).toContain(
			"went on in both places: 1 entries here, 1 there",
		);
		expect((await place.leaf("push", folder, "--merge")).status).toBe(0);
		expect((await place.leaf("pull", folder)).status).toBe(0);
		const file = await readFile(join(folder, name), "utf8");
		expect([file.includes('"mine"'), file.includes('"two"')]).toEqual([true, true]);
	});

	it("a session that was deleted in the service: its file stays, and is told of", async () => {
		await place.leaflog.createSession({ id: "gone", cwd: "/", entries: [says("one", { id: "a" })] });
		const folder = join(place.folder, "pulled");
		await place.leaf("pull", folder);
		await place.leaflog.session("gone").delete();
		expect(await place.leaf("pull", folder)).toMatchObject({ status: 0, out: "0 sessions\n" });
		const pushed = await place.leaf("push", folder);
		expect([pushed.status, pushed.out]).toEqual([0, expect.stringContaining("was deleted in the service")]);
		expect(
			(await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".jsonl")),
		).toHaveLength(1);
	});
});
