import { checksum } from "./checksum.ts";
import {
	decodeText,
	type Header,
	headerAllowance,
	parseCommitLine,
	parseHeader,
	type Tombstone,
} from "./commit.ts";
import { Corrupt } from "./errors.ts";
import { parseIndexBlock } from "./index-block.ts";

/** What an object says, as far as its checksums vouch for it. */
export interface Examined {
	/** Where it is sound. */
	readonly header?: Header | Tombstone;
	/** Index lines of each commit that it carries, oldest first; none where header or index is damaged. */
	readonly texts: readonly string[];
	/** What is wrong with its header or its index. */
	readonly problem?: string;
}

/** Looks at an object by itself, bodies aside. */
export function examineObject(key: string, n: number, bytes: Uint8Array): Examined {
	let header: Header | Tombstone | undefined;
	try {
		const parsed = parseHeader(key, n, bytes);
		if (parsed === undefined) throw new Corrupt(key, "is cut short");
		header = parsed.header;
		if (header.kind === "tombstone") return { header, texts: [] };
		const index = bytes.subarray(parsed.headerLength, parsed.headerLength + header.indexLength);
		if (checksum(index) !== header.indexChecksum)
			throw new Corrupt(key, "the index does not match its checksum");
		// How many records lie before it is told by the objects before it.
		const before = Number.MAX_SAFE_INTEGER;
		parseIndexBlock(key, { first: n - header.indexCarried + 1, last: n, before }, index);
		return { header, texts: splitIndex(key, index) };
	} catch (error) {
		if (!(error instanceof Corrupt)) throw error;
		return { header, texts: [], problem: error.message.slice(key.length + 2) };
	}
}

/** The index lines of each commit, its own line first. */
function splitIndex(key: string, index: Uint8Array): string[] {
	const lines = decodeText(key, index).split("\n");
	const texts: string[] = [];
	for (let line = 0; line < lines.length - 1; ) {
		const next = line + 1 + parseCommitLine(key, lines[line]!).count;
		texts.push(`${lines.slice(line, next).join("\n")}\n`);
		line = next;
	}
	return texts;
}

/**
 * Index lines that may be the own ones of an object whose header is damaged. Nothing vouches for them yet but that
 * they end where the commit's line says.
 */
export function* salvageIndex(key: string, bytes: Uint8Array): Generator<string> {
	const bracket = 91; // "[": an index line starts with it
	const most = Math.min(bytes.length, headerAllowance);
	for (
		let start = bytes.indexOf(bracket);
		start >= 0 && start < most;
		start = bytes.indexOf(bracket, start + 1)
	)
		yield* walkIndex(key, bytes, start);
}

function* walkIndex(key: string, bytes: Uint8Array, start: number): Generator<string> {
	for (let at = start; ; ) {
		let end = bytes.indexOf(10, at) + 1;
		if (end === 0) return;
		try {
			const { count, prefixLength } = parseCommitLine(key, decodeText(key, bytes.subarray(at, end)));
			for (let k = 0; k < count; k++) {
				end = bytes.indexOf(10, end) + 1;
				if (end === 0) return;
			}
			if (end === prefixLength) yield decodeText(key, bytes.subarray(at, end));
		} catch (error) {
			if (error instanceof Corrupt) return;
			throw error;
		}
		at = end;
	}
}
