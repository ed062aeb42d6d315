import { createHash } from "node:crypto";
import type { Session } from "../../schemas/session.ts";
import { isRecord, type JsonRecord, type SessionHeader, stringOf } from "../session/entry.ts";
import { byLine, type LineProblem, type Repair } from "../session/findings.ts";
import { splitLines } from "../session/lines.ts";
import { readSessionFile } from "../session/pi-format.ts";
import type { Call } from "./call.ts";
import { metadataTooLarge } from "./incoming-entries.ts";
import { idFor, type MadeSession, makeSession, replayOr, unmetPrecondition } from "./make-session.ts";
import { newEntryId } from "./new-id.ts";
import { done, type Outcome } from "./outcome.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { asUtf8 } from "./utf8-lines.ts";
import type { Precondition } from "./version.ts";

export interface ImportRequest {
	/** Reads the file. */
	readonly file: () => Promise<Uint8Array>;
	/** The id to store it under; the file's unless given. */
	readonly id?: string;
	/** Keep what can be kept, instead of refusing a file with anything wrong in it. */
	readonly repair: boolean;
	readonly key?: string;
	readonly ifMatch?: Precondition;
}

export interface Imported {
	readonly session: Session;
	/** Entries that were stored. */
	readonly imported: number;
	/** What was done about each line that was not as it should be. */
	readonly repairs?: readonly Repair[];
}

/** Makes a session of a pi session file, whole or not at all. */
export async function importSession(call: Call, request: ImportRequest): Promise<Outcome<Imported>> {
	// Who sends slowly holds up nobody.
	const file = await request.file();
	const outcome = await call.imports.take(() => importFile(call, request, file));
	return outcome ?? refuse("contention", "Other files are being imported; nothing was stored");
}

async function importFile(call: Call, request: ImportRequest, file: Uint8Array): Promise<Outcome<Imported>> {
	const long = longLine(call, file);
	if (long) return long;
	const text = asUtf8(file);
	const read = readSessionFile(text.bytes, {
		repair: request.repair,
		...(request.id !== undefined && { id: request.id }),
		newId: () => newEntryId(call.random, () => false),
	});
	const unreadable = text.lines.map((line) => ({ line, problem: "not UTF-8", action: "read as U+FFFD" }));
	if (read.kind === "invalid") return notASession([...unreadable, ...read.problems]);
	if (unreadable.length > 0 && !request.repair) return notASession(unreadable);
	const repairs = byLine([...unreadable, ...read.repairs]);
	const header = headerOf(call, request, read.header);
	const metadata = metadataTooLarge(header.metadata, call.limits);
	if (metadata) return refuse("payload_too_large", metadata);
	const most = call.limits.sessionEntries;
	if (read.records.length > most) {
		return refuse("payload_too_large", `A session holds at most ${most} entries`);
	}

	const digest = createHash("sha256").update(file).digest("base64url");
	const asked = { by: "importSession", digest, repair: request.repair };
	const isSame = ({ request: made }: MadeSession) =>
		made.by === asked.by && made.digest === digest && made.repair === asked.repair;
	const target = { id: header.id, isSame, ...(request.key !== undefined && { key: request.key }) };
	const unmet = unmetPrecondition(request.ifMatch);
	const made = unmet
		? await replayOr(call, target, unmet)
		: await makeSession(call, {
				...target,
				header,
				...(read.headerLine && { headerLine: read.headerLine }),
				records: read.records,
				request: asked,
			});
	if (made.kind === "refused") return made;
	const imported = read.records.length;
	const told = request.repair ? { repairs: repairs.slice(0, call.limits.listedProblems) } : {};
	return done({ session: made.value, imported, ...told }, made.version, made.replayed);
}

/** The header with all that a session needs; a file may lack any of it. */
function headerOf(call: Call, request: ImportRequest, fields: JsonRecord): SessionHeader {
	const now = new Date(call.clock.now()).toISOString();
	return {
		...fields,
		type: "session",
		version: 3,
		id: stringOf(fields.id) ?? idFor(call, request),
		timestamp: stringOf(fields.timestamp) ?? now,
		cwd: stringOf(fields.cwd) ?? "/",
		...(isRecord(fields.metadata) && { metadata: fields.metadata }),
	};
}

function longLine(call: Call, file: Uint8Array): Refusal | undefined {
	const most = call.limits.entryBytes;
	const at = splitLines(file).findIndex((line) => line.length > most);
	if (at < 0) return undefined;
	const message = `An entry has at most ${most} bytes`;
	return refuse("payload_too_large", message, [{ path: `line ${at + 1}`, message, line: at + 1 }]);
}

function notASession(problems: readonly LineProblem[]): Refusal {
	const errors = byLine(problems).map(({ line, problem }) => ({
		path: `line ${line}`,
		message: problem,
		line,
	}));
	return refuse("unprocessable", "The file is not a session that could be imported as it is", errors);
}
