import { createHash } from "node:crypto";
import type { Random } from "../log/log.ts";

/** The name of a request in a log: 12 bytes as 16 characters of base64url. */
export function tagOfKey(key: string): string {
	return digest(`key\0${key}`);
}

/**
 * The name of a request without a key: that of its first own id, so that a repeat finds all of it; a random one
 * where the client named nothing.
 */
export function tagOfIds(ids: readonly (string | undefined)[], random: Random): string {
	const first = ids.find((id) => id !== undefined);
	return first === undefined ? randomTag(random) : digest(`id\0${first}`);
}

/** The name of a request that nobody can repeat. */
export function randomTag(random: Random): string {
	return btoa(String.fromCharCode(...random.bytes(12)))
		.replaceAll("+", "-")
		.replaceAll("/", "_");
}

function digest(text: string): string {
	return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
