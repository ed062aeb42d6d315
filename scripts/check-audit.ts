/**
 * `npm run audit`: fails where the registry knows of a vulnerability in what the service runs on (`npm audit
 * --omit=dev`). Where the registry doesn't answer that question nothing was checked: it says so, and doesn't fail.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

interface Finding {
	readonly name: string;
	readonly severity: string;
	readonly range: string;
}

interface Audit {
	readonly vulnerabilities?: { readonly [name: string]: Finding };
	readonly metadata?: { readonly dependencies: { readonly prod: number } };
	/** Why there is no answer. */
	readonly message?: string;
}

const { stdout, stderr } = spawnSync(
	"npm",
	["audit", "--omit=dev", "--json", "--fetch-retries=0", "--fetch-timeout=30000"],
	{ cwd: join(import.meta.dirname, ".."), encoding: "utf8" },
);
const { vulnerabilities, metadata, message } = parsed(stdout);
if (message !== undefined) {
	console.log(`audit: NOT CHECKED, the registry does not answer it: ${message}`);
} else if (vulnerabilities === undefined || metadata === undefined) {
	console.error(`audit: npm failed\n${stdout}\n${stderr}`);
	process.exitCode = 1;
} else {
	const findings = Object.values(vulnerabilities);
	for (const { name, severity, range } of findings) console.error(`${name} ${range}: ${severity}`);
	console.log(`audit: ${findings.length} findings in ${metadata.dependencies.prod} packages`);
	if (findings.length > 0) process.exitCode = 1;
}

function parsed(text: string): Audit {
	try {
		return JSON.parse(text) as Audit;
	} catch {
		return {};
	}
}
