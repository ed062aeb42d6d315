/** Looks at JSON texts without parsing them: how deep they go, and where one ends and the next begins. */

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** True for `{` and `[`, and for `}` and `]`: they differ in the bit that tells capital letters from small ones. */
function opens(byte: number): boolean {
	return byte === 0x7b || byte === 0x5b;
}
function closes(byte: number): boolean {
	return byte === 0x7d || byte === 0x5d;
}

/** The place after the string that begins at `start`; the end of the text where it isn't closed. */
function afterString(text: Uint8Array, start: number): number {
	for (let at = start + 1; at < text.length; at++) {
		const byte = text[at];
		if (byte === backslash) at++;
		else if (byte === quote) return at + 1;
	}
	return text.length;
}

/** How deep arrays and objects are inside one another in a JSON text. Not recursive. */
export function jsonDepth(text: Uint8Array): number {
	return shapeOf(text).depth;
}

/** Bytes that engines take for an empty object, and for a member or an item besides what it holds; rather too many. */
const containerBytes = 64;
const itemBytes = 32;

/** About how many bytes a JSON text takes once it is parsed, the text included: `[],[],` is twenty times itself. */
export function parsedBytes(text: Uint8Array): number {
	const { containers, commas } = shapeOf(text);
	return text.length + containers * containerBytes + commas * itemBytes;
}

function shapeOf(text: Uint8Array): {
	readonly depth: number;
	readonly containers: number;
	readonly commas: number;
} {
	let depth = 0;
	let deepest = 0;
	let containers = 0;
	let commas = 0;
	for (let at = 0; at < text.length; ) {
		const byte = text[at] ?? 0;
		if (byte === quote) {
			at = afterString(text, at);
			continue;
		}
		if (opens(byte)) {
			containers++;
			deepest = Math.max(deepest, ++depth);
		} else if (closes(byte)) depth--;
		else if (byte === comma) commas++;
		at++;
	}
	return { depth: deepest, containers, commas };
}

/**
 * Splits a line at the ends of its outermost objects and arrays: `{…}{…}` gives two parts, with white space around
 * them. One part where there is nothing to split.
 */
export function separateTexts(line: Uint8Array): Uint8Array[] {
	const parts: Uint8Array[] = [];
	let depth = 0;
	let start = 0;
	for (let at = 0; at < line.length; ) {
		const byte = line[at] ?? 0;
		if (byte === quote) {
			at = afterString(line, at);
			continue;
		}
		at++;
		if (opens(byte)) depth++;
		else if (closes(byte) && --depth === 0) {
			parts.push(line.subarray(start, at));
			start = at;
		}
	}
	const rest = line.subarray(start);
	if (rest.some((byte) => byte !== 0x20 && byte !== 0x09)) parts.push(rest);
	return parts;
}
