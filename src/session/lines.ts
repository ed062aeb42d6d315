const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * The lines of a file, as views of its bytes: split at line feeds only, without the carriage return of a CRLF and
 * without a byte order mark at the beginning. The last line needs no line feed; after one there is no further line.
 */
export function splitLines(file: Uint8Array): Uint8Array[] {
	const lines: Uint8Array[] = [];
	let start = file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf ? 3 : 0;
	while (start < file.length) {
		const found = file.indexOf(lineFeed, start);
		const end = found < 0 ? file.length : found;
		const last = end > start && file[end - 1] === carriageReturn ? end - 1 : end;
		lines.push(file.subarray(start, last));
		start = end + 1;
	}
	return lines;
}

/** True for a line that holds nothing but white space. */
export function isBlank(line: Uint8Array): boolean {
	return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === carriageReturn);
}
