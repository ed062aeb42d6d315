import { type ListedObject, type ObjectStore, StoreUnavailable } from "../store/object-store.ts";
import type { Moment } from "./clocks.ts";
import { headerAllowance, smallestLiveCommit } from "./commit.ts";
import { type ObjectStart, readCover, type Want } from "./cover-reader.ts";
import { type Engine, isTrusted } from "./engine.ts";
import { Corrupt } from "./errors.ts";
import { lowbit } from "./fenwick.ts";
import { commitKey, commitNumber } from "./keys.ts";
import type { LogState } from "./log-state.ts";
import { readHeader } from "./read-header.ts";

/** How a log stands. `current`: the state holds all that was there when the request was sent. */
export type Standing = "current" | "absent" | "gone";

/** Where a log ends, as one LIST tells it. */
export type ListedTail =
	| { readonly kind: "at"; readonly n: number; readonly size: number }
	| { readonly kind: "absent" }
	| { readonly kind: "gone" };

/** What a LIST said, and when it was sent. */
export interface Glimpse {
	readonly tail: ListedTail;
	readonly sent: Moment;
}

/** How often a cover is read again that changed while it was read, before its objects count as missing. */
const rereads = 4;

/**
 * Brings a state up to date with a request that is sent after this call.
 * Warm: a GET of the next commit, whose 404 is the proof. Cold, or not confirmed for too long: a LIST and the cover.
 * @throws Corrupt, StoreUnavailable
 */
export async function refreshTail(
	engine: Engine,
	store: ObjectStore,
	state: LogState,
	want: Want,
): Promise<Standing> {
	if (state.gone) return "gone";
	const held = new Map<number, ObjectStart>();
	if (state.newest >= 0 && isTrusted(engine, state)) {
		const next = state.newest + 1;
		const sent = engine.moments.now();
		const probe = await store.get(commitKey(state.prefix, next), {
			range: { offset: 0, length: probeLength(next) },
		});
		if (state.gone) return "gone";
		if (probe.kind === "found") held.set(next, probe);
		// Looked at again: the process may have stood still, and a purged commit is a 404 too.
		else if (isTrusted(engine, state) || engine.mutations.has("second-look")) {
			state.confirm(sent);
			return "current";
		}
	}
	return readFromList(engine, store, state, want, { held });
}

/** Brings a state up to date by a LIST and the cover. */
export async function readFromList(
	engine: Engine,
	store: ObjectStore,
	state: LogState,
	want: Want,
	before?: { readonly held?: ReadonlyMap<number, ObjectStart>; readonly glimpse?: Glimpse },
): Promise<Standing> {
	for (let round = 0; ; round++) {
		const known = state.newest;
		const { tail, sent } = (round === 0 && before?.glimpse) || (await glimpseTail(engine, store, state));
		if (tail.kind === "gone") state.gone = true;
		if (state.gone || tail.kind === "gone") return "gone";
		if (tail.kind === "absent" || tail.n < known) {
			if (known >= 0) throw new Corrupt(commitKey(state.prefix, known), "has vanished");
			return "absent";
		}
		const outcome = await readCover({
			store,
			state,
			newest: tail,
			want,
			held: round === 0 ? before?.held : undefined,
			believeHeader: !engine.mutations.has("header-cover"),
			pinRanges: !engine.mutations.has("etag-pinned-ranges"),
		});
		if (outcome === "gone") state.gone = true;
		engine.weigh(state);
		if (state.gone) return "gone";
		if (outcome === "folded") {
			state.confirm(sent);
			return "current";
		}
		if (typeof outcome === "object" && round === rereads)
			throw new Corrupt(commitKey(state.prefix, outcome.again), "is missing");
	}
}

/** Lists where a log ends, and notes when that was asked. */
export async function glimpseTail(engine: Engine, store: ObjectStore, state: LogState): Promise<Glimpse> {
	const sent = engine.moments.now();
	return { tail: await listTail(store, state.prefix), sent };
}

/**
 * Where a log ends. Its two newest keys are looked at: below a commit there is always the one before it, but
 * where a purge went over the log and a write landed on what it left. Only commit 0 stays then, a tombstone,
 * which a living commit 0 is never as small as.
 */
export async function listTail(store: ObjectStore, prefix: string): Promise<ListedTail> {
	const [newest, second] = await firstKeys(store, prefix);
	if (!newest) return { kind: "absent" };
	const n = numberOf(newest);
	const lowest = n === 0 ? newest : second;
	const follows = n === 0 || (second !== undefined && numberOf(second) === n - 1);
	const purged = n <= 1 && lowest !== undefined && lowest.size < smallestLiveCommit;
	if (follows && !purged) return { kind: "at", n, size: newest.size };
	// Only commit 0 itself tells a purged log from a damaged one.
	if ((await readHeader(store, prefix, 0))?.kind === "tombstone") return { kind: "gone" };
	throw new Corrupt(commitKey(prefix, Math.max(n - 1, 0)), purged ? "is cut short" : "is missing");
}

/** The first two keys with a prefix. A page may hold fewer than there are. */
async function firstKeys(store: ObjectStore, prefix: string): Promise<ListedObject[]> {
	const objects: ListedObject[] = [];
	for (;;) {
		const after = objects.at(-1)?.key;
		const page = await store.list(prefix, { limit: 2, ...(after === undefined ? {} : { after }) });
		objects.push(...page.objects);
		if (objects.length >= 2 || !page.truncated) return objects;
		if (page.objects.length === 0) throw new StoreUnavailable("an empty page that is not the last");
	}
}

function numberOf(object: ListedObject): number {
	const n = commitNumber(object.key);
	if (n === undefined) throw new Corrupt(object.key, "is no commit's key");
	return n;
}

/** How much to read of a commit that nothing is known of: its header, index and carried bodies, mostly. */
export function probeLength(n: number): number {
	return headerAllowance + lowbit(n + 1) * 288 + 80 * 1024;
}
