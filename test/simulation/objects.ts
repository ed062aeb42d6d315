import {
	type CommitLine,
	type Header,
	parseCommitLine,
	parseHeader,
	parseRecordLine,
	type RecordLine,
	type Tombstone,
} from "../../src/log/commit.ts";
import { commitNumber } from "../../src/log/keys.ts";
import type { Landing } from "./bucket.ts";
import type { Chronicle, LoggedRecord } from "./history.ts";

/** A commit's object, taken apart by nothing but what its own header says. */
export interface LiveObject {
	readonly landing: Landing;
	readonly header: Header;
	/** Bytes of header and index. */
	readonly prefixLength: number;
	/** Of the carried commits, oldest first, its own last: the index lines as text, and parsed. */
	readonly commits: readonly CarriedCommit[];
	/** Body lines, oldest first, the log's first line included where it is carried. */
	readonly bodies: readonly string[];
}

export interface CarriedCommit {
	readonly n: number;
	readonly text: string;
	readonly line: CommitLine;
	readonly records: readonly RecordLine[];
}

/** The objects of one log in the order of their numbers, up to its end; what landed beside that. */
export interface Objects {
	readonly live: readonly LiveObject[];
	readonly tombstone: { readonly landing: Landing; readonly header: Tombstone } | undefined;
	/** Created where a number had been taken before, or beyond the tombstone. */
	readonly strays: readonly Landing[];
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Sorts out what was ever created below a log's prefix. */
export function objectsOf(landings: readonly Landing[]): Objects {
	const live: LiveObject[] = [];
	const strays: Landing[] = [];
	let tombstone: Objects["tombstone"];
	for (const landing of landings) {
		const n = commitNumber(landing.key);
		if (n !== live.length || tombstone) {
			strays.push(landing);
			continue;
		}
		const { header, headerLength } = parseHeader(landing.key, n, landing.bytes)!;
		if (header.kind === "tombstone") tombstone = { landing, header };
		else live.push(takeApart(landing, header, headerLength));
	}
	return { live, tombstone, strays };
}

function takeApart(landing: Landing, header: Header, headerLength: number): LiveObject {
	const prefixLength = headerLength + header.indexLength;
	const lines = linesOf(landing.bytes.subarray(headerLength, prefixLength));
	const commits: CarriedCommit[] = [];
	for (let n = header.n - header.indexCarried + 1; n <= header.n; n++) {
		const own = lines.shift()!;
		const line = parseCommitLine(landing.key, own);
		const texts = lines.splice(0, line.count);
		const records = texts.map((text) => parseRecordLine(landing.key, text));
		commits.push({ n, text: [own, ...texts].join("\n"), line, records });
	}
	if (lines.length > 0) throw new Error(`${landing.key}: ${lines.length} index lines too many`);
	return { landing, header, prefixLength, commits, bodies: linesOf(landing.bytes.subarray(prefixLength)) };
}

function linesOf(bytes: Uint8Array): string[] {
	const lines = decoder.decode(bytes).split("\n");
	if (lines.pop() !== "") throw new Error("the last line does not end");
	return lines;
}

/** What the objects say of the log, for the checker. */
export function chronicleOf({ live, tombstone }: Objects): Chronicle {
	const ids: string[] = [];
	let tag = "";
	return {
		genesisTag: live[0] && ofClient(live[0].commits.at(-1)!.line.genesis!.tag),
		ended: tombstone?.landing.step,
		commits: live.map(({ landing, commits }) => {
			const own = commits.at(-1)!;
			tag = own.line.genesis?.tag ?? tag;
			const records = own.records.map((record): LoggedRecord => {
				tag = record.tag ?? tag;
				const parent = typeof record.parent === "number" ? ids[ids.length - record.parent]! : record.parent;
				ids.push(record.id);
				const head = record.head === undefined ? record.id : record.head;
				return { id: record.id, parent, tag: ofClient(tag), head };
			});
			return { step: landing.step, records };
		}),
	};
}

/** The part of a tag that its client gave. */
function ofClient(tag: string): string {
	return tag.replace(/#.*/, "");
}
