import { z } from "@hono/zod-openapi";
import { entryIdSchema, entrySchema } from "./entry.ts";
import { wholeNumber } from "./query.ts";
import { seqSchema } from "./session.ts";

const tokens = (description: string, byDefault: number) =>
	wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER })
		.optional()
		.openapi({ description, default: byDefault });

export const compactionPlanQuery = z.strictObject({
	keepRecentTokens: tokens("Tokens of the newest messages that stay.", 20_000),
	contextWindow: tokens("Tokens that the model can read.", 128_000),
	reserveTokens: tokens("Tokens to be kept free for the next response.", 16_384),
});

export const compactionPlanSchema = z
	.object({
		shouldCompact: z
			.boolean()
			.openapi({ description: "The context has more tokens than the window less the reserve." }),
		firstKeptEntryId: entryIdSchema,
		tokensBefore: z.number(),
		entriesToSummarize: z.array(entrySchema),
		isSplitTurn: z.boolean().openapi({ description: "The cut is inside a turn." }),
		turnPrefixEntries: z
			.array(entrySchema)
			.optional()
			.openapi({ description: "The beginning of the turn that the cut splits." }),
		previousSummary: z.string().optional().openapi({ description: "To be carried on by the next one." }),
		seq: seqSchema,
	})
	.openapi("CompactionPlan");

export const compactSchema = z
	.strictObject({
		summary: z
			.string()
			.optional()
			.openapi({ description: "Without it the configured summarizer writes one." }),
		firstKeptEntryId: z
			.string()
			.min(1)
			.nullable()
			.optional()
			.openapi({ description: "Where what stays begins; null keeps nothing. Without it the plan's." }),
		tokensBefore: z.number().optional(),
		details: z.unknown().optional(),
		keepRecentTokens: z.int().nonnegative().optional().openapi({ default: 20_000 }),
		customInstructions: z
			.string()
			.optional()
			.openapi({ description: "For the summarizer, beside its own instructions." }),
	})
	.openapi("Compact");

export const compactedSchema = z
	.object({ entry: entrySchema.openapi({ description: "The `compaction` entry." }), seq: seqSchema })
	.openapi("Compacted");
