import type { Entry, Leaflog } from "../client/src/index.ts";
import { checkSession } from "./check-session.ts";
import { compare } from "./difference.ts";
import { sessionFiles, sessionIdOf } from "./pi-files.ts";
import { plain } from "./plain.ts";
import { readSessionFile } from "./session-file.ts";
import { forEach, isFatal, isRefusal, reasonOf } from "./sync.ts";
import { type Printer, ProgressBar } from "./terminal.ts";

/** What was found of a session. */
interface Checked {
	readonly session: string;
	/** Entries in its log. */
	readonly seq: number;
	/** What is wrong; empty where all holds together. */
	readonly problems: readonly string[];
	/** How the file of the session stands to it, where there is one. */
	readonly file?: { readonly path: string; readonly state: keyof typeof states };
}

const states = {
	same: "the file has the same",
	ahead: "the file has more: push",
	behind: "the file has less: pull",
	apart: "went on in both places: push --merge keeps both",
	old: "the file has an old format, without ids to compare",
};

/**
 * Checks sessions by what the service answers: that the log holds together, that what is said of the session agrees
 * with it, and that its entries are those of the file in a folder of session files.
 * @param only ids of sessions; all where it is empty
 */
export async function fsck(
	leaflog: Leaflog,
	printer: Printer,
	options: { readonly folder: string; readonly only: readonly string[] },
): Promise<{ readonly fine: boolean }> {
	const { folder, only } = options;
	const files = new Map<string, string>();
	for (const path of await sessionFiles(folder)) {
		const id = await sessionIdOf(`${folder}/${path}`);
		if (id !== undefined) files.set(id, path);
	}
	const ids = [...only];
	if (only.length === 0) for await (const { id } of leaflog.sessions({ limit: 200 })) ids.push(id);

	const bar = new ProgressBar(printer.terminal);
	const check = (id: string) => checked(leaflog, id, { folder, path: files.get(id), named: only.length > 0 });
	const all = await forEach(ids, check, (done, total, found) => {
		bar.clear();
		if (printer.json && found) printer.value(found);
		else if (found) printer.say(describe(found));
		bar.show(done, total);
	}).finally(() => bar.clear());
	const found = all.filter((one) => one !== undefined);
	const wrong = found.filter(({ problems }) => problems.length > 0).length;
	if (!printer.json) printer.say(`${found.length} checked, ${wrong} with something wrong`);
	return { fine: wrong === 0 };
}

function describe({ session, seq, problems, file }: Checked): string {
	const known = file === undefined ? "" : `; ${states[file.state]}`;
	if (problems.length === 0) return `${session}: ${seq} entries, sound${known}`;
	return problems.map((problem) => `${session}: ${plain(problem)}`).join("\n");
}

/** Undefined where the session was deleted while all were looked at. */
async function checked(
	leaflog: Leaflog,
	id: string,
	options: { readonly folder: string; readonly path: string | undefined; readonly named: boolean },
): Promise<Checked | undefined> {
	const { folder, path, named } = options;
	try {
		const { entries, ...check } = await checkSession(leaflog.session(id));
		return path === undefined ? check : await withFile(check, entries, folder, path);
	} catch (error) {
		if (isRefusal(error, 404, 410) && !named) return undefined;
		if (isFatal(error) || isRefusal(error, 404, 410)) throw error;
		return { session: id, seq: 0, problems: [`it can't be read: ${reasonOf(error)}`] };
	}
}

async function withFile(
	check: Checked,
	entries: readonly Entry[],
	folder: string,
	path: string,
): Promise<Checked> {
	try {
		const file = await readSessionFile(`${folder}/${path}`);
		if (file.version === 1) return { ...check, file: { path, state: "old" } };
		const { fresh, missing, changed } = compare(file.lines, entries);
		const [here, there] = [fresh.length > 0, missing.length > 0];
		const state = here && there ? "apart" : here ? "ahead" : there ? "behind" : "same";
		const problems = [
			...check.problems,
			...file.faults.map(({ line, problem }) => `${path}: line ${line} ${problem}`),
			...changed.map((entryId) => `${path}: entry ${entryId} is another one than in the service`),
		];
		return { ...check, problems, file: { path, state } };
	} catch (error) {
		return { ...check, problems: [...check.problems, `${path}: ${reasonOf(error)}`] };
	}
}
