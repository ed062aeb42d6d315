/**
 * `npm run check:deploy`: runs the blocks of docs/deploy.md that it says are run, one after the other in one shell, on
 * the S3 server of the S3_… environment. Others write meanwhile; what was backed up and restored is compared.
 * A block that doesn't say whether it is run is an error.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writers } from "./deploy-writers.ts";
import { freePort } from "./start-server.ts";

interface Block {
	readonly section: string;
	readonly text: string;
}

/** What the page leaves behind. */
const leftovers = ["first.key", "second.key", "first.log", "second.log", "restored.log"];

const root = join(import.meta.dirname, "..");

/** The shell blocks that are run, each with the heading above it. */
function blocksOf(markdown: string): Block[] {
	const blocks: Block[] = [];
	for (const match of markdown.matchAll(/(?:^|\n\n)([^\n](?:[^\n]|\n(?!\n))*)\n\n```sh\n([\s\S]*?)```/g)) {
		const [, above = "", text = ""] = match;
		const section =
			markdown
				.slice(0, match.index)
				.match(/^## .*$/gm)
				?.at(-1) ?? "";
		if (/^Runs in CI\b/.test(above)) blocks.push({ section, text });
		else if (!/^Not run here\b/.test(above)) throw new Error(`it is not said whether this is run:\n${text}`);
	}
	const all = markdown.match(/^```sh$/gm)?.length ?? 0;
	const told = markdown.match(/^(Runs in CI|Not run here)\b/gm)?.length ?? 0;
	if (all !== told) throw new Error(`of ${all} blocks ${told} say whether they are run`);
	return blocks;
}

/** Debian's rclone can't read this one (`LoadCustomCABundleError`), and nothing here is https. */
const { AWS_CA_BUNDLE: _, ...environment } = process.env;

/** One shell, which ends with the first command that fails. */
class Shell {
	readonly #process = spawn("bash", ["-eu", "-o", "pipefail"], {
		cwd: root,
		detached: true,
		env: { ...environment, CI: "true", WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
		stdio: ["pipe", "pipe", "inherit"],
	});
	readonly #lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();

	/** Runs a block; what it printed. */
	async run(text: string): Promise<string[]> {
		const end = `end of ${crypto.randomUUID()}`;
		this.#process.stdin.write(`${text}\nprintf '\\n%s\\n' '${end}'\n`);
		const printed: string[] = [];
		for (;;) {
			const { value, done } = await this.#lines.next();
			if (done) throw new Error(`this failed:\n${text}\n${printed.join("\n")}`);
			if (value === end) return printed;
			printed.push(value);
		}
	}

	/** Ends it and all that it has started. */
	end(): void {
		const { pid } = this.#process;
		try {
			if (pid !== undefined) process.kill(-pid, "SIGTERM");
		} catch {
			// It has ended by itself.
		}
	}
}

const blocks = blocksOf(readFileSync(join(root, "docs/deploy.md"), "utf8"));
if (spawnSync("rclone", ["version"]).status !== 0) {
	const installed = spawnSync("bash", [
		"-c",
		"apt-get -yq install rclone || { apt-get -q update && apt-get -yq install rclone; }",
	]);
	if (installed.status !== 0) throw new Error(`rclone can't be installed:\n${installed.stderr}`);
}
const ports = new Map<string, string>();
for (const shown of ["8787", "8788", "8789"]) ports.set(shown, String(await freePort()));
const address = (shown: string) => `http://127.0.0.1:${ports.get(shown)}`;
const shell = new Shell();
try {
	let writers: Writers | undefined;
	for (const { section, text } of blocks) {
		if (section === "## Backing up") {
			const [key = ""] = await shell.run('echo "$SECOND_KEY"');
			writers = new Writers(address("8788"), key);
			await writers.start();
		}
		await shell.run(text.replaceAll(/\b878[789]\b/g, (shown) => ports.get(shown) ?? shown));
		if (section === "## Backing up") await writers?.stop();
	}
	if (writers === undefined) throw new Error("nothing was backed up");
	console.log(`deploy: ${blocks.length} blocks run; restored: ${await writers.compareWith(address("8789"))}`);
} finally {
	shell.end();
	for (const name of leftovers) rmSync(join(root, name), { force: true });
}
