import { z } from "@hono/zod-openapi";
import { leafIdSchema } from "./branch.ts";
import { entryIdSchema, entrySchema } from "./entry.ts";
import { usageSchema } from "./message.ts";
import { entryIdParameter, wholeNumber } from "./query.ts";
import { seqSchema } from "./session.ts";

export const navigationQuery = z.strictObject({
	targetId: entryIdParameter.openapi({ description: "The entry to go to." }),
	tokenBudget: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional().openapi({
		description:
			"Only those of the entries left behind that a summary of so many tokens would read, newest first; 0: no limit. Without it all of them.",
	}),
});

export const navigationSchema = z
	.object({
		oldLeafId: leafIdSchema,
		newLeafId: leafIdSchema,
		commonAncestorId: entryIdSchema
			.nullable()
			.openapi({ description: "The deepest entry on the paths of both the leaf and the target." }),
		editorText: z.string().optional().openapi({ description: "The text of a target that a user wrote." }),
		entriesToSummarize: z.array(entrySchema).openapi({ description: "What is left behind, root first." }),
		seq: seqSchema,
	})
	.openapi("Navigation");

export const navigateSchema = z
	.strictObject({
		targetId: z.string().min(1),
		summary: z
			.strictObject({
				text: z.string(),
				details: z.unknown().optional(),
				usage: usageSchema.optional(),
				fromHook: z.boolean().optional(),
			})
			.optional()
			.openapi({ description: "The caller's own summary of what is left behind. An empty text is none." }),
		summarize: z
			.boolean()
			.optional()
			.openapi({ description: "The configured summarizer writes the summary, if anything is left behind." }),
		customInstructions: z
			.string()
			.optional()
			.openapi({ description: "For the summarizer, beside its own instructions." }),
		replaceInstructions: z
			.boolean()
			.optional()
			.openapi({ description: "The instructions given stand instead of its own." }),
		label: z
			.string()
			.optional()
			.openapi({ description: "For the summary entry, or for the target where there is none." }),
	})
	.refine((body) => body.summary === undefined || body.summarize !== true, {
		path: ["summarize"],
		error: "Either a summary is given or one is to be written",
	})
	.openapi("Navigate");

export const navigatedSchema = z
	.object({
		leafId: leafIdSchema,
		editorText: z.string().optional(),
		summaryEntry: entrySchema.optional().openapi({ description: "The `branch_summary` entry." }),
		commonAncestorId: entryIdSchema.nullable(),
		seq: seqSchema,
	})
	.openapi("Navigated");
