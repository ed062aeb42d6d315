import { entryTypes } from "../../schemas/entry.ts";
import { sessionIdPattern } from "../../schemas/session.ts";
import { type JsonRecord, numberOf, type SessionHeader, stringOf } from "./entry.ts";
import type { Findings } from "./findings.ts";
import { readObjects } from "./read-objects.ts";

/** The version of the files that are written. */
export const currentVersion = 3;

/** A file's header. */
export interface Header {
	/** The line it is on; 0 where it had to be made. */
	readonly line: number;
	/** The version of the entries in the file. */
	readonly version: number;
	/** Its fields, brought to the current version. */
	readonly fields: JsonRecord;
	/** Its line, where nothing had to be changed. */
	readonly bytes?: Uint8Array;
}

/** True for an id that a session may have. */
export function isSessionId(value: unknown): value is string {
	return typeof value === "string" && sessionIdPattern.test(value);
}

/**
 * Finds a file's header: its first record. Undefined where the file is no session.
 * `id` is the id the session will have, where not the file's.
 */
export function readHeader(
	lines: readonly Uint8Array[],
	id: string | undefined,
	findings: Findings,
): Header | undefined {
	let firstEntry: JsonRecord | undefined;
	for (const object of readObjects(lines)) {
		if (object.problem !== undefined) continue;
		const { value, line } = object;
		if (value.type === "session")
			return headerOf(value, line, object.whole ? object.bytes : undefined, id, findings);
		if (!findings.repair) return undefined;
		if (entryTypes.some((type) => type === value.type)) firstEntry ??= value;
	}
	if (firstEntry === undefined) return undefined;
	findings.add(1, "there is no session header", "one was made");
	const version = typeof firstEntry.id === "string" ? currentVersion : 1;
	const timestamp = stringOf(firstEntry.timestamp);
	const fields = {
		type: "session",
		version: currentVersion,
		...(id === undefined ? {} : { id }),
		...(timestamp === undefined ? {} : { timestamp }),
		cwd: "/",
	};
	return { line: 0, version, fields };
}

function headerOf(
	value: JsonRecord,
	line: number,
	bytes: Uint8Array | undefined,
	newId: string | undefined,
	findings: Findings,
): Header {
	const version = versionOf(value.version, line, findings);
	const id = newId ?? value.id;
	if (!isSessionId(id)) findings.add(line, "the session id is missing or not allowed", "given another id");
	const { type, version: given, id: givenId, ...rest } = value;
	if (bytes !== undefined && given === currentVersion && id === givenId && isSessionId(id)) {
		return { line, version, fields: value, bytes };
	}
	const known = isSessionId(id) ? { id } : {};
	return { line, version, fields: { type, version: currentVersion, ...known, ...rest } };
}

function versionOf(value: unknown, line: number, findings: Findings): number {
	if (value === undefined || value === null) return 1;
	const version = numberOf(value);
	if (version !== undefined && version <= currentVersion) return version < 2 ? 1 : Math.floor(version);
	findings.add(line, `unknown session version ${JSON.stringify(value)}`, `read as version ${currentVersion}`);
	return currentVersion;
}

/** The header of a new session. */
export function newHeader(header: {
	readonly id: string;
	readonly timestamp: string;
	readonly cwd: string;
	readonly parentSession?: string;
}): SessionHeader {
	const { id, timestamp, cwd, parentSession } = header;
	return {
		type: "session",
		version: currentVersion,
		id,
		timestamp,
		cwd,
		...(parentSession === undefined ? {} : { parentSession }),
	};
}
