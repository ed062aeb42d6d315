import type { Entry } from "../../src/session/entry.ts";
import { type ReadOptions, readSessionFile } from "../../src/session/pi-format.ts";
import { entryOf } from "../../src/session/record.ts";

/** Ids 00000001, 00000002 … in the form that entries usually have. */
export function countedIds(): () => string {
	let count = 0;
	return () => (++count).toString(16).padStart(8, "0");
}

/** A file of these lines: texts as they are, values as JSON. */
export function fileOf(...lines: readonly unknown[]): Uint8Array {
	const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
	return new TextEncoder().encode(texts.map((text) => `${text}\n`).join(""));
}

export function textOf(bytes: Uint8Array): string {
	return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
}

export function read(file: Uint8Array, options: Partial<ReadOptions> = {}) {
	return readSessionFile(file, { newId: countedIds(), ...options });
}

/** The header and entries of a file that has nothing wrong with it. */
export function entriesOfFile(file: Uint8Array): { header: object; entries: Entry[] } {
	const result = read(file);
	if (result.kind === "invalid") throw new Error(JSON.stringify(result.problems));
	return { header: result.header, entries: result.records.map((record) => entryOf(record.bytes)) };
}
