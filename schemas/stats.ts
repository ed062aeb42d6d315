import { z } from "@hono/zod-openapi";
import { seqSchema } from "./session.ts";

const count = z.int().nonnegative();

export const statsSchema = z
	.object({
		totalMessages: count,
		userMessages: count,
		assistantMessages: count,
		toolResults: count,
		toolCalls: count,
		tokens: z.object({
			input: z.number(),
			output: z.number(),
			cacheRead: z.number(),
			cacheWrite: z.number(),
			total: z.number(),
		}),
		cost: z.number().openapi({ description: "In the currency of the messages' own costs." }),
		models: z
			.array(z.object({ model: z.string(), tokens: z.number(), cost: z.number() }))
			.openapi({ description: "What assistant messages and usage entries used, by `provider/model`." }),
		contextTokens: z.number().openapi({ description: "Of the live context, in part an estimate." }),
		seq: seqSchema,
	})
	.openapi("Stats");
