import type { Decision, LogView, NewRecord, Placed } from "../log/log.ts";
import type { FixedEntry } from "../session/entry.ts";
import { type Call, logOf } from "./call.ts";
import { findEarlier, headAt, type Sought, soughtBy } from "./earlier-request.ts";
import type { Lines } from "./entry-lines.ts";
import { entriesOfBody, fixEntries } from "./incoming-entries.ts";
import { newEntryId } from "./new-id.ts";
import { done, type Outcome } from "./outcome.ts";
import { placeRecords } from "./place-records.ts";
import { deletedSession, noSuchSession, type Refusal, refuse } from "./refusal.ts";
import { listSession, noteActivity } from "./tell-catalogue.ts";
import { unavailable } from "./unavailable.ts";
import { holds, type Precondition, versionAt } from "./version.ts";

export interface AppendRequest {
	readonly id: string;
	/** One entry, or an object with `entries`. */
	readonly body: unknown;
	/** Ends the commit with a `leaf` entry back to where the leaf was. */
	readonly keepLeaf: boolean;
	readonly key?: string;
	readonly ifMatch?: Precondition;
}

export interface Appended {
	/** Those sent, as they are stored. */
	readonly entries: Lines;
	readonly leafId: string | null;
	readonly seq: number;
}

/** Appends entries in one commit, all or none. */
export async function appendEntries(call: Call, request: AppendRequest): Promise<Outcome<Appended>> {
	const incoming = entriesOfBody(request.body, call.limits);
	if (incoming.kind === "refused") return incoming;
	const { entries } = incoming;
	const batch = Object.hasOwn(Object(request.body), "type") ? undefined : "entries";
	return writeEntries(call, {
		id: request.id,
		sought: soughtBy(call.random, request.key, entries, request.keepLeaf),
		...(request.ifMatch && { ifMatch: request.ifMatch }),
		pathOf: (at, field) => [batch, batch && at, field].filter((part) => part !== undefined).join("."),
	});
}

export interface EntriesToWrite {
	/** The session's. */
	readonly id: string;
	readonly sought: Sought;
	readonly ifMatch?: Precondition;
	/** Leads to a field of an entry in the client's body. */
	readonly pathOf?: (at: number, field: string) => string;
	/** True where the state is such that nothing is to be written. */
	readonly idle?: (view: LogView) => boolean;
	/** Fills in what an entry takes from the state that it lands on. */
	readonly complete?: (entry: FixedEntry, view: LogView) => FixedEntry;
}

type Written =
	| Refusal
	| { readonly kind: "idle" }
	| {
			readonly kind: "written";
			readonly lines: readonly Uint8Array[];
			/** `seq` of the request's last entry. */
			readonly last: number;
			readonly replayed: boolean;
	  };

/**
 * Writes entries where they come to lie, or finds that they were written before. In this order: replay, precondition,
 * then what the state allows.
 */
export async function writeEntries(call: Call, request: EntriesToWrite): Promise<Outcome<Appended>> {
	const outcome = await writeAndView(call, request);
	if (outcome.kind === "refused") return outcome;
	const { view, last, lines, replayed } = outcome;
	return done(
		{ entries: { first: lines }, leafId: headAt(view, last), seq: last },
		versionAt(view, last),
		replayed,
	);
}

/** What was written, and the session that it is part of. */
export interface WrittenTo {
	readonly kind: "written";
	readonly view: LogView;
	/** `seq` of the request's last entry, or of the session's where nothing was to be written. */
	readonly last: number;
	readonly lines: readonly Uint8Array[];
	readonly replayed: boolean;
}

/** The same, for those who have more to say of the session. */
export async function writeAndView(call: Call, request: EntriesToWrite): Promise<Refusal | WrittenTo> {
	const write = new EntryWrite(call, request);
	// A name is listed before it is answered, everything else some time after.
	const renames = request.sought.entries.some(({ type }) => type === "session_info");
	if (renames) call.catalogue.prepare(call.scope, call.namespace, request.id);
	const outcome = await call.log.append<Written>(call.scope, logOf(call, request.id), {
		tag: request.sought.tag,
		decide: (view, landed) => write.decide(view, landed),
	});
	if (outcome.kind === "absent") return noSuchSession;
	if (outcome.kind === "gone") return deletedSession;
	if (outcome.kind === "unavailable") return unavailable(outcome.reason);
	const { answer, view } = outcome;
	if (answer.kind === "refused") return answer;
	if (renames) {
		const unlisted = await listSession(call, view);
		if (unlisted) return unlisted;
	} else if (answer.kind === "written") await noteActivity(call, view);
	if (answer.kind === "written") return { ...answer, view };
	return { kind: "written", view, last: view.length, lines: [], replayed: false };
}

/** One request on its way into the log: what it brings is fixed once, where it goes is decided place by place. */
class EntryWrite {
	readonly #call: Call;
	readonly #request: EntriesToWrite;
	#fixed: readonly FixedEntry[];
	#leafEntry: { readonly id: string; readonly timestamp: string } | undefined;

	constructor(call: Call, request: EntriesToWrite) {
		this.#call = call;
		this.#request = request;
		this.#fixed = [];
		this.#fix(() => false);
	}

	/** Ids and times, all but those that the client gave. */
	#fix(taken: (id: string) => boolean): void {
		const { entries, keepsLeaf } = this.#request.sought;
		this.#fixed = fixEntries(this.#call, entries, taken);
		const own = new Set(this.#fixed.map(({ id }) => id));
		const timestamp = new Date(this.#call.clock.now()).toISOString();
		this.#leafEntry = keepsLeaf
			? { id: newEntryId(this.#call.random, (id) => own.has(id) || taken(id)), timestamp }
			: undefined;
	}

	async decide(view: LogView, landed: boolean): Promise<Decision<Written>> {
		const { sought, ifMatch, idle, complete, pathOf } = this.#request;
		const earlier = await findEarlier(view, sought);
		if (earlier.kind === "other") return answer(refuse("conflict", earlier.detail));
		if (earlier.kind === "same") {
			const bodies = await view.bodies(earlier.entries);
			const lines = earlier.entries.map((seq) => bodies.get(seq) ?? new Uint8Array());
			return answer({ kind: "written", lines, last: earlier.last, replayed: !landed });
		}
		if (!holds(ifMatch, view.length)) {
			return answer(refuse("precondition_failed", `The session's version is ${view.length}`));
		}
		if (idle?.(view)) return answer({ kind: "idle" });
		this.#avoidTakenIds(view);
		const count = this.#fixed.length + (this.#leafEntry ? 1 : 0);
		if (view.length + count > this.#call.limits.sessionEntries) {
			const most = this.#call.limits.sessionEntries;
			return answer(refuse("payload_too_large", `A session holds at most ${most} entries`));
		}
		const entries = complete ? this.#fixed.map((entry) => complete(entry, view)) : this.#fixed;
		const placed = await placeRecords(view, entries, {
			...(this.#leafEntry && { keepLeaf: this.#leafEntry }),
			...(pathOf && { pathOf }),
		});
		if (placed.kind === "refused") return answer(placed);
		return { kind: "commit", records: placed.records, result: (at) => this.#written(placed.records, at) };
	}

	#written(records: readonly NewRecord[], placed: Placed): Written {
		const lines = records.slice(0, this.#fixed.length).map((record) => record.bytes);
		return { kind: "written", lines, last: placed.last, replayed: false };
	}

	/** An id that we drew may have been drawn before, once in a few billion times. */
	#avoidTakenIds(view: LogView): void {
		const drawn = this.#fixed.filter((_entry, at) => this.#request.sought.entries[at]?.id === undefined);
		const all = this.#leafEntry ? [...drawn, this.#leafEntry] : drawn;
		if (all.some(({ id }) => view.seqOf(id) !== undefined)) {
			this.#fix((id) => view.seqOf(id) !== undefined);
		}
	}
}

function answer(written: Written): Decision<Written> {
	return { kind: "answer", answer: written };
}
