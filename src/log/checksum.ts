import { createHash } from "node:crypto";

/** The first 6 bytes of SHA-256, as 8 characters of base64url: guards against damage, not against malice. */
export function checksum(bytes: Uint8Array | string): string {
	return createHash("sha256").update(bytes).digest("base64url").slice(0, 8);
}
