/**
 * Writes the files that are derived from the code, or with `--check` says which of them are not current:
 * `schemas/openapi.json` and `schemas/entry.schema.json`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "../src/http/generated-files.ts";

const root = join(import.meta.dirname, "..");
const check = process.argv.includes("--check");

for (const [path, text] of generatedFiles()) {
	const file = join(root, path);
	if (!check) writeFileSync(file, text);
	else if (readText(file) !== text) {
		console.error(`${path} is not current: npm run generate`);
		process.exitCode = 1;
	}
}

function readText(file: string): string | undefined {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return undefined;
	}
}
