/**
 * Runs the walk of the README against a fresh `npm start`, and compares each answer with what the README shows.
 * Times and made-up entry ids may differ; answers are compared as JSON where they are JSON.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { startServer } from "./start-server.ts";

interface Step {
	readonly command: string;
	readonly expected: string;
}

/** The commands of all `console` blocks, each with what is shown below it. */
function stepsOf(markdown: string): Step[] {
	const blocks = [...markdown.matchAll(/```console\n([\s\S]*?)```/g)].map((match) => match[1]!);
	return blocks.flatMap((block) =>
		block
			.split(/^\$ /m)
			.slice(1)
			.map((text) => {
				const end = endOfCommand(text);
				return { command: text.slice(0, end), expected: text.slice(end).trim() };
			}),
	);
}

/** A command ends with the first line at whose end no quote is open. */
function endOfCommand(text: string): number {
	let end = -1;
	do {
		end = text.indexOf("\n", end + 1);
	} while (end >= 0 && (text.slice(0, end).split("'").length - 1) % 2 === 1);
	return end < 0 ? text.length : end;
}

/** Times and ids that the server makes up, made equal. */
function settled(text: string): string {
	return text
		.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>")
		.replace(/"id": ?"[0-9a-f]{8}"/g, '"id":"<id>"')
		.trim();
}

function sameAnswer(shown: string, answered: string): boolean {
	const [a, b] = [settled(shown), settled(answered)];
	try {
		return isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
	} catch {
		return a === b;
	}
}

const root = join(import.meta.dirname, "..");
const steps = stepsOf(readFileSync(join(root, "README.md"), "utf8"));
const data = mkdtempSync(join(tmpdir(), "leaflog-walk-"));
const server = await startServer(root, { LEAFLOG_DATA: data });
let failures = 0;
try {
	for (const { command, expected } of steps) {
		const { stdout } = spawnSync(
			"bash",
			["-c", command.replaceAll("localhost:8787", new URL(server.url).host)],
			{
				encoding: "utf8",
			},
		);
		if (sameAnswer(expected, stdout)) continue;
		failures++;
		console.error(`The README shows for\n$ ${command}\n${expected}\nbut the answer is\n${stdout}\n`);
	}
} finally {
	await server.stop();
	rmSync(data, { recursive: true, force: true });
}
console.log(`walk: ${steps.length - failures} of ${steps.length} answers are as the README shows them`);
if (steps.length < 9 || failures > 0) process.exitCode = 1;
