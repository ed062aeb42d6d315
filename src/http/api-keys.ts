import { createHash, timingSafeEqual } from "node:crypto";
import type { Scope } from "./scopes.ts";

/** An API key as the configuration knows it: the key itself is nowhere but with its owner. */
export interface ApiKey {
	/** SHA-256 of the key, 64 hex digits. */
	readonly sha256: string;
	/** `*` acts for the namespace that each request names. */
	readonly namespace: string;
	readonly scopes: readonly Scope[];
}

/** The key that this token is. Takes as long for one that is almost right as for any other. */
export function findApiKey(keys: readonly ApiKey[], token: string): ApiKey | undefined {
	const digest = createHash("sha256").update(token).digest();
	let found: ApiKey | undefined;
	for (const key of keys) if (timingSafeEqual(digest, Buffer.from(key.sha256, "hex"))) found = key;
	return found;
}
