import type { LogView, Random } from "../log/log.ts";
import { isRecord, type NewEntry } from "../session/entry.ts";
import { entryOf } from "../session/record.ts";
import { sameContent } from "../session/same-content.ts";
import { tagOfIds, tagOfKey } from "./request-tag.ts";

/** What is left in the log of an earlier request with the same key, or with the same ids. */
export type Earlier =
	| { readonly kind: "none" }
	/** It was this very request. `last` is the `seq` after which it was over; the entries are those sent. */
	| { readonly kind: "same"; readonly entries: readonly number[]; readonly last: number }
	| { readonly kind: "other"; readonly detail: string };

const otherContent: Earlier = {
	kind: "other",
	detail: "This key or one of these ids is known with another content",
};
const partlyKnown: Earlier = {
	kind: "other",
	detail: "A part of these entries is known already, and another part is not",
};

/** A request to look for. */
export interface Sought {
	/** The request's name in the log. */
	readonly tag: string;
	/** The tag is a key's, which stands for the whole request. */
	readonly keyed: boolean;
	/** As the client sent them. */
	readonly entries: readonly NewEntry[];
	/** It ends with a `leaf` entry of ours. */
	readonly keepsLeaf: boolean;
}

/** The request with these entries: named by its key, or by the ids that it brings, or like no other. */
export function soughtBy(
	random: Random,
	key: string | undefined,
	entries: readonly NewEntry[],
	keepsLeaf = false,
): Sought {
	const ids = entries.map(({ id }) => id);
	const tag = key === undefined ? tagOfIds(ids, random) : tagOfKey(key);
	return { tag, keyed: key !== undefined, entries, keepsLeaf };
}

/** Looks for a request that was met before. Reads the bodies of what it compares. */
export async function findEarlier(view: LogView, sought: Sought): Promise<Earlier> {
	const { tag, entries: given, keepsLeaf } = sought;
	const known = given.map((entry) => (entry.id === undefined ? undefined : view.seqOf(entry.id)));
	const request = view.request(tag);
	if (request.length === 0) {
		if (known.every((seq) => seq === undefined)) return { kind: "none" };
		return known.every((seq) => seq !== undefined) ? byIds(view, given, known, keepsLeaf) : partlyKnown;
	}
	if (request.length !== given.length + (keepsLeaf ? 1 : 0)) {
		const all = !sought.keyed && known.every((seq) => seq !== undefined);
		return all ? byIds(view, given, known, keepsLeaf) : otherContent;
	}
	const last = request.at(-1) ?? 0;
	if (keepsLeaf && view.kind(last) !== "leaf") return otherContent;
	const entries = request.slice(0, given.length);
	return (await allSame(view, given, entries)) ? { kind: "same", entries, last } : otherContent;
}

/** Each entry is known by its own id; what else the earlier request brought is of no matter. */
async function byIds(
	view: LogView,
	given: readonly NewEntry[],
	known: readonly number[],
	keepsLeaf: boolean,
): Promise<Earlier> {
	if (!(await allSame(view, given, known))) return otherContent;
	const newest = Math.max(...known);
	if (!keepsLeaf) return { kind: "same", entries: known, last: newest };
	const after = newest + 1;
	const kept =
		after <= view.length && view.kind(after) === "leaf" && view.commitOf(after) === view.commitOf(newest);
	return kept ? { kind: "same", entries: known, last: after } : otherContent;
}

/** Whether each entry given equals the stored one at its place. */
export async function allSame(
	view: LogView,
	given: readonly NewEntry[],
	stored: readonly number[],
): Promise<boolean> {
	const bodies = await view.bodies(stored);
	return given.every((entry, at) => {
		const line = bodies.get(stored[at] ?? 0);
		return line !== undefined && sameContent(asWritten(entry), entryOf(line));
	});
}

/** The entry as JSON can say it: a number that is too large for one is stored as null. */
function asWritten(entry: NewEntry): NewEntry {
	const written: unknown = JSON.parse(JSON.stringify(entry));
	return isRecord(written) ? (written as NewEntry) : entry;
}

/** Where the leaf was after entry `seq`; null before the first one. */
export function headAt(view: LogView, seq: number): string | null {
	if (seq === 0) return null;
	if (view.kind(seq) !== "leaf") return view.id(seq);
	const target = view.meta(seq).t;
	return typeof target === "string" ? target : null;
}
