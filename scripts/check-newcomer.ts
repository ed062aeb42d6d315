/**
 * Goes the newcomer's way in a fresh clone, with what the README says and nothing else: install, serve, import, look in
 * the browser, append from the client, see it appear. Prints what each step took; fails where one does.
 * Env: CHROMIUM, the path of a browser (`scripts/with-chromium.sh` gives it).
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { startServer } from "./start-server.ts";

const { CHROMIUM, ...environment } = process.env;
if (CHROMIUM === undefined) throw new Error("CHROMIUM is not set: scripts/with-chromium.sh sets it");
const place = mkdtempSync(join(tmpdir(), "leaflog-newcomer-"));
const clone = join(place, "leaflog");
const scratch = join(place, "try");
const began = performance.now();
let last = began;

try {
	run(place, `git clone -q "${join(import.meta.dirname, "..")}" leaflog`);
	took("clone");
	run(clone, "npm ci --no-progress --loglevel=error");
	took("npm ci");
	const { shell, program, said } = sectionOf(readFileSync(join(clone, "README.md"), "utf8"));
	const server = await startServer(clone, { LEAFLOG_DATA: join(place, "data") });
	const profile = await chromium.launchPersistentContext(join(place, "profile"), {
		executablePath: CHROMIUM,
		args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
	});
	try {
		took("npm start");
		const here = (text: string) => text.replaceAll("localhost:8787", new URL(server.url).host);
		run(clone, here(shell));
		took("import, and the client in a project of its own");
		const page = await profile.newPage();
		await page.goto(`${server.url}/app/`);
		await page.locator("a[href^='#/']:not(.brand)").first().click();
		await page.locator(".row").first().waitFor();
		took("the session in the browser");
		writeFileSync(join(scratch, "try.mjs"), here(program));
		run(scratch, "node try.mjs");
		took("append from the client");
		await page.locator(".row", { hasText: said }).waitFor();
		took("it appeared in the browser");
	} finally {
		await profile.close();
		await server.stop();
	}
	console.log(`newcomer: ${seconds(began)} s in all`);
} finally {
	rmSync(place, { recursive: true, force: true });
}

/** What the README's section says to run, and what its program appends. */
function sectionOf(readme: string): {
	readonly shell: string;
	readonly program: string;
	readonly said: string;
} {
	const section = /^## See it\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? "";
	const shell = /```sh\n([\s\S]*?)```/.exec(section)?.[1];
	const program = /```js\n([\s\S]*?)```/.exec(section)?.[1];
	const said = /content: "([^"]*)"/.exec(program ?? "")?.[1];
	if (shell === undefined || program === undefined || said === undefined) {
		throw new Error("the README has no section `See it` with a shell block and a program");
	}
	return { shell, program, said };
}

/** As in a terminal of one who has just come: without what npm tells the scripts it runs. */
function run(folder: string, command: string): void {
	mkdirSync(folder, { recursive: true });
	const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("npm_")));
	env.PATH = env.PATH?.split(":")
		.filter((folder) => !folder.includes("node_modules"))
		.join(":");
	const { status, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", command], {
		cwd: folder,
		env,
		encoding: "utf8",
	});
	if (status !== 0) throw new Error(`in ${folder}: ${command}\n${stderr}`);
}

function took(what: string): void {
	console.log(`${seconds(last).padStart(6)} s  ${what}`);
	last = performance.now();
}

function seconds(since: number): string {
	return ((performance.now() - since) / 1000).toFixed(1);
}
