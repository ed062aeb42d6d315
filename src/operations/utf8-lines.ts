import { splitLines } from "../session/lines.ts";

/** A file's text, and what had to be done to make it one. */
export interface Utf8File {
	readonly bytes: Uint8Array;
	/** Numbers, from 1, of the lines that were not UTF-8: they have U+FFFD now where nothing could be read. */
	readonly lines: readonly number[];
}

/** Makes sure that a file is UTF-8, since its lines are handed on as they are. */
export function asUtf8(file: Uint8Array): Utf8File {
	const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
	const broken: number[] = [];
	for (const [at, line] of splitLines(file).entries()) if (!isText(strict, line)) broken.push(at + 1);
	if (broken.length === 0) return { bytes: file, lines: broken };
	const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(file);
	return { bytes: new TextEncoder().encode(text), lines: broken };
}

function isText(decoder: TextDecoder, bytes: Uint8Array): boolean {
	try {
		decoder.decode(bytes);
		return true;
	} catch {
		return false;
	}
}
