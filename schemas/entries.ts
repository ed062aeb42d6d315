import { z } from "@hono/zod-openapi";
import { leafIdSchema } from "./branch.ts";
import { entryIdSchema, entrySchema, entryTypes, newEntrySchema } from "./entry.ts";
import { limits } from "./limits.ts";
import { flag, mediaParameter, several, wholeNumber } from "./query.ts";
import { seqSchema } from "./session.ts";

/** For documents: an operation judges the entries one by one. */
export const appendSchema = z
	.union([
		newEntrySchema,
		z.strictObject({ entries: z.array(newEntrySchema).min(1).max(limits.batchEntries) }),
	])
	.openapi("Append");

export const appendQuery = z.strictObject({
	keepLeaf: flag.optional().openapi({
		description: "The same commit ends with a `leaf` entry back to where the leaf was.",
	}),
});

export const appendedSchema = z
	.object({
		entries: z.array(entrySchema).openapi({ description: "Those sent, as they are stored." }),
		leafId: leafIdSchema,
		seq: seqSchema,
	})
	.openapi("Appended");

export const entriesQuery = z.strictObject({
	after: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER })
		.optional()
		.openapi({ description: "A seq: only later entries." }),
	limit: wholeNumber({ min: 1, max: limits.entriesPage })
		.optional()
		.openapi({ default: limits.entriesPageDefault }),
	type: several(entryTypes).optional(),
	media: mediaParameter,
});

export const entryQuery = z.strictObject({ media: mediaParameter });

export const entriesSchema = z
	.object({
		entries: z.array(entrySchema).openapi({ description: "In the order in which they were written." }),
		nextCursor: z.int().optional().openapi({ description: "`after` of the next page, where there is more." }),
		seq: seqSchema,
	})
	.openapi("Entries");

export const entryAnswerSchema = z
	.object({
		entry: entrySchema,
		seq: seqSchema,
		label: z.string().optional(),
		children: z.array(entryIdSchema).openapi({ description: "In tree order." }),
	})
	.openapi("EntryAnswer");
