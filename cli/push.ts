import type { Leaflog } from "../client/src/index.ts";
import { compare, type Difference } from "./difference.ts";
import { hasInnerMarks } from "./leaf-marks.ts";
import { sameStamp, sessionFiles, stampOf } from "./pi-files.ts";
import { createSession, type SentPart, sendEntries } from "./send.ts";
import { digestOf, readSessionFile, type SessionFile } from "./session-file.ts";
import {
	entriesOf,
	forEach,
	isFatal,
	isRefusal,
	reasonOf,
	type SyncOptions,
	type SyncResult,
} from "./sync.ts";
import { type Synced, SyncState } from "./sync-state.ts";

export interface PushOptions extends SyncOptions {
	/** Where both sides went on: keep both, as branches. */
	readonly merge?: boolean;
	/** Send files with faults, as far as they can be read. */
	readonly repair?: boolean;
}

/** Sends what is new in a folder of session files. Can be interrupted and repeated. */
export async function push(leaflog: Leaflog, options: PushOptions): Promise<SyncResult[]> {
	const state = await SyncState.open(options.folder, options.service);
	const stored = new Map<string, number>();
	for await (const { id, seq } of leaflog.sessions({ limit: 200 })) stored.set(id, seq);
	const paths = await sessionFiles(options.folder);
	const pushFile = (path: string) => new Push(leaflog, options, state, path).run(stored);
	return forEach(paths, pushFile, options.onProgress);
}

type Ending = Omit<SyncResult, "path" | "session">;

const gone: Ending = {
	outcome: "deleted",
	entries: 0,
	detail: "the session was deleted in the service; the file stays as it is",
};

/** One file on its way. */
class Push {
	readonly #leaflog: Leaflog;
	readonly #options: PushOptions;
	readonly #state: SyncState;
	readonly #path: string;
	readonly #known: Synced | undefined;

	constructor(leaflog: Leaflog, options: PushOptions, state: SyncState, path: string) {
		this.#leaflog = leaflog;
		this.#options = options;
		this.#state = state;
		this.#path = path;
		this.#known = state.get(path);
	}

	/** @param stored the sessions there are, and their versions as the list has them */
	async run(stored: ReadonlyMap<string, number>): Promise<SyncResult> {
		const path = this.#path;
		const full = `${this.#options.folder}/${path}`;
		const known = this.#known;
		const stamp = await stampOf(full);
		if (known && sameStamp(known, stamp) && (stored.get(known.session) ?? -1) >= known.seq) {
			return { path, session: known.session, outcome: "unchanged", entries: 0 };
		}
		let session: string | undefined;
		try {
			const file = await readSessionFile(full);
			session = file.id;
			const ending = await this.#send(file, stored.has(file.id));
			const now = this.#state.get(path);
			// What was appended to the file meanwhile is a change that the next run finds.
			if (now?.size === stamp?.size && now?.modified === unfinished && stamp) {
				await this.#state.set(path, { ...now, ...stamp });
			}
			return { path, session, ...ending };
		} catch (error) {
			if (isFatal(error)) throw error;
			const failed: Ending = { outcome: "failed", entries: 0, detail: reasonOf(error) };
			return { path, ...(session !== undefined && { session }), ...(isRefusal(error, 410) ? gone : failed) };
		}
	}

	async #send(file: SessionFile, exists: boolean): Promise<Ending> {
		if (file.faults.length > 0 && !this.#options.repair) {
			const [first] = file.faults;
			const more = file.faults.length > 1 ? `, and ${file.faults.length - 1} more lines` : "";
			return { outcome: "failed", entries: 0, detail: `line ${first?.line} ${first?.problem}${more}` };
		}
		try {
			if (!exists) return await this.#create(file);
		} catch (error) {
			if (!isRefusal(error, 409)) throw error;
		}
		return (await this.#update(file)) ?? this.#create(file);
	}

	async #create(file: SessionFile): Promise<Ending> {
		const { repair = false } = this.#options;
		const onSent = (part: SentPart) => this.#remember(file, part);
		const { entries, repairs } = await createSession(this.#leaflog, file, { repair, onSent });
		const details = [
			...(repairs > 0 ? [`${repairs} faults repaired`] : []),
			...(repairs > 0 || file.version === 1 ? ["pull writes the file as it is stored"] : []),
		];
		return { outcome: "created", entries, ...(details.length > 0 && { detail: details.join("; ") }) };
	}

	/** Undefined where there is no such session. */
	async #update(file: SessionFile): Promise<Ending | undefined> {
		const difference = await this.#differenceOf(file);
		if (difference === undefined) return undefined;
		const { fresh, missing, changed, seq, base } = difference;
		const conflict = (detail: string): Ending => ({ outcome: "conflict", entries: 0, detail });
		if (changed.length > 0) return conflict(`entry ${changed[0]} is another one there`);
		if (file.version === 1 && (fresh.length > 0 || missing.length > 0)) {
			return conflict(
				"the file has an old format, which gives its entries no ids: pull, or open it in pi once",
			);
		}
		if (fresh.length > 0 && missing.length > 0 && !this.#options.merge) {
			return conflict(
				`went on in both places: ${fresh.length} entries here, ${missing.length} there (push --merge keeps both, as branches)`,
			);
		}
		// What the file lacks is still to be pulled, and what was marked in it is to be as the session has it.
		const held = (part: SentPart): SentPart => ({
			...part,
			seq: missing.length > 0 ? base : part.seq,
			...(fresh.length > 0 && hasInnerMarks(file.lines) && { rewrite: true }),
		});
		const ifMatch = this.#options.merge ? undefined : seq;
		try {
			await sendEntries(this.#leaflog, file, fresh, {
				...(ifMatch !== undefined && { ifMatch }),
				onSent: (part) => this.#remember(file, held(part)),
			});
		} catch (error) {
			if (isRefusal(error, 412)) return conflict("somebody else wrote to the session meanwhile: push again");
			throw error;
		}
		if (fresh.length > 0) return { outcome: "updated", entries: fresh.length };
		await this.#remember(file, held({ end: file.bytes.length, seq }));
		return { outcome: "unchanged", entries: 0 };
	}

	/**
	 * What the file and the session don't have in common; where they are known to have been the same, what came later
	 * is enough to tell. `seq` is the session's version, `base` the one that the file holds all of.
	 */
	async #differenceOf(
		file: SessionFile,
	): Promise<(Difference & { readonly seq: number; readonly base: number }) | undefined> {
		const known = this.#known;
		if (known !== undefined && beginsAsKnown(file, known)) {
			const later = await entriesOf(this.#leaflog, file.id, known.seq);
			if (later === undefined) return undefined;
			const { seq } = await this.#leaflog.session(file.id).leaf();
			// More would have been written between the two answers, fewer is another session of the same id.
			if (seq === known.seq + later.length) {
				const difference = compare(file.lines, later);
				const fresh = difference.fresh.filter(({ end }) => end > known.size);
				return { ...difference, fresh, seq, base: known.seq };
			}
		}
		const stored = await entriesOf(this.#leaflog, file.id);
		return stored && { ...compare(file.lines, stored), seq: stored.length, base: 0 };
	}

	/** All of the file up to a place is in the session. */
	async #remember(file: SessionFile, { end, seq, rewrite }: SentPart): Promise<void> {
		await this.#state.set(this.#path, {
			session: file.id,
			seq,
			size: end,
			modified: unfinished,
			digest: digestOf(file.bytes, end),
			...((rewrite || this.#state.get(this.#path)?.rewrite) && { rewrite: true }),
		});
	}
}

/** No file's time: what is known is good for a beginning only. */
const unfinished = -1;

function beginsAsKnown(file: SessionFile, { session, size, digest }: Synced): boolean {
	const { bytes } = file;
	if (session !== file.id || size > bytes.length) return false;
	return (size === bytes.length || bytes[size - 1] === 0x0a) && digestOf(bytes, size) === digest;
}
