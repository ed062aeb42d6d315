import { type Dirent, existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** Tells whether a file has changed without reading it. */
export interface Stamp {
	/** Bytes. */
	readonly size: number;
	/** Epoch milliseconds. */
	readonly modified: number;
}

/** All session files below a folder, as paths from there, in order. */
export async function sessionFiles(folder: string): Promise<string[]> {
	return (await filesBelow(folder)).filter((path) => path.endsWith(".jsonl")).sort();
}

async function filesBelow(folder: string): Promise<string[]> {
	if (!existsSync(folder)) return [];
	const found: Dirent[] = await readdir(folder, { recursive: true, withFileTypes: true });
	return found
		.filter((item) => item.isFile())
		.map((item) => relative(folder, join(item.parentPath, item.name)));
}

export async function stampOf(path: string): Promise<Stamp | undefined> {
	try {
		const { size, mtimeMs } = await stat(path);
		return { size, modified: Math.floor(mtimeMs) };
	} catch {
		return undefined;
	}
}

export function sameStamp(one: Stamp | undefined, other: Stamp | undefined): boolean {
	return one !== undefined && one.size === other?.size && one.modified === other.modified;
}

const longestHeader = 1024 * 1024;

/** The id of the session in a file, from its first line alone; undefined where it is none. */
export async function sessionIdOf(path: string): Promise<string | undefined> {
	const file = await open(path).catch(() => undefined);
	try {
		const buffer = Buffer.alloc(Math.min(longestHeader, (await file?.stat())?.size ?? 0));
		const { bytesRead = 0 } = (await file?.read(buffer, 0, buffer.length, 0)) ?? {};
		const [line = ""] = buffer
			.toString("utf8", 0, bytesRead)
			.replace(/^\ufeff/, "")
			.split("\n", 1);
		const header: unknown = JSON.parse(line);
		const { type, id } = header as { readonly type?: unknown; readonly id?: unknown };
		return type === "session" && typeof id === "string" ? id : undefined;
	} catch {
		return undefined;
	} finally {
		await file?.close();
	}
}

/**
 * Where pi looks for a session: below a folder for its working directory, or, where all are in one folder, right
 * there. Nothing of a session's own can lead elsewhere.
 */
export function pathFor(
	session: { readonly id: string; readonly cwd: string; readonly timestamp: string },
	flat: boolean,
): string {
	const time = session.timestamp.replaceAll(/[^0-9A-Za-z]/g, "-");
	const name = `${time}_${session.id.replaceAll(/[^\w.-]/g, "-")}.jsonl`;
	if (flat) return name;
	const folder = session.cwd.replace(/^[/\\]/, "").replaceAll(/[/\\:\0]/g, "-");
	return join(`--${folder}--`, name);
}

const draftPattern = /\.leaflog-(\d+)\.tmp$/;

/**
 * Writes a file whole or not at all.
 * @param modified what the file's time is set to, epoch milliseconds
 * @param stillWanted is asked right before the file takes its place
 * @returns false where it wasn't wanted any more
 */
export async function writeWhole(
	path: string,
	chunks: AsyncIterable<Uint8Array>,
	modified: number,
	stillWanted: () => Promise<boolean>,
): Promise<boolean> {
	await mkdir(dirname(path), { recursive: true });
	const draft = `${path}.leaflog-${process.pid}.tmp`;
	try {
		const file = await open(draft, "w");
		try {
			for await (const chunk of chunks) await file.writeFile(chunk);
			await file.sync();
		} finally {
			await file.close();
		}
		await utimes(draft, modified / 1000, modified / 1000);
		if (!(await stillWanted())) return false;
		await rename(draft, path);
		return true;
	} finally {
		await rm(draft, { force: true });
	}
}

/** Removes what runs that were killed have left. */
export async function removeDrafts(folder: string): Promise<void> {
	for (const path of await filesBelow(folder)) {
		const pid = draftPattern.exec(path)?.[1];
		if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, path), { force: true });
	}
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
