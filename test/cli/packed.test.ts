import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const fixture = join(root, "test/fixtures/sessions/07-v3-branches-branch-summary-unicode.jsonl");

/** Node as the tests run on it, and the machine's own. */
const nodes = [process.execPath, "/usr/bin/node"].filter((path) => existsSync(path));

describe("the packed command line", () => {
	let place: Awaited<ReturnType<typeof commandLine>>;
	let scratch: string;
	beforeAll(async () => {
		place = await commandLine();
		scratch = join(place.folder, "scratch");
		await mkdir(scratch);
	});
	afterAll(() => place.close());

	it("one file that needs nothing else pushes, pulls and looks, on each Node", {
		timeout: 240_000,
	}, async () => {
		const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` };
		const packed = await run("npm", ["pack", "--json", "--pack-destination", scratch], {
			cwd: join(root, "cli"),
			env,
		});
		const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf("[")));
		expect(files.map(({ path }: { path: string }) => path).sort()).toEqual([
			"README.md",
			"dist/main.js",
			"package.json",
		]);
		await writeFile(join(scratch, "package.json"), '{"name":"scratch"}');
		const install = ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`];
		await run("npm", install, { cwd: scratch, env });
		const program = join(scratch, "node_modules/.bin/leaflog");
		const original = await readFile(fixture, "utf8");
		for (const [at, node] of nodes.entries()) {
			const session = `on-node-${at}`;
			const folder = join(scratch, session);
			await mkdir(folder);
			await writeFile(join(folder, "one.jsonl"), original.replace(/"id":"[^"]+"/, `"id":"${session}"`));
			const leaflog = async (...args: string[]) =>
				(await run(node, [program, ...args], { env: { LEAFLOG_URL: place.server.url, HOME: folder } }))
					.stdout;
			expect(await leaflog("push", folder)).toContain("created one.jsonl");
			expect(await leaflog("push", folder)).toBe("1 session: 1 unchanged\n");
			expect(await leaflog("tree", session)).toContain("← leaf");
			expect(await leaflog("fsck", session, "--folder", folder)).toContain("sound; the file has the same");
			await leaflog("pull");
			const below = join(folder, ".pi/agent/sessions");
			const pulled = (await readdir(below, { recursive: true })).find((name) =>
				name.endsWith(`_${session}.jsonl`),
			);
			expect(await readFile(join(below, pulled ?? ""), "utf8")).toBe(
				await readFile(join(folder, "one.jsonl"), "utf8"),
			);
		}
	});
});
