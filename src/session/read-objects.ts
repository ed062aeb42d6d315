import { limits } from "../../schemas/limits.ts";
import { isRecord, type JsonRecord } from "./entry.ts";
import { jsonDepth, separateTexts } from "./json-text.ts";
import { isBlank } from "./lines.ts";

/** One record of a file, or what is wrong with the line it should be on. */
export type FileObject =
	| {
			readonly line: number;
			readonly bytes: Uint8Array;
			readonly value: JsonRecord;
			/** It has its line to itself. */
			readonly whole: boolean;
			/** It is the first on its line. */
			readonly first: boolean;
			readonly problem?: undefined;
	  }
	/** `counts`: pi reads it as a record all the same. */
	| { readonly line: number; readonly problem: string; readonly counts: boolean };

/** Reads a file's lines one by one, numbered from 1. Blank ones are passed over. */
export function* readObjects(lines: readonly Uint8Array[]): Generator<FileObject> {
	for (const [place, bytes] of lines.entries()) {
		const line = place + 1;
		if (isBlank(bytes)) continue;
		if (jsonDepth(bytes) > limits.jsonDepth) {
			yield { line, problem: `more than ${limits.jsonDepth} levels deep`, counts: true };
			continue;
		}
		const parsed = parseJson(bytes);
		if (parsed === undefined) yield* separated(line, bytes);
		else if (isRecord(parsed.value)) {
			yield { line, bytes, value: parsed.value, whole: true, first: true };
		} else yield { line, problem: "no JSON object", counts: Boolean(parsed.value) };
	}
}

/** The records of a line that holds several, where all of them can be read. */
function* separated(line: number, bytes: Uint8Array): Generator<FileObject> {
	const parts = separateTexts(bytes).map((part) => ({ part, value: parseJson(part)?.value }));
	if (parts.length < 2 || !parts.every(({ value }) => isRecord(value))) {
		yield { line, problem: "no JSON", counts: false };
		return;
	}
	for (const [place, { part, value }] of parts.entries()) {
		if (isRecord(value)) yield { line, bytes: part, value, whole: false, first: place === 0 };
	}
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

function parseJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
	try {
		return { value: JSON.parse(decoder.decode(bytes)) };
	} catch {
		return undefined;
	}
}
