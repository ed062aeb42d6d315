import { StoreUnavailable } from "../store/object-store.ts";
import { newWriteId } from "./engine.ts";
import { Grouping } from "./grouping.ts";
import { type Namespace, snapshotPrefix, versionKey } from "./keys.ts";
import { defaultLimits, type LogLimits } from "./limits.ts";
import type { Clock, Random, Scope } from "./scope.ts";
import { encodeVersion, parseVersion, type SnapshotKind } from "./snapshot-codec.ts";
import { SnapshotReader } from "./snapshot-reader.ts";
import { type Snapshot, SnapshotState } from "./snapshot-state.ts";
import { Turns } from "./turns.ts";

export type { SnapshotKind } from "./snapshot-codec.ts";
export type { Snapshot } from "./snapshot-state.ts";

/** A snapshot's place: the namespace of its owner, and its name within. Any strings. */
export interface SnapshotName {
	readonly namespace: Namespace;
	readonly name: string;
}

export type UpdateOutcome<T> =
	| { readonly kind: "done"; readonly snapshot: Snapshot<T> }
	/** Nobody knows whether the changes landed, or they did not get their turn. They may be sent again. */
	| { readonly kind: "unavailable"; readonly reason: "indeterminate" | "contention" };

/** Bytes of all snapshots that a register keeps in memory, unless told otherwise. */
const defaultCacheBytes = 24 * 1024 * 1024;

/**
 * Values that are replaced by number: version v is one object, created if absent and never changed, and the newest
 * is the truth. Old versions can be removed some time after they were replaced (`purge.ts`).
 * One register an instance and kind of value. Its requests throw `StoreUnavailable` and `Corrupt`.
 */
export class SnapshotRegister<T, C> {
	readonly #clock: Clock;
	readonly #random: Random;
	readonly #kind: SnapshotKind<T, C>;
	readonly #limits: LogLimits;
	readonly #reader: SnapshotReader<T>;
	readonly #grouping: Grouping<C, UpdateOutcome<T>>;
	readonly #turns: Turns;

	constructor(parts: {
		readonly clock: Clock;
		readonly random: Random;
		readonly kind: SnapshotKind<T, C>;
		readonly limits?: Partial<LogLimits>;
		readonly cacheBytes?: number;
	}) {
		const limits = { ...defaultLimits, ...parts.limits };
		this.#clock = parts.clock;
		this.#random = parts.random;
		this.#kind = parts.kind;
		this.#limits = limits;
		this.#reader = new SnapshotReader({
			clock: parts.clock,
			kind: parts.kind,
			trust: limits.trust,
			followerWait: limits.followerWait,
			cacheBytes: parts.cacheBytes ?? defaultCacheBytes,
		});
		this.#grouping = new Grouping({ clock: parts.clock, followerWait: limits.followerWait });
		this.#turns = new Turns(parts.clock, parts.random, limits);
	}

	/** The newest version, confirmed by a request sent after the call. Warm: 1 GET (404). Cold: 1 LIST + 1 GET. */
	async read(scope: Scope, name: SnapshotName): Promise<Snapshot<T>> {
		const state = this.#state(name);
		await this.#reader.confirm(scope, state);
		return this.#reader.load(scope, state);
	}

	/** The number of the newest version, confirmed likewise; −1 where there is none. Cold: 1 LIST. */
	async newest(scope: Scope, name: SnapshotName): Promise<number> {
		const state = this.#state(name);
		await this.#reader.confirm(scope, state);
		return state.version;
	}

	/** A version by its number; undefined where it was removed or never was. At most 1 GET. */
	at(scope: Scope, name: SnapshotName, version: number): Promise<Snapshot<T> | undefined> {
		return this.#reader.at(scope, snapshotPrefix(name.namespace, name.name), version);
	}

	/** What an update would build upon now; one that follows is warm. Cold: 1 LIST + 1 GET; else nothing. */
	async prepare(scope: Scope, name: SnapshotName): Promise<Snapshot<T>> {
		return this.#reader.basis(scope, this.#state(name));
	}

	/**
	 * Applies changes to the newest version. Warm: 1 PUT; and those that meet in this instance share it.
	 * That they change nothing is only answered on a confirmed version.
	 */
	async update(scope: Scope, name: SnapshotName, changes: readonly C[]): Promise<UpdateOutcome<T>> {
		const state = this.#state(name);
		const work = this.#grouping.join(state.prefix, changes, async (take) => {
			await this.#turns.giveWay(state.prefix);
			return this.#write(scope, state, (value) => this.#kind.apply(value, take()));
		});
		scope.waitUntil?.(work.catch(() => undefined));
		return work;
	}

	/** Puts a value above whatever there is, without reading that: for a newest version that is damaged. */
	async replace(scope: Scope, name: SnapshotName, value: T): Promise<UpdateOutcome<T>> {
		const state = new SnapshotState<T>(snapshotPrefix(name.namespace, name.name), this.#kind.empty);
		const newest = await this.#reader.list(scope, state);
		state.found({ version: newest, value: this.#kind.empty });
		return this.#write(scope, state, () => value);
	}

	async #write(scope: Scope, state: SnapshotState<T>, change: (value: T) => T): Promise<UpdateOutcome<T>> {
		const until = Math.min(
			scope.deadline ?? Number.POSITIVE_INFINITY,
			this.#clock.now() + this.#limits.patience,
		);
		const { moments } = this.#reader;
		const asked = moments.now();
		for (let losses = 0; ; ) {
			const basis = await this.#reader.basis(scope, state);
			const confirmed = state.confirmed!;
			const value = change(basis.value);
			if (value === basis.value) {
				if (confirmed.order > asked.order && basis.version === state.version)
					return { kind: "done", snapshot: basis };
				await this.#reader.confirm(scope, state);
				continue;
			}
			const snapshot = { version: basis.version + 1, value };
			const sent = moments.now();
			const { outcome, bytes } = await this.#put(scope, state.prefix, snapshot);
			if (outcome === "indeterminate") return { kind: "unavailable", reason: "indeterminate" };
			// Frozen in between, the number may be one that was used and removed long ago: then all of it again.
			const settled =
				outcome === "created" &&
				(this.#reader.isTrusted(confirmed) || (await this.#reader.list(scope, state)) === snapshot.version);
			if (settled) {
				state.found(snapshot);
				state.confirm(snapshot.version, sent);
				this.#reader.keep(state, bytes);
				this.#turns.won(state.prefix);
				return { kind: "done", snapshot };
			}
			if (outcome === "created") continue;
			losses += 1;
			this.#turns.lost(state.prefix);
			if (this.#clock.now() >= until) return { kind: "unavailable", reason: "contention" };
			await this.#catchUp(scope, state, snapshot.version, losses);
		}
	}

	/** After a lost race: the winner's version by its number at first; a pause and a LIST when that happens again. */
	async #catchUp(scope: Scope, state: SnapshotState<T>, lost: number, losses: number): Promise<void> {
		if (losses > 1) await this.#turns.pause(losses - 2);
		if (state.held.version >= lost) return;
		const winner = losses === 1 ? await this.#reader.fetch(scope, state, lost) : undefined;
		if (winner === undefined) await this.#reader.list(scope, state);
	}

	/** Creates a version, and settles by reading back what stays in doubt. The bytes are those of the value. */
	async #put(
		scope: Scope,
		prefix: string,
		{ version, value }: Snapshot<T>,
	): Promise<{ readonly outcome: "created" | "lost" | "indeterminate"; readonly bytes: number }> {
		const key = versionKey(prefix, version);
		const writeId = newWriteId(this.#random);
		const body = this.#kind.encode(value);
		const object = encodeVersion(prefix, version, writeId, body);
		const answer = (outcome: "created" | "lost" | "indeterminate") => ({ outcome, bytes: body.length });
		const until = this.#clock.monotonic() + this.#limits.settle;
		for (let attempt = 0; ; attempt++) {
			const outcome = await scope.store.put(key, object, { ifAbsent: true });
			if (outcome.kind === "created") return answer("created");
			if (outcome.kind === "exists" && attempt === 0) return answer("lost");
			const owner = await ownerOf(scope, prefix, version);
			if (owner !== undefined) return answer(owner === writeId ? "created" : "lost");
			if (this.#clock.monotonic() >= until) return answer("indeterminate");
			await this.#turns.pause(attempt);
		}
	}

	#state(name: SnapshotName): SnapshotState<T> {
		return this.#reader.state(snapshotPrefix(name.namespace, name.name));
	}
}

/** The writeId of the version that is there; undefined where there is none, or the store doesn't say. */
async function ownerOf(scope: Scope, prefix: string, version: number): Promise<string | undefined> {
	try {
		const outcome = await scope.store.get(versionKey(prefix, version));
		return outcome.kind === "found" ? parseVersion(prefix, version, outcome.bytes).writeId : undefined;
	} catch (error) {
		if (error instanceof StoreUnavailable) return undefined;
		throw error;
	}
}
