import { type Dirent, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** A line of a session file. */
export interface FileEntry {
	readonly id: string;
	readonly parentId: string | null;
	readonly type: string;
	readonly customType?: unknown;
	readonly [key: string]: unknown;
}

/** A session file as it was read. */
export interface SessionFile {
	readonly id: string;
	readonly version: number;
	readonly entries: readonly FileEntry[];
	readonly text: string;
}

/** Tells whether a file has changed without reading it. */
export interface Stamp {
	readonly size: number;
	readonly modified: number;
}

/** All session files below a folder, as paths from there, in order. */
export async function sessionFiles(folder: string): Promise<string[]> {
	if (!existsSync(folder)) return [];
	const found: Dirent[] = await readdir(folder, { recursive: true, withFileTypes: true });
	return found
		.filter((item) => item.isFile() && item.name.endsWith(".jsonl"))
		.map((item) => relative(folder, join(item.parentPath, item.name)))
		.sort();
}

export async function stampOf(path: string): Promise<Stamp | undefined> {
	try {
		const { size, mtimeMs } = await stat(path);
		return { size, modified: Math.floor(mtimeMs) };
	} catch {
		return undefined;
	}
}

/** @throws Error where it is no session file */
export async function readSessionFile(path: string): Promise<SessionFile> {
	const text = await readFile(path, "utf8");
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const [header, ...entries] = lines.map((line, at) => parsed(line, at + 1));
	if (header?.type !== "session" || typeof header.id !== "string") {
		throw new Error("line 1 is no session header");
	}
	const version = typeof header.version === "number" ? header.version : 1;
	return { id: header.id, version, entries, text };
}

function parsed(line: string, number: number): FileEntry {
	try {
		return JSON.parse(line) as FileEntry;
	} catch {
		throw new Error(`line ${number} is no JSON`);
	}
}

/** The id of the session in a file, from its first line alone; undefined where it is none. */
export async function sessionIdOf(path: string): Promise<string | undefined> {
	try {
		return (await readSessionFile(path)).id;
	} catch {
		return undefined;
	}
}

/** Where pi looks for a session: below a folder for its working directory. Nothing of it can lead elsewhere. */
export function pathFor(session: {
	readonly id: string;
	readonly cwd: string;
	readonly timestamp: string;
}): string {
	const folder = session.cwd.replace(/^[/\\]/, "").replaceAll(/[/\\:\0]/g, "-");
	const time = session.timestamp.replaceAll(/[^0-9A-Za-z]/g, "-");
	return join(`--${folder}--`, `${time}_${session.id.replaceAll(/[^\w.-]/g, "-")}.jsonl`);
}

/** Whole or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	const draft = `${path}.${process.pid}.tmp`;
	await writeFile(draft, text);
	await rename(draft, path);
}
