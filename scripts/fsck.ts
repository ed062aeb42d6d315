/**
 * `npm run fsck -- [SESSION] [--namespace NAME] [--repair]`: checks every object of a session, or of all, against its
 * copies, and with `--repair` writes what can be put together again from them. Exit status: 0 where nothing is wrong
 * (any more), 1 where something is, 2 where it could not be checked.
 */
import { parseArgs } from "node:util";
import { ConfigError } from "../src/config.ts";
import { type CheckedSession, checkSessions } from "../src/operations/check-sessions.ts";
import { openBucket } from "./open-bucket.ts";

const usage = "npm run fsck -- [SESSION] [--namespace NAME] [--repair]";

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (problem) {
	console.error(problem instanceof ConfigError ? `The configuration is wrong:\n${problem.message}` : problem);
	process.exitCode = 2;
}

async function main(args: string[]): Promise<number> {
	const parsed = readArguments(args);
	if (parsed === undefined) {
		console.error(usage);
		return 2;
	}
	const { store, close } = await openBucket(process.env);
	try {
		let sessions = 0;
		let wrong = 0;
		for await (const checked of checkSessions(store, parsed)) {
			sessions++;
			if (!isFine(checked)) wrong++;
			for (const line of describe(checked)) console.log(line);
		}
		if (sessions === 0 && parsed.session !== undefined) console.log(`There is no session ${parsed.session}.`);
		else console.log(`${sessions} checked, ${wrong} with something wrong.`);
		return wrong === 0 ? 0 : 1;
	} finally {
		await close();
	}
}

function readArguments(args: string[]) {
	try {
		const { values, positionals } = parseArgs({
			args,
			allowPositionals: true,
			options: { repair: { type: "boolean", default: false }, namespace: { type: "string" } },
		});
		const [session, ...more] = positionals;
		return more.length === 0 ? { ...values, session } : undefined;
	} catch {
		return undefined;
	}
}

function isFine({ report }: CheckedSession): boolean {
	return report.findings.every(({ outcome, lost }) => outcome === "repaired" && lost.length === 0);
}

/** One line a session; of what is wrong with it, some more. */
function describe({ id, namespacePrefix, report }: CheckedSession): string[] {
	const { standing, commits, records, findings } = report;
	const size = standing === "living" ? `${commits} commits, ${records} entries` : standing;
	const lines = [`${id} (${namespacePrefix}): ${size}${findings.length === 0 ? ", sound" : ""}`];
	for (const { key, problems, outcome, lost } of findings) {
		lines.push(`  ${key}`, ...problems.map((problem) => `    ${problem}`));
		lines.push(
			`    ${outcome}${lost.length > 0 ? `, but for what is nowhere else: ${lost.join(", ")}` : ""}`,
		);
	}
	return lines;
}
