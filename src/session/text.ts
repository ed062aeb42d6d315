import { isRecord } from "./entry.ts";

/** The text blocks of a content, one by one; a string is one. Whatever else is in there says nothing. */
export function textBlocks(content: unknown): string[] {
	if (typeof content === "string") return [content];
	if (!Array.isArray(content)) return [];
	const texts: string[] = [];
	for (const block of content) {
		if (isRecord(block) && block.type === "text" && typeof block.text === "string") texts.push(block.text);
	}
	return texts;
}

/** The text of a content: its blocks, with a separator between them. */
export function contentText(content: unknown, separator: string): string {
	return textBlocks(content).join(separator);
}

/** The first `length` UTF-16 units of a text, one less where that would cut a surrogate pair. */
export function cutText(text: string, length: number): string {
	if (text.length <= length) return text;
	const last = text.charCodeAt(length - 1);
	const next = text.charCodeAt(length);
	const cuts = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
	return text.slice(0, cuts ? length - 1 : length);
}

/** UTF-8 bytes of one code point. */
function utf8Length(point: number): number {
	if (point < 0x80) return 1;
	if (point < 0x800) return 2;
	return point < 0x10000 ? 3 : 4;
}

/** Text that a preview is taken from: mostly the first will do, unless it is full of white space. */
const previewScans = [256, 4096];

/**
 * The beginning of a text on one line: white space runs become one space, lone surrogates U+FFFD.
 * At most `characters` UTF-16 units and `bytes` of UTF-8, never half a surrogate pair.
 */
export function previewOf(text: string, characters = 80, bytes = 120): string {
	let line = "";
	for (const scan of previewScans) {
		line = cutText(text, scan).toWellFormed().replace(/\s+/gu, " ").trim();
		const units = fittingUnits(line, characters, bytes);
		if (units < line.length) return line.slice(0, units);
		if (text.length <= scan) break;
	}
	return line;
}

/** UTF-16 units of the longest beginning that fits. */
function fittingUnits(line: string, characters: number, bytes: number): number {
	let used = 0;
	let units = 0;
	for (const character of line) {
		used += utf8Length(character.codePointAt(0) ?? 0);
		if (units + character.length > characters || used > bytes) break;
		units += character.length;
	}
	return units;
}
