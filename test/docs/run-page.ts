import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Outcome } from "./claim.ts";
import { programOf } from "./page.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** What pages import, and where it is here. */
const modules: Readonly<Record<string, string>> = {
	"leaflog-client": join(root, "client/src/index.ts"),
	"@react-native-async-storage/async-storage": join(import.meta.dirname, "async-storage.ts"),
	"react-native": join(import.meta.dirname, "react-native.ts"),
};

export interface PageRun {
	/** What the compiler says; empty where it is content. */
	readonly types: string;
	/** What the program said to its end, where it failed. */
	readonly failure: string;
	readonly outcomes: readonly Outcome[];
	/** Claims whose line never ran. */
	readonly unreached: readonly number[];
}

/** Checks and runs the program of a page, its addresses replaced by those of servers that are there. */
export async function runPage(
	markdown: string,
	addresses: Readonly<Record<string, string>> = {},
	options: { readonly types?: boolean } = {},
): Promise<PageRun> {
	const { source, claims } = programOf(markdown);
	const folder = mkdtempSync(join(tmpdir(), "leaflog-page-"));
	try {
		let program = source;
		for (const [shown, actual] of Object.entries(addresses)) program = program.replaceAll(shown, actual);
		for (const [name, path] of Object.entries(modules)) {
			program = program.replaceAll(`from "${name}"`, `from ${JSON.stringify(path)}`);
		}
		writeFileSync(join(folder, "page.mts"), program);
		writeFileSync(
			join(folder, "claim.d.ts"),
			"declare function claim(line: number, expected: () => unknown, ...values: unknown[]): void;\n",
		);
		writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(compiling));
		const types = options.types === false ? "" : await complaints("tsc", ["-p", "."], folder);
		const report = join(folder, "claims.json");
		const failure = await complaints(
			process.execPath,
			["--import", join(import.meta.dirname, "claim.ts"), "page.mts"],
			folder,
			{ CLAIMS: report },
		);
		const outcomes = JSON.parse(readFileSync(report, "utf8")) as Outcome[];
		const reached = new Set(outcomes.map(({ line }) => line));
		return { types, failure, outcomes, unreached: claims.filter((line) => !reached.has(line)) };
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** As strict as a reader's project, with a browser's library: a page that needs Node fails. */
const compiling = {
	extends: join(root, "tsconfig.json"),
	compilerOptions: {
		lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
		types: [],
		noUncheckedIndexedAccess: false,
	},
	include: ["page.mts", "claim.d.ts"],
};

async function complaints(
	command: string,
	given: readonly string[],
	cwd: string,
	environment: Readonly<Record<string, string>> = {},
): Promise<string> {
	const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}`, ...environment };
	try {
		await run(command, given, { cwd, env, timeout: 120_000 });
		return "";
	} catch (error) {
		const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string };
		return `${stdout}${stderr}` || message;
	}
}
