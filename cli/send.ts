import { type Leaflog, LeaflogError, type NewEntry, type Operations } from "../client/src/index.ts";
import { withoutMarks } from "./leaf-marks.ts";
import type { FileLine, SessionFile } from "./session-file.ts";
import { isRefusal } from "./sync.ts";

/** All of a file up to a place is in the session. */
export interface SentPart {
	/** Bytes. */
	readonly end: number;
	/** The session's version. */
	readonly seq: number;
	/** What was stored isn't what the file says: pull brings it. */
	readonly rewrite?: boolean;
}

type OnSent = (part: SentPart) => Promise<void>;

/** What a request may carry, unless a service is told otherwise: then it refuses, and less is tried. */
const importBytes = 32 * 1024 * 1024;
const batchBytes = 7 * 1024 * 1024;
const batchEntries = 500;
/** Milliseconds: a large file takes its time on a slow line. */
const importTimeout = 15 * 60_000;

/**
 * Makes a session of a file. What an import takes is stored as it is, byte for byte; the rest of a larger file is
 * appended to it.
 */
export async function createSession(
	leaflog: Leaflog,
	file: SessionFile,
	options: { readonly repair: boolean; readonly onSent: OnSent },
): Promise<{ readonly entries: number; readonly repairs: number }> {
	const { onSent } = options;
	const { imported, lines, session, repairs = [] } = await importBeginning(leaflog, file, options.repair);
	const rewrite = repairs.length > 0 || file.version === 1;
	const whole = lines === file.lines.length;
	const end = whole ? file.bytes.length : (file.lines[lines - 1]?.end ?? 0);
	await onSent({ end, seq: session.seq, ...(rewrite && { rewrite }) });
	const rest = withoutMarks(file.lines).filter((line) => line.end > end);
	if (!whole) await sendEntries(leaflog, file, rest, { ifMatch: session.seq, onSent });
	return { entries: imported + rest.length, repairs: repairs.length };
}

type Imported = Operations["importSession"]["answer"];

/** Imports as much as is taken in one request. */
async function importBeginning(
	leaflog: Leaflog,
	file: SessionFile,
	repair: boolean,
): Promise<Imported & { readonly lines: number }> {
	for (let most = importBytes; ; most = Math.floor(most / 2)) {
		const whole = file.bytes.length <= most;
		const lines = whole ? file.lines.length : file.lines.filter(({ end }) => end <= most).length;
		if (!whole && file.version === 1) {
			throw new Error("the file is too large to be imported in its old format: open it in pi once");
		}
		if (!whole && lines === 0) throw new Error(`line ${file.lines[0]?.number}: larger than a request may be`);
		const body = whole ? file.bytes : file.bytes.subarray(0, file.lines[lines - 1]?.end ?? 0);
		try {
			const query = { id: file.id, ...(repair && { repair }) };
			const response = await leaflog.connection.respond(
				"importSession",
				{ body, query },
				{ timeout: importTimeout },
			);
			return { ...((await response.json()) as Imported), lines };
		} catch (error) {
			const lineToBlame =
				error instanceof LeaflogError && error.errors.some(({ line }) => line !== undefined);
			if (!isRefusal(error, 413) || lineToBlame || lines < 2) throw error;
			if (whole) most = body.length;
		}
	}
}

/**
 * Appends lines to a session. Where one of them is refused, all before it are stored.
 * @throws LeaflogError 412 where somebody else has appended
 */
export async function sendEntries(
	leaflog: Leaflog,
	file: SessionFile,
	lines: readonly FileLine[],
	options: { readonly ifMatch?: number; readonly onSent: OnSent },
): Promise<void> {
	const session = leaflog.session(file.id);
	let { ifMatch } = options;
	const send = async (batch: readonly FileLine[]): Promise<void> => {
		try {
			const entries = batch.map(({ entry }) => entry) as unknown as NewEntry[];
			const { seq } = await session.append(entries, ifMatch === undefined ? {} : { ifMatch });
			if (ifMatch !== undefined) ifMatch = seq;
			const isLast = batch.at(-1) === lines.at(-1);
			await options.onSent({ end: isLast ? file.bytes.length : (batch.at(-1)?.end ?? 0), seq });
		} catch (error) {
			if (!isRefusal(error, 400, 404, 409, 413, 422)) throw error;
			const [line] = batch;
			if (batch.length === 1) throw new Error(`line ${line?.number}: ${error.message}`, { cause: error });
			const middle = Math.ceil(batch.length / 2);
			await send(batch.slice(0, middle));
			await send(batch.slice(middle));
		}
	};
	for (const batch of batchesOf(lines)) await send(batch);
}

function* batchesOf(lines: readonly FileLine[]): Generator<readonly FileLine[]> {
	let batch: FileLine[] = [];
	let bytes = 0;
	for (const line of lines) {
		if (batch.length > 0 && (batch.length === batchEntries || bytes + line.size > batchBytes)) {
			yield batch;
			batch = [];
			bytes = 0;
		}
		batch.push(line);
		bytes += line.size;
	}
	if (batch.length > 0) yield batch;
}
