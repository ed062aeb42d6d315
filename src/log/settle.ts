import { type GetOutcome, type ObjectStore, StoreUnavailable } from "../store/object-store.ts";
import type { Moment } from "./clocks.ts";
import { parseHeader } from "./commit.ts";
import type { ObjectStart } from "./cover-reader.ts";
import { type Engine, isTrusted, jitter } from "./engine.ts";
import { Corrupt } from "./errors.ts";
import { commitKey } from "./keys.ts";
import type { LogState } from "./log-state.ts";
import { readHeader } from "./read-header.ts";
import { probeLength } from "./tail.ts";

/** A commit's bytes, frozen. */
export interface FrozenCommit {
	readonly n: number;
	readonly writeId: string;
	/** It is the log's tombstone. */
	readonly isEnd?: boolean;
	readonly bytes: Uint8Array;
}

/**
 * What became of a commit.
 * `landed`: it is commit n, and nothing newer was there at `sent`. `lost`: another is (`winner`, where it was seen).
 * `unknown`: it may be there, or land yet. `gone`: the log has ended and was purged; it landed before that, or where the purge had passed.
 */
export type Settled =
	| { readonly kind: "landed"; readonly sent: Moment }
	| { readonly kind: "lost"; readonly winner: ObjectStart | undefined }
	| { readonly kind: "unknown" }
	| { readonly kind: "gone" };

/**
 * Puts a commit if its number is free, and finds out what became of it. A doubtful write is looked up by its
 * writeId; where nothing is there the same bytes are sent to the same key again, for a bounded time.
 */
export async function putAndSettle(
	engine: Engine,
	store: ObjectStore,
	state: LogState,
	commit: FrozenCommit,
): Promise<Settled> {
	const key = commitKey(state.prefix, commit.n);
	const first = engine.moments.now();
	for (let attempt = 0; ; attempt++) {
		const sent = attempt === 0 ? first : engine.moments.now();
		const put = await store.put(key, commit.bytes, { ifAbsent: true });
		if (put.kind === "created") return guardLanding(engine, store, state, commit, sent);
		const found = await look(store, key, commit.n);
		if (found?.kind === "found") {
			const header = parseHeader(key, commit.n, found.bytes)?.header;
			const ours = header?.writeId === commit.writeId && !engine.mutations.has("writeid-settling");
			if (ours) return guardLanding(engine, store, state, commit, first);
		}
		const isRefused = put.kind === "exists" && attempt === 0;
		// Long after a doubtful try its number may have been purged, with what lay there.
		if (!isRefused && engine.moments.age(first) > engine.limits.trust) return { kind: "unknown" };
		if (found?.kind === "found") return { kind: "lost", winner: found };
		// Taken a moment ago and absent now: only a purge does that.
		if (put.kind === "exists" && found?.kind === "absent") return { kind: "lost", winner: undefined };
		if (engine.moments.age(first) > engine.limits.settle || engine.mutations.has("frozen-groups"))
			return { kind: "unknown" };
		await engine.clock.sleep(jitter(engine, attempt));
	}
}

async function look(store: ObjectStore, key: string, n: number): Promise<GetOutcome | undefined> {
	try {
		return await store.get(key, { range: { offset: 0, length: probeLength(n) } });
	} catch (error) {
		if (error instanceof StoreUnavailable) return undefined;
		throw error;
	}
}

/**
 * A commit that landed is acknowledged at once where its tail was confirmed lately. Past that, the process may
 * have stood still while the log was ended and purged, so that its number was free again. A purge overwrites
 * commit 0 before it removes anything: while that is alive, no number has become free.
 */
async function guardLanding(
	engine: Engine,
	store: ObjectStore,
	state: LogState,
	commit: FrozenCommit,
	sent: Moment,
): Promise<Settled> {
	if (commit.n === 0 || isTrusted(engine, state) || engine.mutations.has("second-look"))
		return { kind: "landed", sent };
	try {
		const oldest = await readHeader(store, state.prefix, 0);
		if (oldest?.kind === "live") return { kind: "landed", sent };
		if (oldest === undefined) throw new Corrupt(commitKey(state.prefix, 0), "is missing");
		state.gone = true;
		// A tombstone on top may be what shows that the log has ended.
		if (!commit.isEnd) await store.delete([commitKey(state.prefix, commit.n)]);
	} catch (error) {
		if (!(error instanceof StoreUnavailable)) throw error;
		// What could not be removed, the later sweep takes.
		return state.gone ? { kind: "gone" } : { kind: "unknown" };
	}
	return { kind: "gone" };
}
