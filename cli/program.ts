import { homedir } from "node:os";
import { join } from "node:path";
import { Command, CommanderError, Option } from "commander";
import { LeaflogError, Unreachable } from "../client/src/index.ts";
import { plain } from "./plain.ts";
import { pull } from "./pull.ts";
import { push, reasonOf } from "./push.ts";
import { type Settings, Shell, type Terminal } from "./shell.ts";

const examples = `
Examples:
  leaflog push                         what pi has on this machine, to the service
  leaflog pull --cwd "$PWD"            this project's sessions from the service
  leaflog ls -q rome                   sessions with a word in name or first message
  leaflog tree 0197c1 --fold           a session's branches
  leaflog --json cat 0197c1 | jq .     the current branch, an entry a line`;

/** Runs a command line (without program name). 0: all well; 1: something was not; 2: the command line is wrong. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
	const program = new Command("leaflog")
		.description("Chat and agent sessions in a Leaflog service")
		.addOption(
			new Option("--url <url>", "where the service is (LEAFLOG_URL)").default(
				terminal.env.LEAFLOG_URL ?? "http://localhost:8787",
			),
		)
		.option("--token <token>", "API key or JWT (LEAFLOG_TOKEN: safer, as it shows in no list of processes)")
		.option("--namespace <name>", "namespace to act for, with a key for all (LEAFLOG_NAMESPACE)")
		.option("--json", "JSON instead of text")
		.addHelpText("after", examples)
		.exitOverride()
		.configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
	let status = 0;
	const fail = () => {
		status = 1;
	};
	const place = () => new Shell(program.opts<Settings>(), terminal, fail);
	const folder = (given?: string) =>
		given ??
		terminal.env.PI_CODING_AGENT_SESSION_DIR ??
		join(terminal.env.HOME ?? homedir(), ".pi/agent/sessions");

	program
		.command("push")
		.description("send what is new in pi's session folders")
		.argument("[folder]", "default ~/.pi/agent/sessions")
		.option("--merge", "where both sides went on: keep both, as branches")
		.option("--repair", "import files with faults, as far as they can be read")
		.action((given, options) => place().sync(push, { folder: folder(given), ...options }));
	program
		.command("pull")
		.description("write what is new in the service to pi's session folders")
		.argument("[folder]", "default ~/.pi/agent/sessions")
		.option("--cwd <path>", "only sessions of this working directory")
		.action((given, options) => place().sync(pull, { folder: folder(given), ...options }));
	program
		.command("ls")
		.description("list sessions, the last used first")
		.option("-q, --query <words>", "words in name or first message")
		.option("--cwd <path>", "only those of this working directory")
		.option("-n, --limit <count>", "at most so many", Number, 50)
		.action((options) => place().list(options));
	program
		.command("tree")
		.description("draw a session's tree")
		.argument("<session>")
		.option("--fold", "fold long runs without branches")
		.option("--filter <types>", "only entries of these types, and those above them")
		.option("-q, --query <text>", "only entries with this text, and those above them")
		.option("--labeled", "only entries with labels, and those above them")
		.action((id, options) => place().tree(id, options));
	program
		.command("cat")
		.description("print the current branch")
		.argument("<session>")
		.option("--from <entry>", "the path to this entry instead")
		.action((id, options) => place().cat(id, options));
	program
		.command("export")
		.description("write a session as a file that pi opens")
		.argument("<session>")
		.option("-o, --output <file>", "default: standard output")
		.option("--log", "the log as stored, leaf entries included")
		.action((id, options) => place().export(id, options));
	program
		.command("fork")
		.description("make a session of the path to an entry")
		.argument("<session>")
		.argument("<entry>")
		.option("--at", "with the entry itself")
		.option("--id <id>", "the new session's id")
		.action((id, entryId, options) => place().fork(id, entryId, options));
	program
		.command("fsck")
		.description("read sessions whole, and check what the service says of them")
		.argument("[session...]", "default all")
		.action((ids) => place().check(ids));
	program
		.command("watch")
		.description("print what is appended, as it happens")
		.argument("<session>")
		.option("--after <seq>", "from here on; 0 for all", Number)
		.action((id, options) => place().watch(id, options));

	try {
		await program.parseAsync([...args], { from: "user" });
		return status;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		const json = program.opts<Settings>().json;
		terminal.err(json ? `${JSON.stringify(problemOf(error))}\n` : `leaflog: ${sentence(error)}\n`);
		return 1;
	}
}

function problemOf(error: unknown): object {
	if (error instanceof LeaflogError) {
		const { code, status, errors, requestId, message: detail } = error;
		return { code, status, detail, errors, requestId };
	}
	return { code: error instanceof Unreachable ? "unreachable" : "failed", detail: sentence(error) };
}

function sentence(error: unknown): string {
	if (error instanceof Unreachable) return `${error.message}: is --url or LEAFLOG_URL right?`;
	if (error instanceof LeaflogError && error.status === 401) return `${error.message} (set LEAFLOG_TOKEN)`;
	return plain(reasonOf(error));
}
