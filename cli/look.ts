import { rename, rm, writeFile } from "node:fs/promises";
import type { Entry, Leaflog, Session } from "../client/src/index.ts";
import { cut, plain } from "./plain.ts";
import type { Printer } from "./terminal.ts";
import { transcript } from "./transcript.ts";
import { treePicture } from "./tree-picture.ts";

/** Prints a list of sessions, the last used first. */
export async function list(
	leaflog: Leaflog,
	printer: Printer,
	options: { readonly query?: string; readonly cwd?: string; readonly limit: number },
): Promise<void> {
	const query = { ...(options.query && { q: options.query }), ...(options.cwd && { cwd: options.cwd }) };
	const sessions: Session[] = [];
	for await (const session of leaflog.sessions({ ...query, limit: Math.min(200, options.limit) })) {
		sessions.push(session);
		if (sessions.length >= options.limit) break;
	}
	if (printer.json) return printer.value(sessions);
	const { columns = Number.POSITIVE_INFINITY } = printer.terminal;
	for (const { id, modified, messageCount, name, firstMessage } of sessions) {
		const time = modified.slice(0, 16).replace("T", " ");
		const title = plain(name ?? firstMessage ?? "");
		printer.say(cut(`${id}  ${time}  ${String(messageCount).padStart(5)}  ${title}`, columns));
	}
}

/** Draws a session's tree. */
export async function tree(
	leaflog: Leaflog,
	printer: Printer,
	id: string,
	options: {
		readonly fold?: boolean;
		readonly filter?: string;
		readonly query?: string;
		readonly labeled?: boolean;
	},
): Promise<void> {
	const answer = await leaflog.session(id).tree({
		...(options.filter && { types: options.filter.split(",") as Entry["type"][] }),
		...(options.query && { q: options.query }),
		...(options.labeled && { labeled: true }),
	});
	if (printer.json) return printer.value(answer);
	const { columns } = printer.terminal;
	for (const line of treePicture(answer, { fold: options.fold ?? false, columns })) printer.say(line);
}

/** Prints a branch. */
export async function cat(
	leaflog: Leaflog,
	printer: Printer,
	id: string,
	options: { readonly from?: string },
): Promise<void> {
	const branch = await leaflog.session(id).branch(options.from ? { from: options.from } : {});
	for (const entry of branch.entries) show(printer, entry);
}

/** Writes a session as a file; a file that is there already is replaced whole or not at all. */
export async function exportFile(
	leaflog: Leaflog,
	printer: Printer,
	id: string,
	options: { readonly output?: string; readonly log?: boolean },
): Promise<void> {
	const text = await leaflog.session(id).export(options.log ? { format: "log" } : {});
	const { output } = options;
	if (output === undefined) return printer.lines(text);
	const draft = `${output}.leaflog-${process.pid}.tmp`;
	try {
		await writeFile(draft, text);
		await rename(draft, output);
	} finally {
		await rm(draft, { force: true });
	}
	if (printer.json) printer.value({ file: output });
	else printer.say(`written to ${output}`);
}

/** Makes a session of the path to an entry, and prints its id. */
export async function fork(
	leaflog: Leaflog,
	printer: Printer,
	id: string,
	entryId: string,
	options: { readonly at?: boolean; readonly id?: string },
): Promise<void> {
	const forked = await leaflog.session(id).fork({
		entryId,
		...(options.at && { position: "at" }),
		...(options.id && { id: options.id }),
	});
	if (printer.json) printer.value(forked);
	else printer.say(forked.session.id);
}

/** Prints what is appended, as it happens, until the session is deleted or the program is to stop. */
export async function watch(
	leaflog: Leaflog,
	printer: Printer,
	id: string,
	options: { readonly after?: number },
): Promise<void> {
	const events = leaflog.session(id).watch({
		...(options.after !== undefined && { after: options.after }),
		signal: printer.terminal.untilStopped(),
		onConnection: (state) => {
			if (state === "lost") printer.warn("the connection is lost, trying again");
		},
	});
	for await (const event of events) {
		if (printer.json) printer.value(event);
		else if (event.type === "entry") show(printer, event.entry);
		else printer.say("the session was deleted");
	}
}

function show(printer: Printer, entry: Entry): void {
	const text = printer.json ? undefined : transcript(entry);
	if (printer.json) printer.value(entry);
	else if (text !== undefined) printer.say(text);
}
