import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticateWith } from "../../src/authenticate-with.ts";
import { startServer } from "../client/service.ts";
import { meets } from "./page.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

interface Step {
	/** Of the page, from 1. */
	readonly line: number;
	readonly machine: string;
	readonly command: string;
	readonly output: string;
}

/** The commands of a page's `console` blocks: `machine$ command`, and below it what is printed. */
function stepsOf(page: string): Step[] {
	const steps: { line: number; machine: string; command: string; output: string }[] = [];
	let inside = false;
	for (const [at, line] of page.split("\n").entries()) {
		const prompt = /^(\w+)\$ (.*)$/.exec(line);
		if (line.startsWith("```")) inside = !inside && line === "```console";
		else if (inside && prompt) {
			const [, machine = "", command = ""] = prompt;
			steps.push({ line: at + 1, machine, command, output: "" });
		} else if (inside) (steps.at(-1) ?? expect.fail("output of nothing")).output += `${line}\n`;
	}
	return steps;
}

const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

describe("the page for users of pi", () => {
	let folder: string;
	let server: Awaited<ReturnType<typeof startServer>>;
	let environment: Record<string, string>;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "leaflog-pi-"));
		const keys = await run(process.execPath, [join(root, "scripts/keys.ts"), "--namespace", "me"]);
		const [token = "", entry = ""] = keys.stdout.split("\n");
		server = await startServer({
			authenticate: authenticateWith({ apiKeys: [JSON.parse(entry)] }, false),
			config: { limits: {} },
		});
		const program = join(folder, "bin/leaflog");
		await mkdir(join(folder, "bin"));
		await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${join(root, "cli/main.ts")}' "$@"\n`);
		await chmod(program, 0o755);
		environment = {
			PATH: `${join(folder, "bin")}:${process.env.PATH}`,
			LEAFLOG_URL: server.url,
			LEAFLOG_TOKEN: token,
		};
	}, 60_000);
	afterAll(async () => {
		await server.close();
		await rm(folder, { recursive: true });
	});

	/** Where pi keeps the project's sessions on a machine. */
	const project = (machine: string) => join(folder, machine, ".pi/agent/sessions/--home-me-rome--");

	function talk(session: SessionManager, question: string): void {
		session.appendMessage({ role: "user", content: question, timestamp: Date.now() });
		session.appendMessage({
			role: "assistant",
			content: [{ type: "text", text: "The Forum, then Trastevere." }],
			api: "anthropic-messages",
			provider: "anthropic",
			model: "claude",
			usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
			stopReason: "stop",
			timestamp: Date.now(),
		});
	}

	it("each command of the page prints what the page says", { timeout: 240_000 }, async () => {
		const session = SessionManager.create("/home/me/rome", project("laptop"), { id: "rome" });
		talk(session, "Two days in Rome?");
		session.appendSessionInfo("Trip to Rome");
		session.appendThinkingLevelChange("high");

		const steps = stepsOf(await readFile(join(root, "docs/pi.md"), "utf8"));
		expect(steps.length).toBeGreaterThan(15);
		for (const { line, machine, command, output } of steps) {
			const home = join(folder, machine);
			await mkdir(home, { recursive: true });
			if (command === "pi --continue") {
				talk(SessionManager.continueRecent("/home/me/rome", project(machine)), `Asked on the ${machine}.`);
				expect(output).toBe("");
				continue;
			}
			const env = { ...environment, HOME: home };
			const ran = await run("bash", ["-c", command], { cwd: home, env }).catch((failed) => failed);
			const told = `${ran.stdout}${ran.stderr}`.trimEnd();
			const page = output.trimEnd();
			expect([line, meets(page, told) ? page : told]).toEqual([line, page]);
		}
		const left = await readdir(project("laptop"));
		expect(left).toHaveLength(1);
		const kept = SessionManager.open(join(project("laptop"), left[0] ?? ""));
		expect(kept.getEntries().filter(({ type }) => type === "message")).toHaveLength(8);
	});
});
