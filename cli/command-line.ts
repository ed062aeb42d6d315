import { Argument, Command, InvalidArgumentError, Option } from "commander";

/** What each command does with its arguments, in commander's order. */
export interface Actions {
	push(
		folder: string | undefined,
		options: { merge?: boolean; repair?: boolean },
		on: Command,
	): Promise<void>;
	pull(
		folder: string | undefined,
		options: { cwd?: string; flat?: boolean; quick?: boolean },
		on: Command,
	): Promise<void>;
	ls(options: { query?: string; cwd?: string; limit: number }, on: Command): Promise<void>;
	tree(
		session: string,
		options: { fold?: boolean; filter?: string; query?: string; labeled?: boolean },
		on: Command,
	): Promise<void>;
	cat(session: string, options: { from?: string }, on: Command): Promise<void>;
	export(session: string, options: { output?: string; log?: boolean }, on: Command): Promise<void>;
	fork(session: string, entry: string, options: { at?: boolean; id?: string }, on: Command): Promise<void>;
	watch(session: string, options: { after?: number }, on: Command): Promise<void>;
	fsck(sessions: readonly string[], options: { folder?: string }, on: Command): Promise<void>;
}

const session = () => new Argument("<session>", "a session's id");
const folder = () =>
	new Argument(
		"[folder]",
		"where the session files are; ~/.pi/agent/sessions, or where pi was told to keep them",
	);

/** The commands, their options and their help. */
export function commandLine(actions: Actions): Command {
	const program = new Command("leaflog")
		.description("Chat and agent sessions in a Leaflog service")
		.addOption(
			new Option("--url <url>", "where the service is; LEAFLOG_URL, or http://localhost:8787, unless given"),
		)
		.option("--token <token>", "API key or JWT; LEAFLOG_TOKEN is safer, as it shows in no list of processes")
		.option("--namespace <name>", "whom to act for, with a key for all (LEAFLOG_NAMESPACE)")
		.option("--json", "JSON instead of text")
		.addHelpText("after", programHelp);
	const command = (name: string, description: string, examples: readonly string[]) =>
		program
			.command(name)
			.description(description)
			.addHelpText("after", `\nExamples:\n${examples.map((example) => `  $ leaflog ${example}\n`).join("")}`);

	command("push", "send what is new in pi's session files", [
		"push",
		"push --merge",
		"push ~/old-sessions --repair",
	])
		.addArgument(folder())
		.option("--merge", "where a session went on in both places: keep both, as branches")
		.option("--repair", "send new files with faults too, as far as they can be read")
		.action(actions.push);
	command("pull", "write what is new in the service to pi's session files", [
		"pull",
		"pull --cwd /home/me/project",
	])
		.addArgument(folder())
		.option("--cwd <path>", "only sessions of this working directory")
		.option("--flat", "no folder for each working directory, as pi has it in a session folder of your own")
		.option(
			"--quick",
			"believe the list of sessions, which is seconds behind, instead of asking for each one",
		)
		.action(actions.pull);
	command("ls", "list sessions, the last used first", ["ls", "ls -q rain -n 5", "ls --json | jq -r '.[].id'"])
		.option("-q, --query <words>", "words in name or first message")
		.option("--cwd <path>", "only those of this working directory")
		.option("-n, --limit <count>", "at most so many", wholeNumber(1), 50)
		.action(actions.ls);
	command("tree", "draw a session's tree", [
		"tree rome",
		"tree rome --fold",
		"tree rome --filter message,compaction",
	])
		.addArgument(session())
		.option("--fold", "fold long runs without branches")
		.option("--filter <types>", "only entries of these types, and those above them")
		.option("-q, --query <text>", "only entries with this text, and those above them")
		.option("--labeled", "only entries with labels, and those above them")
		.action(actions.tree);
	command("cat", "print a branch", ["cat rome", "cat rome --from 3f2a9c01", "cat rome --json"])
		.addArgument(session())
		.option("--from <entry>", "the path to this entry, instead of the one to the leaf")
		.action(actions.cat);
	command("export", "write a session as a file that pi opens", [
		"export rome -o rome.jsonl",
		"export rome --log",
	])
		.addArgument(session())
		.option("-o, --output <file>", "where to; standard output unless given")
		.option("--log", "the log as it is stored, with the moves of the leaf; not for pi")
		.action(actions.export);
	command("fork", "make a session of the path to an entry", [
		"fork rome 3f2a9c01",
		"fork rome 3f2a9c01 --at --id rain",
	])
		.addArgument(session())
		.argument("<entry>", "a message of the user; with --at any entry")
		.option("--at", "with the entry itself, instead of what is before it")
		.option("--id <id>", "the new session's id")
		.action(actions.fork);
	command("watch", "print what is appended, as it happens", ["watch rome", "watch rome --after 0 --json"])
		.addArgument(session())
		.option("--after <seq>", "what comes after this place of the log; 0 for all", wholeNumber(0))
		.action(actions.watch);
	command("fsck", "check that sessions are whole, and the same as pi's files", ["fsck", "fsck rome --json"])
		.argument("[session...]", "ids of sessions; all unless given")
		.option("--folder <folder>", "session files to compare with; pi's unless given")
		.addHelpText("after", fsckHelp)
		.action(actions.fsck);
	return program;
}

const programHelp = `
Exit status: 0 all well; 1 something was not (a conflict, a file with faults, an error); 2 the command line is wrong.

Examples:
  $ export LEAFLOG_URL=https://sessions.example.com LEAFLOG_TOKEN=...
  $ leaflog push                  the sessions of this machine to the service
  $ leaflog pull                  those of the service to this machine
  $ leaflog ls -q "rainy day"
  $ leaflog help push
`;

const fsckHelp = `
It asks the service, as any client does. Whoever has the bucket checks the stored objects themselves, and repairs them,
with \`npm run fsck\` in Leaflog's repository.
`;

function wholeNumber(least: number): (text: string) => number {
	return (text) => {
		const number = Number(text);
		if (!/^\d+$/.test(text) || number < least)
			throw new InvalidArgumentError(`Expected a number from ${least}.`);
		return number;
	};
}
