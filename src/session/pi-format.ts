import { leafMarkerType } from "../../schemas/entry.ts";
import { type Entry, type JsonRecord, stringOf } from "./entry.ts";
import { byLine, Findings, type LineProblem, type Repair } from "./findings.ts";
import { type Header, readHeader } from "./header.ts";
import { isBlank, splitLines } from "./lines.ts";
import { type Draft, linkEntries } from "./link-entries.ts";
import { Migration } from "./migration.ts";
import { readObjects } from "./read-objects.ts";
import { recordOf, type SessionRecord } from "./record.ts";

export interface ReadOptions {
	/** Keep what can be kept, and tell what was done. Otherwise a file with any problem is refused. */
	readonly repair?: boolean;
	/** The id the session will have, where not the file's. */
	readonly id?: string;
	/** Gives entry ids of the usual form; asked again while it gives one that is taken. */
	readonly newId: () => string;
}

export type ReadResult =
	| {
			readonly kind: "session";
			/** The header's fields, version 3. It lacks an id where the file has none that would do. */
			readonly header: JsonRecord;
			/** The header's line as it is in the file, where that is still right. */
			readonly headerLine?: Uint8Array;
			/** In file order. */
			readonly records: readonly SessionRecord[];
			/** The leaf after the last of them. */
			readonly head: string | null;
			readonly repairs: readonly Repair[];
	  }
	/** All that is wrong, by line. */
	| { readonly kind: "invalid"; readonly problems: readonly LineProblem[] };

/**
 * Reads a session file of pi, version 1 to 3. Lines that need no migration and no repair are kept byte for byte.
 */
export function readSessionFile(file: Uint8Array, options: ReadOptions): ReadResult {
	const findings = new Findings(options.repair === true);
	const lines = splitLines(file);
	const header = readHeader(lines, options.id, findings);
	const drafts = header === undefined ? [] : draftEntries(lines, header, options.newId, findings);
	if (header === undefined) {
		if (!lines.some((line) => !isBlank(line))) return invalid(findings, "the file is empty");
		for (const { line, problem } of readObjects(lines)) if (problem) findings.add(line, problem, "");
		return invalid(findings, "there is no session header");
	}
	const linked = linkEntries(drafts, options.newId, findings);
	if (!findings.repair && findings.repairs.length > 0) return invalid(findings);
	return {
		kind: "session",
		header: header.fields,
		...(header.bytes === undefined ? {} : { headerLine: header.bytes }),
		...linked,
		repairs: byLine(findings.repairs),
	};
}

function invalid(findings: Findings, problem?: string): ReadResult {
	const problems = byLine(findings.repairs).map(({ line, problem }) => ({ line, problem }));
	return {
		kind: "invalid",
		problems: problem === undefined ? problems : [{ line: 1, problem }, ...problems],
	};
}

/** The drafts of all entries, in file order; what is none is reported. */
function draftEntries(
	lines: readonly Uint8Array[],
	header: Header,
	newId: () => string,
	findings: Findings,
): Draft[] {
	const migration = new Migration(header.version, distinct(newId));
	const drafts: Draft[] = [];
	let headers = 0;
	for (const object of readObjects(lines)) {
		const { line, problem } = object;
		if (problem !== undefined) {
			if (object.counts) migration.skip();
			findings.add(line, problem, "dropped");
			continue;
		}
		if (!object.whole && object.first) findings.add(line, "more than one record on a line", "separated");
		if (object.value.type === "session") {
			if (object.whole) migration.skip();
			if (++headers > 1) findings.add(line, "a second session header", "dropped");
			continue;
		}
		if (line < header.line) findings.add(line, "an entry before the session header", "kept");
		const value = migration.migrate(object.value, object.whole);
		const draft = draftOf(line, value, value === object.value ? object.bytes : undefined, findings);
		if (draft !== undefined) drafts.push(draft);
	}
	return drafts;
}

function distinct(newId: () => string): () => string {
	const given = new Set<string>();
	return () => {
		let id = newId();
		while (given.has(id)) id = newId();
		given.add(id);
		return id;
	};
}

function draftOf(
	line: number,
	value: JsonRecord,
	bytes: Uint8Array | undefined,
	findings: Findings,
): Draft | undefined {
	if (typeof value.type !== "string") {
		if (typeof value.id !== "string") {
			findings.add(line, "no entry: it has neither type nor id", "dropped");
			return undefined;
		}
		findings.add(line, "an entry without type", "kept");
	}
	const fields = { ...value, id: stringOf(value.id) ?? "" } as Entry;
	return {
		line,
		record: recordOf(bytes === undefined ? fields : (value as Entry), bytes),
		id: stringOf(value.id),
		parentId: value.parentId === null ? null : stringOf(value.parentId),
		targetId: value.targetId === null ? null : stringOf(value.targetId),
		isMarker: value.type === "custom" && value.customType === leafMarkerType,
	};
}
