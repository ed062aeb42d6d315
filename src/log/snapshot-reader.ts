import { StoreUnavailable } from "../store/object-store.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { type Moment, Moments } from "./clocks.ts";
import { Corrupt } from "./errors.ts";
import { versionKey, versionNumber } from "./keys.ts";
import type { Clock, Scope } from "./scope.ts";
import { parseVersion, type SnapshotKind } from "./snapshot-codec.ts";
import { type Snapshot, SnapshotState } from "./snapshot-state.ts";

/** Values in memory take about this many times the bytes of their objects. */
const weightOfByte = 4;
/** Times the newest version may vanish while it is looked for, before that is blamed on the store. */
const lookups = 5;

/** Finds the newest version of snapshots, and keeps what it read. Throws `StoreUnavailable` and `Corrupt`. */
export class SnapshotReader<T> {
	readonly moments: Moments;
	readonly #kind: SnapshotKind<T, never>;
	readonly #clock: Clock;
	readonly #trust: number;
	readonly #followerWait: number;
	readonly #states: BoundedCache<SnapshotState<T>>;
	/** Versions that were asked for by number, by key. */
	readonly #older: BoundedCache<Snapshot<T>>;

	/**
	 * `trust`: ms for which a confirmed version is built upon. `followerWait`: ms for which a request waits for what
	 * another one reads.
	 */
	constructor(parts: {
		readonly clock: Clock;
		readonly kind: SnapshotKind<T, never>;
		readonly trust: number;
		readonly followerWait: number;
		readonly cacheBytes: number;
	}) {
		this.moments = new Moments(parts.clock);
		this.#kind = parts.kind;
		this.#clock = parts.clock;
		this.#trust = parts.trust;
		this.#followerWait = parts.followerWait;
		this.#states = new BoundedCache((parts.cacheBytes * 2) / 3);
		this.#older = new BoundedCache(parts.cacheBytes / 3);
	}

	/** What is known of a snapshot, whatever its age. */
	state(prefix: string): SnapshotState<T> {
		const known = this.#states.get(prefix);
		if (known !== undefined) return known;
		const state = new SnapshotState<T>(prefix, this.#kind.empty);
		this.keep(state, 0);
		return state;
	}

	/** Notes how much the value that a state holds weighs. `bytes`: of its body. */
	keep(state: SnapshotState<T>, bytes: number): void {
		this.#states.set(state.prefix, state, weightOf(bytes));
	}

	isTrusted(confirmed: Moment | undefined): boolean {
		return confirmed !== undefined && this.moments.age(confirmed) <= this.#trust;
	}

	/** Learns the newest version by requests that are sent from now on: 1 GET (404) where warm, else 1 LIST. */
	async confirm(scope: Scope, state: SnapshotState<T>): Promise<void> {
		const before = state.confirmed;
		if (this.isTrusted(before)) {
			const known = state.version;
			const sent = this.moments.now();
			const next = await this.fetch(scope, state, known + 1);
			// Frozen in between, the number may be absent because it was used and removed long ago.
			if (next === undefined && this.isTrusted(before)) {
				state.confirm(known, sent);
				return;
			}
		}
		await this.list(scope, state);
	}

	/** One LIST: the number of the newest version, −1 where there is none. */
	async list(scope: Scope, state: SnapshotState<T>): Promise<number> {
		const sent = this.moments.now();
		const page = await scope.store.list(state.prefix, { limit: 1 });
		const first = page.objects[0];
		if (first === undefined && page.truncated)
			throw new StoreUnavailable(`${state.prefix}: an empty page of a LIST`);
		const version = first === undefined ? -1 : versionNumber(first.key);
		if (version === undefined) throw new Corrupt(first!.key, "is no version of a snapshot");
		state.confirm(version, sent);
		return version;
	}

	/** The newest version known, or a newer one. */
	async load(scope: Scope, state: SnapshotState<T>): Promise<Snapshot<T>> {
		for (let lookup = 0; lookup < lookups; lookup++) {
			if (state.held.version >= state.version) return state.held;
			const snapshot = await this.fetch(scope, state, state.version);
			if (snapshot === undefined) await this.list(scope, state);
		}
		throw new StoreUnavailable(`${state.prefix}: the newest version can't be found`);
	}

	/**
	 * The newest version that may be built upon: known from at most `trust` ago. It need not be confirmed anew, so
	 * requests that ask for it at the same time share what is sent. One that was ended by its platform is not waited
	 * for.
	 */
	async basis(scope: Scope, state: SnapshotState<T>): Promise<Snapshot<T>> {
		for (let patient = true; ; ) {
			if (this.isTrusted(state.confirmed) && state.held.version >= state.version) return state.held;
			if (state.preparing === undefined || !patient) return this.#prepare(scope, state);
			patient = await Promise.race([
				state.preparing.then(() => true),
				this.#clock.sleep(this.#followerWait).then(() => false),
			]);
		}
	}

	async #prepare(scope: Scope, state: SnapshotState<T>): Promise<Snapshot<T>> {
		const work = async () => {
			if (!this.isTrusted(state.confirmed)) await this.list(scope, state);
			return this.load(scope, state);
		};
		const found = work();
		const over = found.then(
			() => undefined,
			() => undefined,
		);
		state.preparing = over;
		try {
			return await found;
		} finally {
			if (state.preparing === over) state.preparing = undefined;
		}
	}

	/** Reads a version and notes that it exists; undefined where it is absent. */
	async fetch(scope: Scope, state: SnapshotState<T>, version: number): Promise<Snapshot<T> | undefined> {
		const found = await this.#get(scope, state.prefix, version);
		if (found === undefined) return undefined;
		state.found(found.snapshot);
		if (state.held === found.snapshot) this.keep(state, found.bytes);
		return found.snapshot;
	}

	/** A version by its number; undefined where it was removed or never was. At most 1 GET. */
	async at(scope: Scope, prefix: string, version: number): Promise<Snapshot<T> | undefined> {
		if (version < 0) return { version: -1, value: this.#kind.empty };
		const state = this.state(prefix);
		if (version === state.held.version) return state.held;
		if (version === state.version) return this.fetch(scope, state, version);
		const key = versionKey(prefix, version);
		const kept = this.#older.get(key);
		if (kept !== undefined) return kept;
		const found = await this.#get(scope, prefix, version);
		if (found !== undefined) this.#older.set(key, found.snapshot, weightOf(found.bytes));
		return found?.snapshot;
	}

	async #get(
		scope: Scope,
		prefix: string,
		version: number,
	): Promise<{ readonly snapshot: Snapshot<T>; readonly bytes: number } | undefined> {
		const key = versionKey(prefix, version);
		const outcome = await scope.store.get(key);
		if (outcome.kind !== "found") return undefined;
		const { body } = parseVersion(prefix, version, outcome.bytes);
		try {
			return { snapshot: { version, value: this.#kind.decode(body) }, bytes: body.length };
		} catch {
			throw new Corrupt(key, "the body is malformed");
		}
	}
}

function weightOf(bytes: number): number {
	return 1000 + weightOfByte * bytes;
}
