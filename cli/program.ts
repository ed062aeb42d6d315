import { homedir } from "node:os";
import { join } from "node:path";
import { type Command, CommanderError } from "commander";
import type { Leaflog } from "../client/src/index.ts";
import { commandLine } from "./command-line.ts";
import { connect, type Settings, urlOf } from "./connect.ts";
import { problemOf, sentenceOf, UsageError } from "./failures.ts";
import { fsck } from "./fsck.ts";
import { cat, exportFile, fork, list, tree, watch } from "./look.ts";
import { plainJson } from "./plain.ts";
import { pull } from "./pull.ts";
import { push } from "./push.ts";
import { syncFolder } from "./sync-folder.ts";
import { Printer, type Terminal } from "./terminal.ts";

/** What a command works with. */
interface Place {
	readonly leaflog: Leaflog;
	readonly service: string;
	readonly printer: Printer;
}

/**
 * Runs a command line (without the program's name).
 * @returns 0: all well; 1: something was not; 2: the command line is wrong
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
	let status = 0;
	const settings = (command: Command) => command.optsWithGlobals<Settings>();
	const place = (command: Command): Place => ({
		...connect(settings(command), terminal.env),
		printer: new Printer(terminal, settings(command).json ?? false),
	});
	const note = ({ fine }: { readonly fine: boolean }) => {
		if (!fine) status = 1;
	};
	const folders = foldersOf(terminal.env);
	const program = commandLine({
		push: async (given, options, command) => {
			const { leaflog, service, printer } = place(command);
			const folder = given ?? folders.usual;
			note(
				await syncFolder(printer, (onProgress) => push(leaflog, { ...options, folder, service, onProgress })),
			);
		},
		pull: async (given, options, command) => {
			const { leaflog, service, printer } = place(command);
			const folder = given ?? folders.usual;
			const flat = options.flat ?? (given === undefined && folders.flat);
			note(
				await syncFolder(printer, (onProgress) =>
					pull(leaflog, { ...options, flat, folder, service, onProgress }),
				),
			);
		},
		ls: (options, command) => {
			const { leaflog, printer } = place(command);
			return list(leaflog, printer, options);
		},
		tree: (id, options, command) => {
			const { leaflog, printer } = place(command);
			return tree(leaflog, printer, id, options);
		},
		cat: (id, options, command) => {
			const { leaflog, printer } = place(command);
			return cat(leaflog, printer, id, options);
		},
		export: (id, options, command) => {
			const { leaflog, printer } = place(command);
			return exportFile(leaflog, printer, id, options);
		},
		fork: (id, entryId, options, command) => {
			const { leaflog, printer } = place(command);
			return fork(leaflog, printer, id, entryId, options);
		},
		watch: (id, options, command) => {
			const { leaflog, printer } = place(command);
			return watch(leaflog, printer, id, options);
		},
		fsck: async (only, options, command) => {
			const { leaflog, printer } = place(command);
			note(await fsck(leaflog, printer, { only, folder: options.folder ?? folders.usual }));
		},
	});
	for (const command of [program, ...program.commands]) {
		command.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
	}
	try {
		await program.parseAsync([...args], { from: "user" });
		return status;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		const given = program.opts<Settings>();
		const url = urlOf(given, terminal.env);
		terminal.err(
			given.json
				? `${plainJson(JSON.stringify(problemOf(error, url)))}\n`
				: `leaflog: ${sentenceOf(error, url)}\n`,
		);
		return error instanceof UsageError ? 2 : 1;
	}
}

/** Where pi keeps its sessions: a folder for each working directory, or one folder for all that it was told of. */
function foldersOf(env: Terminal["env"]): { readonly usual: string; readonly flat: boolean } {
	const home = env.HOME || homedir();
	const { PI_CODING_AGENT_SESSION_DIR: own, PI_CODING_AGENT_DIR: agent = "~/.pi/agent" } = env;
	const usual = own || join(agent, "sessions");
	return { usual: usual.replace(/^~(?=\/|$)/, home), flat: Boolean(own) };
}
