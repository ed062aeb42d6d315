import { createHash } from "node:crypto";
import type { Clock, Random } from "../log/log.ts";
import { isRecord } from "../session/entry.ts";

/** An id for an entry: 8 lower-case hex digits, none of those that are taken. */
export function newEntryId(random: Random, taken: (id: string) => boolean): string {
	for (;;) {
		const id = hex(random.bytes(4));
		if (!taken(id)) return id;
	}
}

/** An id for a session: a UUIDv7, so that newer ones sort after older ones (RFC 9562). */
export function newSessionId(clock: Clock, random: Random): string {
	const time = Math.floor(clock.now()).toString(16).padStart(12, "0");
	return uuid(time + hex(random.bytes(10)), 7);
}

/** The id of the session that this key makes in this namespace: a UUIDv8, the same each time. */
export function derivedSessionId(namespace: string, key: string): string {
	const hash = createHash("sha256")
		.update(JSON.stringify([namespace, key]))
		.digest("hex");
	return uuid(hash.slice(0, 32), 8);
}

/**
 * The id of the first entry that a keyed request writes, where its entries follow from the state they land on: what
 * was asked for is in it, so that a repeat is told from another request with the same key. A UUIDv8.
 */
export function derivedEntryId(key: string, request: object): string {
	const hash = createHash("sha256")
		.update(JSON.stringify([key, sorted(request)]))
		.digest("hex");
	return uuid(hash.slice(0, 32), 8);
}

/** The value with the keys of its objects in order. No deeper than a body may be. */
function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isRecord(value)) return value;
	const names = Object.keys(value).sort();
	return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

/** 32 hex digits as a UUID of this version. */
function uuid(digits: string, version: number): string {
	const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
	return [
		digits.slice(0, 8),
		digits.slice(8, 12),
		version + digits.slice(13, 16),
		variant + digits.slice(17, 20),
		digits.slice(20),
	].join("-");
}

function hex(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
