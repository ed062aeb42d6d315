import { z } from "@hono/zod-openapi";
import { limits } from "./limits.ts";

/** Makes a POST, PUT or PATCH safe to repeat. */
export const idempotencyKeySchema = z
	.string()
	.regex(new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyCharacters}}$`), {
		error: `Idempotency-Key is 1 to ${limits.idempotencyKeyCharacters} characters of visible ASCII`,
	})
	.openapi({
		param: { name: "Idempotency-Key", in: "header" },
		description:
			"Makes the call safe to repeat: a repeat with the same content returns 200 with the first result, its first ETag and `Idempotency-Replayed: true`; one with another content is 409. Its scope is the session written; for calls that make a session, the caller's namespace.",
	});

export const ifMatchSchema = z.string().openapi({
	param: { name: "If-Match", in: "header" },
	description:
		"ETag of any answer about the session: 412 unless its log holds exactly as many entries where this call writes.",
	example: 'W/"12-5"',
});

export const ifNoneMatchSchema = z.string().openapi({
	param: { name: "If-None-Match", in: "header" },
	description: "ETags the client holds answers of: 304 where the session is still the same.",
});
