import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

/** An entry as a file has it. */
export interface FileEntry {
	readonly id: string;
	readonly parentId: string | null;
	readonly type: string;
	readonly [field: string]: unknown;
}

export interface FileLine {
	/** From 1. */
	readonly number: number;
	/** Bytes of the file up to the line's end, its line feed included. */
	readonly end: number;
	/** Bytes of the line. */
	readonly size: number;
	readonly entry: FileEntry;
}

/** A session file as it was read. */
export interface SessionFile {
	readonly id: string;
	/** 1 where the header names none. */
	readonly version: number;
	/** The entries' lines, in order. */
	readonly lines: readonly FileLine[];
	/** Lines that can't be read. */
	readonly faults: readonly { readonly line: number; readonly problem: string }[];
	readonly bytes: Buffer;
}

/** @throws Error where it is no session file */
export async function readSessionFile(path: string): Promise<SessionFile> {
	const bytes = await readFile(path);
	const lines: FileLine[] = [];
	const faults: { line: number; problem: string }[] = [];
	let header: { readonly [field: string]: unknown } | undefined;
	let number = 0;
	for (let start = 0; start < bytes.length; ) {
		number++;
		const feed = bytes.indexOf(0x0a, start);
		const end = feed < 0 ? bytes.length : feed + 1;
		const text = bytes
			.toString("utf8", start, end)
			.replace(/^\ufeff/, "")
			.trim();
		const size = end - start;
		start = end;
		if (text === "") continue;
		const value = objectOf(text);
		if (header === undefined) {
			if (value?.type !== "session" || typeof value.id !== "string") {
				throw new Error(`not a pi session: line ${number} is no session header`);
			}
			header = value;
		} else if (value !== undefined) lines.push({ number, end, size, entry: value as FileEntry });
		else faults.push({ line: number, problem: feed < 0 ? "is cut off in the middle" : "is no JSON object" });
	}
	if (header === undefined) throw new Error("not a pi session: the file is empty");
	const version = typeof header.version === "number" ? header.version : 1;
	return { id: header.id as string, version, lines, faults, bytes };
}

function objectOf(text: string): { readonly [field: string]: unknown } | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value)
			? (value as { readonly [field: string]: unknown })
			: undefined;
	} catch {
		return undefined;
	}
}

/** SHA-256 of the first so many bytes. */
export function digestOf(bytes: Uint8Array, size = bytes.length): string {
	return createHash("sha256").update(bytes.subarray(0, size)).digest("base64url");
}
