import type { Decision, LogView, Placed } from "../log/log.ts";
import type { FixedEntry } from "../session/entry.ts";
import { type Call, logOf } from "./call.ts";
import { tooLarge } from "./incoming-entries.ts";
import { derivedEntryId, newEntryId } from "./new-id.ts";
import { placeRecords } from "./place-records.ts";
import { deletedSession, noSuchSession, type Refusal, refuse } from "./refusal.ts";
import { randomTag, tagOfKey } from "./request-tag.ts";
import { noteActivity } from "./tell-catalogue.ts";
import { unavailable } from "./unavailable.ts";
import { holds, type Precondition } from "./version.ts";

/** A write whose entries follow from the state that it lands on. */
export interface PlannedWrite<Aside> {
	/** The session's. */
	readonly id: string;
	/** What is asked for and can't be seen in what is written: a repeat of the key with anything else is refused. */
	readonly request: object;
	/** Whether what an earlier request with the key and these fields wrote is what is asked for now. */
	readonly isSame: (view: LogView, written: PlannedEntries) => Promise<boolean>;
	readonly key?: string;
	readonly ifMatch?: Precondition;
	/** Called for every place that is tried. */
	readonly plan: (view: LogView, draft: Draft) => Planned<Aside> | Promise<Planned<Aside>>;
}

/** What every entry of the write begins with. The first id tells a keyed request from others with its key. */
export interface Draft {
	readonly timestamp: string;
	readonly newId: () => string;
}

export type Planned<Aside> =
	| Refusal
	/** Nothing is to be written, and why. */
	| { readonly kind: "aside"; readonly aside: Aside }
	| { readonly kind: "entries"; readonly entries: readonly FixedEntry[] };

/** What a planned write left in the log. */
export interface PlannedEntries {
	readonly kind: "written";
	/** `seq` of its first and of its last entry. */
	readonly first: number;
	readonly last: number;
	/** Line of the first one. */
	readonly line: Uint8Array;
	readonly replayed: boolean;
}

export type PlannedOutcome<Aside> =
	| Refusal
	| { readonly kind: "aside"; readonly aside: Aside; readonly view: LogView }
	| (PlannedEntries & { readonly view: LogView });

/** Writes what the plan says, in one commit. In this order: replay, precondition, then what the state allows. */
export async function writePlanned<Aside>(
	call: Call,
	write: PlannedWrite<Aside>,
): Promise<PlannedOutcome<Aside>> {
	type Answer = Refusal | { readonly kind: "aside"; readonly aside: Aside } | PlannedEntries;
	const drafts = new Drafts(call, write);
	const answer = (value: Answer): Decision<Answer> => ({ kind: "answer", answer: value });
	const decide = async (view: LogView, landed: boolean): Promise<Decision<Answer>> => {
		const earlier = await earlierWrite(view, write, drafts.tag, landed);
		if (earlier !== undefined) return answer(earlier);
		const unmet = unmetIn(view, write.ifMatch);
		if (unmet) return answer(unmet);
		const planned = await write.plan(view, drafts.at(view));
		if (planned.kind !== "entries") return answer(planned);
		const refusal = tooMany(call, view, planned.entries);
		if (refusal) return answer(refusal);
		const placed = await placeRecords(view, planned.entries);
		if (placed.kind === "refused") return answer(placed);
		const line = placed.records[0]?.bytes ?? new Uint8Array();
		const result = ({ first, last }: Placed): Answer => ({
			kind: "written",
			first,
			last,
			line,
			replayed: false,
		});
		return { kind: "commit", records: placed.records, result };
	};
	const outcome = await call.log.append<Answer>(call.scope, logOf(call, write.id), {
		tag: drafts.tag,
		decide,
	});
	if (outcome.kind === "absent") return noSuchSession;
	if (outcome.kind === "gone") return deletedSession;
	if (outcome.kind === "unavailable") return unavailable(outcome.reason);
	const { answer: value, view } = outcome;
	if (value.kind === "refused") return value;
	if (value.kind === "written" && !value.replayed) await noteActivity(call, view);
	return { ...value, view };
}

/**
 * What an earlier request with this key left, a refusal where it was another one, undefined where there is none.
 * `landed`: what is found is this very request's.
 */
export async function earlierWrite(
	view: LogView,
	{ key, request, isSame }: Pick<PlannedWrite<unknown>, "key" | "request" | "isSame">,
	tag = key === undefined ? undefined : tagOfKey(key),
	landed = false,
): Promise<PlannedEntries | Refusal | undefined> {
	const seqs = tag === undefined ? [] : view.request(tag);
	const [first] = seqs;
	if (first === undefined) return undefined;
	const line = (await view.bodies([first])).get(first) ?? new Uint8Array();
	const last = seqs.at(-1) ?? first;
	const written: PlannedEntries = { kind: "written", first, last, line, replayed: !landed };
	if (key === undefined) return written;
	const known = view.id(first) === derivedEntryId(key, request) && (await isSame(view, written));
	return known ? written : refuse("conflict", "This key is known with another content");
}

/** 412 where the log isn't as long as the caller knows it. */
export function unmetIn(view: LogView, ifMatch: Precondition | undefined): Refusal | undefined {
	if (holds(ifMatch, view.length)) return undefined;
	return refuse("precondition_failed", `The session's version is ${view.length}`);
}

function tooMany(call: Call, view: LogView, entries: readonly FixedEntry[]): Refusal | undefined {
	const most = call.limits.sessionEntries;
	if (view.length + entries.length > most) {
		return refuse("payload_too_large", `A session holds at most ${most} entries`);
	}
	for (const entry of entries) {
		const what = tooLarge(entry, call.limits);
		if (what) return refuse("payload_too_large", what);
	}
	return undefined;
}

/** The ids and the time of a request's entries, the same for every place that is tried. */
class Drafts {
	readonly tag: string;
	readonly #call: Call;
	readonly #timestamp: string;
	readonly #derived: string | undefined;
	readonly #drawn: string[] = [];

	constructor(call: Call, { key, request }: PlannedWrite<unknown>) {
		this.#call = call;
		this.tag = key === undefined ? randomTag(call.random) : tagOfKey(key);
		this.#timestamp = new Date(call.clock.now()).toISOString();
		this.#derived = key === undefined ? undefined : derivedEntryId(key, request);
	}

	at(view: LogView): Draft {
		let turn = 0;
		const taken = (id: string) => view.seqOf(id) !== undefined || this.#drawn.includes(id);
		const newId = () => {
			const at = turn++;
			if (at === 0 && this.#derived !== undefined) return this.#derived;
			const drawn = this.#drawn[at];
			if (drawn !== undefined && view.seqOf(drawn) === undefined) return drawn;
			const id = newEntryId(this.#call.random, taken);
			this.#drawn[at] = id;
			return id;
		};
		return { timestamp: this.#timestamp, newId };
	}
}
