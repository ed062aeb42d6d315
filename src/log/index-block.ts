import { type CommitLine, decodeText, parseCommitLine, parseRecordLine, type RecordLine } from "./commit.ts";
import { Corrupt } from "./errors.ts";
import { isBlock } from "./field-checks.ts";

/** The index lines of some commits in a row, parsed. */
export interface IndexBlock {
	readonly bytes: Uint8Array;
	/** Oldest first. */
	readonly commits: readonly IndexedCommit[];
	/** Number of records of all of them. */
	readonly count: number;
}

export interface IndexedCommit {
	readonly line: CommitLine;
	/** Where its lines start in the block. */
	readonly at: number;
	readonly records: readonly { readonly line: RecordLine; readonly at: number }[];
}

/**
 * Parses the index lines of the commits `first` … `last`, before which the log has `before` records.
 * @throws Corrupt naming `key` if they are malformed, or if there are fewer or more of them.
 */
export function parseIndexBlock(
	key: string,
	{ first, last, before }: { readonly first: number; readonly last: number; readonly before: number },
	bytes: Uint8Array,
): IndexBlock {
	const lines = decodeText(key, bytes).split("\n");
	let line = 0;
	let offset = 0;
	const next = (): { text: string; at: number } => {
		const text = lines[line++];
		const at = offset;
		offset = bytes.indexOf(10, at) + 1;
		if (text === undefined || offset === 0) throw new Corrupt(key, "the index ends too early");
		return { text, at };
	};
	const commits: IndexedCommit[] = [];
	let count = 0;
	for (let n = first; n <= last; n++) {
		const { text, at } = next();
		const commit = parseCommitLine(key, text);
		if (!isBlock(n, commit.bodyCarried)) throw new Corrupt(key, `commit ${n} carries no block of bodies`);
		if ((n === 0) !== (commit.genesis !== undefined))
			throw new Corrupt(key, "the log's first line is misplaced");
		const records: { line: RecordLine; at: number }[] = [];
		for (let k = 0; k < commit.count; k++) {
			const { text, at } = next();
			const record = parseRecordLine(key, text);
			if (typeof record.parent === "number" && record.parent > before + count)
				throw new Corrupt(key, "a record hangs below the start of the log");
			records.push({ line: record, at });
			count++;
		}
		commits.push({ line: commit, at, records });
	}
	if (offset !== bytes.length) throw new Corrupt(key, "the index has more than its header says");
	return { bytes, commits, count };
}
