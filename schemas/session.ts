import { z } from "@hono/zod-openapi";
import { limits } from "./limits.ts";

/** Letters, digits, `.`, `_`, `-`; the first and the last alphanumeric. */
export const sessionIdPattern = new RegExp(
	`^(?=.{1,${limits.sessionIdCharacters}}$)[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`,
);

export const sessionIdSchema = z
	.string()
	.regex(sessionIdPattern, {
		error: `An id is 1 to ${limits.sessionIdCharacters} letters, digits, '.', '_' or '-', the first and the last a letter or digit`,
	})
	.openapi({ example: "0198c0de-7a10-7c3e-9b51-5a0d3f6e2b11" });

/** Any JSON object of the caller's; kept as it is. */
export const metadataSchema = z
	.custom<{ readonly [key: string]: unknown }>(
		(value) => typeof value === "object" && value !== null && !Array.isArray(value),
		{ error: "Expected an object" },
	)
	.openapi({
		type: "object",
		additionalProperties: true,
		description: `The caller's own, at most ${limits.metadataBytes} bytes of JSON.`,
	});

export const seqSchema = z.int().nonnegative().openapi({
	description: "The session's version: the number of entries in its log, `leaf` entries included.",
	example: 12,
});

export const sessionSchema = z
	.object({
		id: sessionIdSchema,
		version: z.literal(3),
		timestamp: z.string().openapi({ description: "When it was made, ISO 8601." }),
		cwd: z.string(),
		parentSession: z
			.string()
			.optional()
			.openapi({ description: "The session it was made from. It need not exist any more." }),
		name: z.string().optional(),
		leafId: z.string().nullable(),
		entryCount: z.int().nonnegative().openapi({ description: "Entries stored, `leaf` entries not counted." }),
		messageCount: z.int().nonnegative().openapi({ description: "`message` entries of all branches." }),
		firstMessage: z
			.string()
			.optional()
			.openapi({
				description: `The first text of a user, cut at ${limits.firstMessageCharacters} characters.`,
			}),
		modified: z
			.string()
			.openapi({ description: "Time of the latest user or assistant message, else of the creation." }),
		seq: seqSchema,
		metadata: metadataSchema.optional(),
	})
	.openapi("Session");

export type Session = z.infer<typeof sessionSchema>;

/** What a client may say about a session that it creates. Entries are looked at one by one, apart. */
export const createSessionSchema = z.strictObject({
	id: sessionIdSchema.optional(),
	cwd: z.string().optional().openapi({ default: "/" }),
	name: z
		.string()
		.optional()
		.openapi({
			description: `At most ${limits.nameCharacters} characters. Stored as a session_info entry after the entries.`,
		}),
	parentSession: sessionIdSchema.optional(),
	metadata: metadataSchema.optional(),
	/** Judged one by one by the operation. */
	entries: z.array(z.unknown()).optional(),
});

export const branchSessionSchema = z
	.strictObject({
		leafId: z.string().min(1).openapi({ description: "The entry that the new session ends at." }),
		id: sessionIdSchema.optional(),
		cwd: z.string().optional().openapi({ description: "Unless given, the source's." }),
		name: z.string().optional(),
	})
	.openapi("CreateBranchedSession");

/** What can be changed of a session. */
export const updateSessionSchema = z
	.strictObject({
		name: z
			.string()
			.optional()
			.openapi({
				description: `At most ${limits.nameCharacters} characters. An empty one takes the name away.`,
			}),
		metadata: metadataSchema.nullable().optional(),
	})
	.openapi("UpdateSession");
