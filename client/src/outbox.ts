import type { NewEntry, Operations } from "./api.ts";
import type { Leaflog } from "./client.ts";
import { LeaflogError } from "./errors.ts";
import { newId } from "./platform.ts";

/** Where what waits is kept while the app is closed: `localStorage`, AsyncStorage, a file. */
export interface OutboxStorage {
	load(): Promise<string | null | undefined> | string | null | undefined;
	save(text: string): Promise<void> | void;
}

/** An entry as it will be stored, to be shown at once. */
export type QueuedEntry = NewEntry & {
	readonly id: string;
	readonly parentId: string | null;
	readonly timestamp: string;
};

/** What was seen of a session when an entry was written. */
export interface Base {
	/** The entry that it follows. */
	readonly leafId: string | null;
	/** The session's version. */
	readonly seq: number;
}

export interface OutboxOptions {
	readonly storage?: OutboxStorage;
	/** Entries are stored, on the path that they were written on. */
	readonly onSent?: (sessionId: string, entryIds: readonly string[]) => void;
	/** The same, but the session had gone on elsewhere meanwhile: they are a branch of their own. */
	readonly onBranch?: (sessionId: string, entryIds: readonly string[], parentId: string | null) => void;
	/** They can't be stored, and don't wait any more. */
	readonly onFailed?: (sessionId: string, entries: readonly QueuedEntry[], error: LeaflogError) => void;
}

/** Sent as one request. Frozen at its first try: a repeat must be the same. */
interface Batch {
	readonly session: string;
	readonly create?: Operations["createSession"]["body"];
	readonly entries: readonly QueuedEntry[];
	/** The version that the session is expected to have; left out where it has moved on. */
	readonly seq?: number;
	/** It has moved on: the entries grow a branch. */
	readonly branches?: boolean;
	readonly tried: boolean;
}

const batchEntries = 100;

/**
 * Takes entries while there is no connection, and sends them later, in order, each once. Ids are given here, so a
 * repeat after a lost answer, or after a restart of the app, stores nothing twice. Call `open` first.
 */
export class Outbox {
	readonly #client: Leaflog;
	readonly #options: OutboxOptions;
	#batches: readonly Batch[] = [];
	#sending: Promise<boolean> | undefined;

	constructor(client: Leaflog, options: OutboxOptions = {}) {
		this.#client = client;
		this.#options = options;
	}

	/** Reads what was left when the app was closed. */
	async open(): Promise<void> {
		const text = await this.#options.storage?.load();
		if (text) this.#batches = JSON.parse(text) as Batch[];
	}

	/** Entries of a session that wait, in order. */
	pending(sessionId: string): QueuedEntry[] {
		return this.#batches.filter(({ session }) => session === sessionId).flatMap(({ entries }) => entries);
	}

	/** How many requests wait. */
	get size(): number {
		return this.#batches.length;
	}

	/** A session that will be created; its id, which entries can be appended to at once. */
	async createSession(fields: Operations["createSession"]["body"] = {}): Promise<string> {
		const session = fields.id ?? newId();
		await this.#queue([
			...this.#batches,
			{ session, create: { ...fields, id: session }, entries: [], tried: false },
		]);
		return session;
	}

	/**
	 * An entry that will be appended after what waits already, else after `base`: the answer of any read of the session.
	 * Without one it follows whatever is the leaf when nothing waits: only for sessions that nobody else writes.
	 */
	async append(sessionId: string, entry: NewEntry, base?: Base): Promise<QueuedEntry> {
		const waits = () => this.#batches.some(({ session }) => session === sessionId);
		const found = waits() ? undefined : (base ?? (await this.#client.session(sessionId).leaf()));
		const known = waits() ? undefined : found;
		const waiting = this.pending(sessionId).at(-1);
		const queued = {
			...entry,
			id: entry.id ?? newId(),
			parentId: entry.parentId ?? waiting?.id ?? known?.leafId ?? null,
			timestamp: entry.timestamp ?? new Date(this.#client.connection.platform.now()).toISOString(),
		} as QueuedEntry;
		const last = this.#batches.at(-1);
		const joins =
			last?.session === sessionId && !last.tried && !last.create && last.entries.length < batchEntries;
		const batch: Batch = joins
			? { ...last, entries: [...last.entries, queued] }
			: {
					session: sessionId,
					entries: [queued],
					...(known !== undefined && { seq: known.seq }),
					tried: false,
				};
		await this.#queue([...(joins ? this.#batches.slice(0, -1) : this.#batches), batch]);
		return queued;
	}

	/**
	 * Sends what waits until nothing does, or there is no connection: then false. Calls meet in one run.
	 */
	flush(): Promise<boolean> {
		this.#sending ??= this.#send().finally(() => {
			this.#sending = undefined;
		});
		return this.#sending;
	}

	/** Flushes again and again, less often while there is no connection, until the signal is aborted. */
	async run(signal: AbortSignal): Promise<void> {
		const { platform } = this.#client.connection;
		for (let failures = 0; !signal.aborted; ) {
			failures = (await this.flush()) ? 0 : failures + 1;
			await platform.sleep(Math.min(60_000, 1000 * 2 ** failures), signal);
		}
	}

	async #send(): Promise<boolean> {
		for (;;) {
			const [first, ...rest] = this.#batches;
			if (first === undefined) return true;
			const batch = { ...first, tried: true };
			if (!first.tried) await this.#queue([batch, ...rest]);
			try {
				await this.#sendBatch(batch);
			} catch (error) {
				if (!(error instanceof LeaflogError)) return false;
				if (error.status === 412) {
					// The session went on elsewhere: the same entries, after the one that they were written after.
					const { seq: _, ...branch } = batch;
					await this.#replaceFirst([{ ...branch, branches: true }]);
					continue;
				}
				if (error.retryable || error.status === 401) return false;
				await this.#replaceFirst([]);
				this.#options.onFailed?.(batch.session, batch.entries, error);
				continue;
			}
			await this.#replaceFirst([]);
		}
	}

	async #sendBatch({ session, create, entries, seq, branches }: Batch): Promise<void> {
		if (create !== undefined) {
			const made = await this.#client.createSession(create, {
				idempotencyKey: `create.${session}`.slice(0, 128),
			});
			return this.#expect(session, made.seq);
		}
		const ids = entries.map(({ id }) => id);
		// The same key after a restart, too.
		const options = { idempotencyKey: `append.${ids[0]}`, ...(seq !== undefined && { ifMatch: seq }) };
		const answer = await this.#client.session(session).append(entries, options);
		await this.#expect(session, answer.seq);
		if (branches) this.#options.onBranch?.(session, ids, entries[0]?.parentId ?? null);
		else this.#options.onSent?.(session, ids);
	}

	/** What was queued while this was on its way follows the version that it made. */
	async #expect(session: string, seq: number): Promise<void> {
		const [first, ...rest] = this.#batches;
		const at = rest.findIndex((batch) => batch.session === session && !batch.create);
		const next = rest[at];
		if (first === undefined || next === undefined || next.seq !== undefined || next.tried) return;
		await this.#queue([first, ...rest.slice(0, at), { ...next, seq }, ...rest.slice(at + 1)]);
	}

	#replaceFirst(batches: readonly Batch[]): Promise<void> {
		return this.#queue([...batches, ...this.#batches.slice(1)]);
	}

	async #queue(batches: readonly Batch[]): Promise<void> {
		this.#batches = batches;
		await this.#options.storage?.save(JSON.stringify(batches));
	}
}
