#!/usr/bin/env node
import { run } from "./program.ts";

// Whoever reads the output may stop reading: `leaflog cat x | head`.
process.stdout.on("error", () => process.exit(0));

process.exitCode = await run(process.argv.slice(2), {
	env: process.env,
	out: (text) => process.stdout.write(text),
	err: (text) => process.stderr.write(text),
	columns: process.stdout.isTTY ? process.stdout.columns : undefined,
	interactive: process.stderr.isTTY === true,
	untilStopped: () => {
		const abort = new AbortController();
		process.once("SIGINT", () => abort.abort());
		process.once("SIGTERM", () => abort.abort());
		return abort.signal;
	},
});
