import { createHash } from "node:crypto";
import type { Leaflog, Session } from "../client/src/index.ts";
import { compare } from "./difference.ts";
import { leafOf } from "./leaf-marks.ts";
import {
	pathFor,
	removeDrafts,
	sameStamp,
	sessionFiles,
	sessionIdOf,
	stampOf,
	writeWhole,
} from "./pi-files.ts";
import { digestOf, readSessionFile } from "./session-file.ts";
import {
	entriesOf,
	forEach,
	isFatal,
	isRefusal,
	reasonOf,
	type SyncOptions,
	type SyncResult,
} from "./sync.ts";
import { SyncState } from "./sync-state.ts";

export interface PullOptions extends SyncOptions {
	/** Only sessions of this working directory. */
	readonly cwd?: string;
	/** All files right in the folder, as pi wants them in a folder that it was told of. */
	readonly flat?: boolean;
	/** Believe the list of sessions, which lags behind appends by seconds, instead of asking for each. */
	readonly quick?: boolean;
}

/** Writes what is new in a service's sessions to a folder of session files. Can be interrupted and repeated. */
export async function pull(leaflog: Leaflog, options: PullOptions): Promise<SyncResult[]> {
	const { folder } = options;
	await removeDrafts(folder);
	const state = await SyncState.open(folder, options.service);
	const places = new Map<string, string>();
	for (const path of await sessionFiles(folder)) {
		const id = (await sessionIdOf(`${folder}/${path}`)) ?? state.get(path)?.session;
		if (id !== undefined && !places.has(id)) places.set(id, path);
	}
	const sessions: Session[] = [];
	for await (const session of leaflog.sessions({ limit: 200, ...(options.cwd && { cwd: options.cwd }) })) {
		sessions.push(session);
	}
	const pullSession = (session: Session) => {
		const path = places.get(session.id) ?? pathFor(session, options.flat ?? false);
		return new Pull(leaflog, options, state, path).run(session);
	};
	return forEach(sessions, pullSession, options.onProgress);
}

type Ending = Omit<SyncResult, "path" | "session">;

const unchanged: Ending = { outcome: "unchanged", entries: 0 };

/** One session on its way. */
class Pull {
	readonly #leaflog: Leaflog;
	readonly #options: PullOptions;
	readonly #state: SyncState;
	readonly #path: string;
	readonly #full: string;

	constructor(leaflog: Leaflog, options: PullOptions, state: SyncState, path: string) {
		this.#leaflog = leaflog;
		this.#options = options;
		this.#state = state;
		this.#path = path;
		this.#full = `${options.folder}/${path}`;
	}

	async run(listed: Session): Promise<SyncResult> {
		const { id } = listed;
		try {
			return { path: this.#path, session: id, ...(await this.#pull(listed)) };
		} catch (error) {
			if (isFatal(error)) throw error;
			// Deleted while the list was read: there is nothing to bring.
			const ending = isRefusal(error, 404, 410)
				? unchanged
				: ({ outcome: "failed", entries: 0, detail: reasonOf(error) } as const);
			return { path: this.#path, session: id, ...ending };
		}
	}

	async #pull(listed: Session): Promise<Ending> {
		const { id } = listed;
		const stamp = await stampOf(this.#full);
		const known = this.#state.get(this.#path);
		const untouched = known?.session === id && !known.rewrite && sameStamp(known, stamp);
		if (this.#options.quick && untouched && listed.seq <= known.seq) return unchanged;
		const session = await this.#leaflog.session(id).get();
		if (stamp === undefined) return this.#write(session, stamp);
		if (untouched && session.seq === known.seq) return unchanged;

		const file = await readSessionFile(this.#full);
		if (file.id !== id) return this.#conflict(`the file holds another session, ${file.id}`);
		if (known?.session === id && known.size === stamp.size && digestOf(file.bytes) === known.digest) {
			// All that the file says is in the session.
			if (!known.rewrite && session.seq === known.seq) return unchanged;
			return this.#write(session, stamp, file.lines.length);
		}
		if (file.faults.length > 0)
			return this.#conflict(`the file has faults, as in line ${file.faults[0]?.line}`);
		const stored = (await entriesOf(this.#leaflog, id)) ?? [];
		const { fresh, missing, changed } = compare(file.lines, stored);
		if (file.version === 1)
			return this.#conflict("the file has an old format: open it in pi once, or move it away");
		if (changed.length > 0) return this.#conflict(`entry ${changed[0]} is another one there`);
		if (fresh.length > 0) {
			if (missing.length > 0)
				return this.#conflict(
					`went on in both places: ${fresh.length} entries here that were not pushed, ${missing.length} there (push --merge keeps both, as branches)`,
				);
			return { ...unchanged, detail: `${fresh.length} entries were not pushed yet` };
		}
		if (missing.length > 0 || leafOf(file.lines) !== session.leafId)
			return this.#write(session, stamp, file.lines.length);
		const digest = digestOf(file.bytes);
		await this.#state.set(this.#path, { ...stamp, session: id, seq: stored.length, digest });
		return unchanged;
	}

	/** @param before how many entries the file has */
	async #write(session: Session, stamp: Awaited<ReturnType<typeof stampOf>>, before = 0): Promise<Ending> {
		const { id } = session;
		const response = await this.#leaflog.connection.respond("exportSession", { path: { id } });
		const seq = Number(/^(?:W\/)?"(\d+)/.exec(response.headers.get("ETag") ?? "")?.[1] ?? session.seq);
		const hash = createHash("sha256");
		let lines = 0;
		async function* chunks(): AsyncGenerator<Uint8Array> {
			for await (const chunk of response.body ?? []) {
				hash.update(chunk);
				for (const byte of chunk) if (byte === 0x0a) lines++;
				yield chunk;
			}
		}
		const unmoved = async () => {
			const now = await stampOf(this.#full);
			return stamp === undefined ? now === undefined : sameStamp(now, stamp);
		};
		// pi goes on with the file that was changed last.
		const written = await writeWhole(this.#full, chunks(), Date.parse(session.modified), unmoved);
		if (!written) return this.#conflict("the file was written to meanwhile: pull again");
		const now = await stampOf(this.#full);
		if (now)
			await this.#state.set(this.#path, { ...now, session: id, seq, digest: hash.digest("base64url") });
		const entries = Math.max(0, lines - 1 - before);
		return { outcome: stamp ? "updated" : "created", entries };
	}

	#conflict(detail: string): Ending {
		return { outcome: "conflict", entries: 0, detail };
	}
}
