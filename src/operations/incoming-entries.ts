import { newEntryIssues } from "../../schemas/entry.ts";
import type { Issue } from "../../schemas/error.ts";
import type { Limits } from "../../schemas/limits.ts";
import { type FixedEntry, isRecord, type NewEntry } from "../session/entry.ts";
import type { Call } from "./call.ts";
import { newEntryId } from "./new-id.ts";
import { type Refusal, refuse } from "./refusal.ts";

/** Entries as a client sent them, each of the right shape. */
export interface Incoming {
	readonly kind: "incoming";
	readonly entries: readonly NewEntry[];
}

/** The entries of an `appendEntry` body: one entry, or an object that holds `entries` and nothing else. */
export function entriesOfBody(body: unknown, limits: Limits): Incoming | Refusal {
	if (!isRecord(body) || Object.hasOwn(body, "type") || !Object.hasOwn(body, "entries")) {
		return incomingEntries([body], limits, () => []);
	}
	const { entries, ...others } = body;
	const unknown = Object.keys(others).map((path) => ({ path, message: "Unknown field" }));
	if (unknown.length > 0) return misshapen(unknown);
	if (!Array.isArray(entries) || entries.length === 0) {
		return misshapen([{ path: "entries", message: "Expected an array with 1 entry or more" }]);
	}
	return incomingEntries(entries, limits);
}

/** Judges each entry by itself: 400 for its shape, 413 for its size. `pathOf` leads to an entry in the body. */
export function incomingEntries(
	values: readonly unknown[],
	limits: Limits,
	pathOf: (at: number) => readonly (string | number)[] = (at) => ["entries", at],
): Incoming | Refusal {
	if (values.length > limits.batchEntries) {
		return refuse("payload_too_large", `A request brings at most ${limits.batchEntries} entries`);
	}
	const issues: Issue[] = values.flatMap((value, at) =>
		newEntryIssues(value).map(({ path, message }) => ({
			path: [...pathOf(at), ...path].join("."),
			message,
		})),
	);
	if (issues.length > 0) return misshapen(issues);
	const entries = values as readonly NewEntry[];
	for (const [at, entry] of entries.entries()) {
		const what = tooLarge(entry, limits);
		if (what) return refuse("payload_too_large", what, [{ path: pathOf(at).join("."), message: what }]);
	}
	return { kind: "incoming", entries };
}

/** Which limit an entry breaks. */
export function tooLarge(entry: { readonly [field: string]: unknown }, limits: Limits): string | undefined {
	// A character is 3 bytes at most, so most lines need not be encoded to be judged.
	const line = JSON.stringify(entry);
	if (line.length * 3 > limits.entryBytes && byteLength(line) > limits.entryBytes) {
		return `An entry has at most ${limits.entryBytes} bytes`;
	}
	if (entry.type !== "session_info") return undefined;
	return nameTooLong(entry.name, limits) ?? metadataTooLarge(entry.metadata, limits);
}

export function nameTooLong(name: unknown, limits: Limits): string | undefined {
	const long = typeof name === "string" && name.length > limits.nameCharacters;
	return long ? `A name has at most ${limits.nameCharacters} characters` : undefined;
}

export function metadataTooLarge(metadata: unknown, limits: Limits): string | undefined {
	const large = metadata !== undefined && byteLength(JSON.stringify(metadata)) > limits.metadataBytes;
	return large ? `Metadata has at most ${limits.metadataBytes} bytes` : undefined;
}

function byteLength(text: string): number {
	return new TextEncoder().encode(text).length;
}

function misshapen(issues: readonly Issue[]): Refusal {
	return refuse("invalid_request", "The entries are not as they should be", issues);
}

/** Gives each entry what it lacks of an id and a time, once for all places that are tried. */
export function fixEntries(
	call: Call,
	entries: readonly NewEntry[],
	taken: (id: string) => boolean,
): FixedEntry[] {
	const own = new Set(entries.map((entry) => entry.id));
	const timestamp = new Date(call.clock.now()).toISOString();
	return entries.map((entry) => {
		if (entry.id !== undefined && entry.timestamp !== undefined) return entry as FixedEntry;
		const id = entry.id ?? newEntryId(call.random, (candidate) => own.has(candidate) || taken(candidate));
		own.add(id);
		return { ...entry, id, timestamp: entry.timestamp ?? timestamp };
	});
}
