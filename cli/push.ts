import { isDeepStrictEqual } from "node:util";
import { type Entry, type Leaflog, LeaflogError, type NewEntry } from "../client/src/index.ts";
import { type FileEntry, readSessionFile, type SessionFile, sessionFiles, stampOf } from "./pi-files.ts";
import { SyncState } from "./sync-state.ts";

/** What became of one session. */
export interface SyncResult {
	readonly path: string;
	readonly session?: string;
	readonly outcome: "unchanged" | "created" | "updated" | "conflict" | "failed";
	/** Entries that were sent or written. */
	readonly entries: number;
	readonly detail?: string;
}

export interface SyncOptions {
	readonly folder: string;
	/** Names the service in what is remembered. */
	readonly service: string;
	/** Where both sides went on: keep both, as branches. */
	readonly merge?: boolean;
	/** Import files with faults, as far as they can be read. */
	readonly repair?: boolean;
	readonly onProgress?: (done: number, total: number, result: SyncResult) => void;
}

/** A version that no session with entries has: a pull looks closer, however late the list is. */
const unequal = 0;

const batchEntries = 200;
const batchBytes = 4 * 1024 * 1024;
/** Of larger files this much is imported, and the rest appended: the service takes 32 MiB at once. */
const importBytes = 24 * 1024 * 1024;

/** Sends what is new in a folder of session files. Can be interrupted and repeated. */
export async function push(leaflog: Leaflog, options: SyncOptions): Promise<SyncResult[]> {
	const state = await SyncState.open(options.folder, options.service);
	const paths = await sessionFiles(options.folder);
	const results: SyncResult[] = [];
	for (const path of paths) {
		const result = await pushFile(leaflog, options, state, path);
		results.push(result);
		options.onProgress?.(results.length, paths.length, result);
	}
	return results;
}

async function pushFile(
	leaflog: Leaflog,
	options: SyncOptions,
	state: SyncState,
	path: string,
): Promise<SyncResult> {
	const full = `${options.folder}/${path}`;
	const stamp = await stampOf(full);
	const known = state.get(path);
	if (stamp === undefined) return { path, outcome: "failed", entries: 0, detail: "the file is gone" };
	if (known?.size === stamp.size && known.modified === stamp.modified) {
		return { path, session: known.session, outcome: "unchanged", entries: 0 };
	}
	try {
		const file = await readSessionFile(full);
		const sent = await sendFile(leaflog, file, options);
		if (sent.seq !== undefined) await state.set(path, { ...stamp, session: file.id, seq: sent.seq });
		const { outcome, entries, detail } = sent;
		return { path, session: file.id, outcome, entries, ...(detail !== undefined && { detail }) };
	} catch (error) {
		// Without a service there is no use in going on.
		if (!(error instanceof LeaflogError) && error instanceof Error && error.name === "Unreachable")
			throw error;
		if (error instanceof LeaflogError && [401, 403, 501].includes(error.status)) throw error;
		return { path, outcome: "failed", entries: 0, detail: reasonOf(error) };
	}
}

interface Sent extends Omit<SyncResult, "path"> {
	/** The session's version when it was the same as the file; {@link unequal} where it has more. */
	readonly seq?: number;
}

async function sendFile(leaflog: Leaflog, file: SessionFile, options: SyncOptions): Promise<Sent> {
	const stored = await entriesOf(leaflog, file.id);
	if (stored === undefined) {
		const query = { id: file.id, ...(options.repair && { repair: true }) };
		const text = beginningOf(file);
		const { session, imported, repairs = [] } = await leaflog.importSession(text, query);
		if (text !== file.text) {
			const rest = await sendFile(leaflog, file, options);
			return { ...rest, outcome: "created", entries: imported + rest.entries };
		}
		const repaired = repairs.length > 0 ? { detail: `${repairs.length} faults repaired` } : {};
		return { outcome: "created", entries: imported, seq: session.seq, ...repaired };
	}
	if (file.version < 3) {
		const detail = "the file has an old format, which gives its entries no ids: open it in pi once";
		return { outcome: "conflict", entries: 0, detail };
	}
	const difference = compare(file.entries, stored);
	if (difference.changed.length > 0) {
		const detail = `entry ${difference.changed[0]} is another one there`;
		return { outcome: "conflict", entries: 0, detail };
	}
	const { fresh, missing } = difference;
	if (fresh.length === 0) {
		return { outcome: "unchanged", entries: 0, seq: missing > 0 ? unequal : stored.length };
	}
	if (missing > 0 && !options.merge) {
		const detail = `went on in both places: ${fresh.length} entries here, ${missing} there (--merge keeps both as branches)`;
		return { outcome: "conflict", entries: 0, detail };
	}
	const session = leaflog.session(file.id);
	let seq = stored.length;
	for (const batch of batchesOf(fresh)) {
		const options = { idempotencyKey: `push.${batch[0]?.id}.${batch.length}` };
		seq = (await session.append(batch as unknown as NewEntry[], options)).seq;
	}
	// What the file lacks is still to be pulled.
	return { outcome: "updated", entries: fresh.length, seq: missing > 0 ? unequal : seq };
}

/** As many whole lines as one import takes; at least one. Old formats can't be appended: all of them. */
function beginningOf({ text, version }: SessionFile): string {
	if (version < 3 || Buffer.byteLength(text) <= importBytes) return text;
	const lines = text.split("\n");
	let bytes = 0;
	const end = lines.findIndex((line) => {
		bytes += Buffer.byteLength(line) + 1;
		return bytes > importBytes;
	});
	return lines.slice(0, Math.max(1, end)).join("\n");
}

/** All entries of a session; undefined where there is none. */
export async function entriesOf(leaflog: Leaflog, id: string): Promise<Entry[] | undefined> {
	try {
		const entries: Entry[] = [];
		for await (const entry of leaflog.session(id).allEntries({ limit: 1000 })) entries.push(entry);
		return entries;
	} catch (error) {
		if (error instanceof LeaflogError && error.status === 404) return undefined;
		throw error;
	}
}

export interface Difference {
	/** Entries that only the file has, in order. */
	readonly fresh: readonly FileEntry[];
	/** How many only the session has, `leaf` entries aside. */
	readonly missing: number;
	/** Ids that mean one thing here and another there. */
	readonly changed: readonly string[];
}

/** Compares a file with a session. What a file was given to be opened at the right leaf is none of its entries. */
export function compare(local: readonly FileEntry[], stored: readonly Entry[]): Difference {
	const there = new Map(stored.map((entry) => [entry.id as string, entry]));
	const here = new Set(local.map(({ id }) => id));
	const last = local.at(-1);
	const marker = last?.customType === "leaflog.leaf" ? last.id : undefined;
	const fresh = local.filter(({ id }) => !there.has(id) && id !== marker);
	const changed = local
		.filter((entry) => {
			const other = there.get(entry.id);
			return other !== undefined && !isDeepStrictEqual(contentOf(entry), contentOf(other));
		})
		.map(({ id }) => id);
	const missing = stored.filter(({ id, type }) => type !== "leaf" && !here.has(id)).length;
	return { fresh, missing, changed };
}

/** An entry below a `leaf` entry has another parent in a file; what it says is the same. */
function contentOf(entry: object): object {
	return { ...entry, parentId: undefined };
}

function* batchesOf(entries: readonly FileEntry[]): Generator<readonly FileEntry[]> {
	let batch: FileEntry[] = [];
	let bytes = 0;
	for (const entry of entries) {
		const length = Buffer.byteLength(JSON.stringify(entry));
		if (batch.length > 0 && (batch.length === batchEntries || bytes + length > batchBytes)) {
			yield batch;
			batch = [];
			bytes = 0;
		}
		batch.push(entry);
		bytes += length;
	}
	if (batch.length > 0) yield batch;
}

/** For people: what went wrong, and where. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof LeaflogError)) return error instanceof Error ? error.message : String(error);
	const places = error.errors.slice(0, 3).map(({ line, path, message }) => `${line ?? path}: ${message}`);
	const more = error.errors.length > 3 ? [`and ${error.errors.length - 3} more`] : [];
	return [error.message, ...places, ...more].join("; ");
}
