import { isRecord, stringOf } from "./entry.ts";

/**
 * The kind of an entry, as the index holds it: its type, or `m.` and the role for a message (`m.user`), `m` for
 * a message entry without a message. A type of foreign files that would read as one of these, or that begins
 * with a question mark, gets a question mark in front.
 */
export function kindOf(entry: { readonly [field: string]: unknown }): string {
	const type = stringOf(entry.type) ?? "";
	if (type === "message") {
		return isRecord(entry.message) ? `m.${stringOf(entry.message.role) ?? ""}` : "m";
	}
	return /^(m$|m\.|\?)/.test(type) ? `?${type}` : type;
}

/** True where the kind is that of a `message` entry. */
export function isMessageKind(kind: string): boolean {
	return kind === "m" || kind.startsWith("m.");
}

/** The `type` of the entries of a kind. */
export function typeOfKind(kind: string): string {
	if (isMessageKind(kind)) return "message";
	return kind.startsWith("?") ? kind.slice(1) : kind;
}

/** The role of the messages of a kind; undefined for other entries. */
export function roleOfKind(kind: string): string | undefined {
	return kind.startsWith("m.") ? kind.slice(2) : undefined;
}
