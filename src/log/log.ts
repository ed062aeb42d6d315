/** The face of the log engine. Nothing above imports another file of this folder. */

import type { AppendOutcome, AppendRequest } from "./append.ts";
import { LogCache } from "./cache.ts";
import { Moments } from "./clocks.ts";
import type { Want } from "./cover-reader.ts";
import { type CreateOutcome, createLog, type NewLog } from "./create.ts";
import { type EndOutcome, type EndRefused, endLog } from "./end.ts";
import { type Engine, isTrusted, viewOf } from "./engine.ts";
import { Corrupt } from "./errors.ts";
import { commitKey, type LogName, logPrefix } from "./keys.ts";
import { defaultLimits, type LogLimits } from "./limits.ts";
import type { LogState } from "./log-state.ts";
import type { Mutation } from "./mutations.ts";
import { readHeader } from "./read-header.ts";
import type { LogView } from "./record.ts";
import type { Clock, Random, Scope } from "./scope.ts";
import {
	type Glimpse,
	glimpseTail,
	type ListedTail,
	listTail,
	readFromList,
	refreshTail,
	type Standing,
} from "./tail.ts";

export type { AppendOutcome, AppendRequest, Decision, Placed } from "./append.ts";
export type { CreateOutcome, NewLog } from "./create.ts";
export type { EndOutcome, EndRefused } from "./end.ts";
export { Corrupt, LogGone } from "./errors.ts";
export { checkLog, type Finding, type LogReport } from "./fsck.ts";
export {
	type LogName,
	logPrefix,
	logSharesPrefix,
	type Namespace,
	namespacePrefix,
	shareKey,
	sharesPrefix,
	shareTokenKey,
	snapshotPrefix,
	snapshotsPrefix,
	sweepKey,
} from "./keys.ts";
export { lastWrite } from "./last-write.ts";
export { defaultLimits, type LogLimits } from "./limits.ts";
export type { Mutation } from "./mutations.ts";
export {
	type FoundSnapshot,
	type PurgeOutcome,
	type PurgeTimes,
	purgeLog,
	purgeSnapshots,
	removeSnapshot,
	storeTime,
} from "./purge.ts";
export type { Genesis, Json, JsonObject, LogView, NewRecord } from "./record.ts";
export type { Clock, Random, Scope } from "./scope.ts";
export { type Snapshot, type SnapshotKind, type SnapshotName, SnapshotRegister } from "./snapshot.ts";
export { type FoundLog, walkLogs, walkNamespaces } from "./walk.ts";

export type ReadOutcome =
	| { readonly kind: "ok"; readonly view: LogView }
	| { readonly kind: "absent" }
	| { readonly kind: "gone" };

/** Where a log ends: its newest commit, number of records, and head. */
export type TipOutcome =
	| { readonly kind: "ok"; readonly commit: number; readonly length: number; readonly head: string | null }
	| { readonly kind: "absent" }
	| { readonly kind: "gone" };

/**
 * Append-only logs in an object store, as one instance sees them. Any number of instances may serve one log;
 * they meet in the store alone. All answers are linearizable: what was acknowledged anywhere before a call, it sees.
 */
export class Log {
	readonly #engine: Engine;
	readonly #cache: LogCache;
	/** What was found out of where a log ends, for the read of the same request that follows. */
	readonly #glimpsed = new WeakMap<Scope, { readonly state: LogState; readonly glimpse?: Glimpse }>();

	constructor(parts: {
		readonly clock: Clock;
		readonly random: Random;
		readonly limits?: Partial<LogLimits>;
		/** Only for a simulation. */
		readonly mutations?: ReadonlySet<Mutation>;
	}) {
		const limits = { ...defaultLimits, ...parts.limits };
		this.#cache = new LogCache(limits.cacheBytes);
		this.#engine = {
			clock: parts.clock,
			random: parts.random,
			moments: new Moments(parts.clock),
			limits,
			mutations: parts.mutations ?? new Set(),
			weigh: (state) => this.#cache.weigh(state),
		};
	}

	/**
	 * The newest state, confirmed by a request sent after the call.
	 * @param want what the first wave of a cold read should bring along: only the index, or bodies too
	 * @throws Corrupt, StoreUnavailable
	 */
	async read(scope: Scope, name: LogName, want: Want = "index"): Promise<ReadOutcome> {
		return this.#guarded(name, async (state) => {
			if (this.#engine.mutations.has("probe-for-reads") && isTrusted(this.#engine, state)) {
				return { kind: "ok", view: viewOf(this.#engine, state, scope) };
			}
			const standing = await this.#refresh(scope, state, want);
			if (standing !== "current") return { kind: standing };
			return { kind: "ok", view: viewOf(this.#engine, state, scope) };
		});
	}

	/** Brings a state up to date; what {@link newestCommit} just found out for the same request is not asked again. */
	async #refresh(scope: Scope, state: LogState, want: Want): Promise<Standing> {
		const glimpsed = this.#glimpsed.get(scope);
		this.#glimpsed.delete(scope);
		if (glimpsed?.state !== state) return refreshTail(this.#engine, scope.store, state, want);
		const { glimpse } = glimpsed;
		if (glimpse) return readFromList(this.#engine, scope.store, state, want, { glimpse });
		return state.gone ? "gone" : "current";
	}

	/**
	 * Only where a log ends, without its index where that is not known yet.
	 * @throws Corrupt, StoreUnavailable
	 */
	async tip(scope: Scope, name: LogName): Promise<TipOutcome> {
		return this.#guarded(name, async (state) => {
			if (state.newest >= 0 || state.gone) {
				const standing = await this.#refresh(scope, state, "index");
				if (standing !== "current") return { kind: standing };
				const view = viewOf(this.#engine, state, scope);
				return { kind: "ok", commit: view.commit, length: view.length, head: view.head };
			}
			for (let round = 0; ; round++) {
				const tail = await this.#tailOf(scope, state);
				if (tail.kind !== "at") return { kind: tail.kind };
				const header = await readHeader(scope.store, state.prefix, tail.n);
				if (header?.kind === "tombstone") return { kind: "gone" };
				if (header) return { kind: "ok", commit: tail.n, length: header.length, head: header.head };
				if (round === 3) throw new Corrupt(commitKey(state.prefix, tail.n), "is missing");
			}
		});
	}

	/** Where a log ends, as {@link newestCommit} just found it for the same request, or as a LIST says. */
	async #tailOf(scope: Scope, state: LogState): Promise<ListedTail> {
		const glimpsed = this.#glimpsed.get(scope);
		this.#glimpsed.delete(scope);
		return glimpsed?.state === state && glimpsed.glimpse
			? glimpsed.glimpse.tail
			: listTail(scope.store, state.prefix);
	}

	/**
	 * Number of the newest commit; null where there is no log. A cold one costs one LIST.
	 * An ended log has a tombstone as its newest commit, with a number that no answer about the living log had.
	 * @throws Corrupt, StoreUnavailable
	 */
	async newestCommit(scope: Scope, name: LogName): Promise<number | null> {
		return this.#guarded(name, async (state) => {
			if (state.newest >= 0 && !state.gone && isTrusted(this.#engine, state)) {
				const standing = await refreshTail(this.#engine, scope.store, state, "index");
				this.#glimpsed.set(scope, { state });
				return standing === "current" ? state.newest : null;
			}
			const glimpse = await glimpseTail(this.#engine, scope.store, state);
			this.#glimpsed.set(scope, { state, glimpse });
			return glimpse.tail.kind === "at" ? glimpse.tail.n : null;
		});
	}

	/**
	 * Appends what `decide` says, at whatever place the log has for it. Done means durable.
	 * The work goes on when the caller is gone.
	 * @throws Corrupt, StoreUnavailable (then nothing was written), and what `decide` throws
	 */
	async append<T>(scope: Scope, name: LogName, request: AppendRequest<T>): Promise<AppendOutcome<T>> {
		const work = this.#guarded(name, () =>
			this.#cache.open(this.#engine, logPrefix(name)).writer.append(scope, request),
		);
		scope.waitUntil?.(work.catch(() => {}));
		return work;
	}

	/**
	 * Creates a log with all that it holds: whole or not at all. An existing one is answered as it is.
	 * @throws Corrupt, StoreUnavailable (then it is not known whether it was created)
	 */
	async create(scope: Scope, name: LogName, log: NewLog): Promise<CreateOutcome> {
		const work = this.#guarded(name, (state) => createLog(this.#engine, scope, state, log));
		scope.waitUntil?.(work.catch(() => {}));
		return work;
	}

	/**
	 * Ends a log by its last commit, a tombstone. What it holds is removed later, by a purge.
	 * @throws Corrupt, StoreUnavailable
	 */
	async end(scope: Scope, name: LogName): Promise<EndOutcome> {
		const outcome = await this.endIf(scope, name, () => true);
		if (outcome.kind === "refused") throw new Error("an end without a condition was refused");
		return outcome;
	}

	/**
	 * The same where `mayEnd` holds of the log at the very place where it would end.
	 * @throws Corrupt, StoreUnavailable
	 */
	async endIf(
		scope: Scope,
		name: LogName,
		mayEnd: (view: LogView) => boolean,
	): Promise<EndOutcome | EndRefused> {
		const work = this.#guarded(name, (state) => endLog(this.#engine, scope, state, mayEnd));
		scope.waitUntil?.(work.catch(() => {}));
		return work;
	}

	/** Forgets what is known of a log in which something does not verify, so that the next call reads it anew. */
	async #guarded<T>(name: LogName, work: (state: LogState) => Promise<T>): Promise<T> {
		const prefix = logPrefix(name);
		const { state } = this.#cache.open(this.#engine, prefix);
		try {
			return await work(state);
		} catch (error) {
			if (error instanceof Corrupt) this.#cache.drop(prefix);
			throw error;
		} finally {
			this.#cache.weigh(state);
		}
	}
}
