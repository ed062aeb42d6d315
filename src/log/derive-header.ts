import { checksum } from "./checksum.ts";
import { encodeHeader, type Header, parseCommitLine, parseRecordLine } from "./commit.ts";
import { type CoverNode, extendCover, lowbit, namedCover } from "./fenwick.ts";
import { commitKey } from "./keys.ts";
import type { LogIndex } from "./log-index.ts";

/** What is known of a log up to the commit before the one that is asked for. */
export interface KnownLog {
	readonly prefix: string;
	readonly index: LogIndex;
	readonly cover: readonly CoverNode[];
	/** Index lines of each commit. */
	readonly texts: readonly (string | undefined)[];
}

/** Header and index of an object, as they must have been. */
export interface DerivedPrefix {
	readonly header: Omit<Header, "kind">;
	readonly headerLine: Uint8Array;
	readonly index: Uint8Array;
	/** The cover after this commit. */
	readonly cover: readonly CoverNode[];
}

const encoder = new TextEncoder();

/**
 * What commit n's header and index must be, from its own index lines and from what is before it. How many commits'
 * lines it carries is the one thing that no other object tells; it follows from the length that its own line tells.
 * Undefined where no block gives that length.
 */
export function derivePrefix(known: KnownLog, n: number, text: string): DerivedPrefix | undefined {
	const key = commitKey(known.prefix, n);
	const lines = text.split("\n");
	const own = parseCommitLine(key, lines[0]!);
	const last = own.count === 0 ? undefined : parseRecordLine(key, lines[own.count]!);
	const head =
		last === undefined ? known.index.head(known.index.length) : last.head === undefined ? last.id : last.head;
	for (let carried = 1; carried <= lowbit(n + 1); carried *= 2) {
		const index = encoder.encode(known.texts.slice(n - carried + 1, n).join("") + text);
		if (index.length >= own.prefixLength) return undefined;
		const cover = extendCover(known.cover, { n, carried, prefixLength: own.prefixLength });
		const header = {
			n,
			writeId: own.writeId,
			previous: n === 0 ? null : known.index.commit(n - 1).writeId,
			length: known.index.length + own.count,
			head,
			indexCarried: carried,
			indexLength: index.length,
			indexChecksum: checksum(index),
			bodyCarried: own.bodyCarried,
			cover: namedCover(n, cover),
		};
		const headerLine = encodeHeader(known.prefix, header);
		if (headerLine.length + index.length === own.prefixLength) return { header, headerLine, index, cover };
	}
	return undefined;
}

/**
 * Whether what is left of a damaged header bears witness to what it must have been: its checksum does, or all of it
 * but its checksum.
 */
export function isConfirmedBy(headerLine: Uint8Array, damaged: Uint8Array): boolean {
	const sum = headerLine.length - '12345678"}\n'.length;
	const isSame = (from: number, to: number) =>
		headerLine.subarray(from, to).every((byte, k) => byte === damaged[from + k]);
	return isSame(sum, sum + 8) || isSame(0, sum);
}
