import { z } from "@hono/zod-openapi";
import { leafIdSchema } from "./branch.ts";
import { entryIdSchema, entrySchema } from "./entry.ts";
import { messageSchema } from "./message.ts";
import { entryIdParameter, mediaParameter } from "./query.ts";
import { seqSchema } from "./session.ts";

export const contextQuery = z
	.strictObject({
		from: entryIdParameter
			.optional()
			.openapi({ description: "The context at this entry instead of the leaf." }),
		view: z.enum(["messages", "entries", "projection"]).optional().openapi({
			default: "messages",
			description:
				"`messages`: what the model reads. `entries`: the entries it comes from. `projection`: the messages of each entry.",
		}),
		format: z.enum(["agent", "llm"]).optional().openapi({
			default: "agent",
			description:
				"`llm`: shell commands, custom messages and summaries as user messages, what is not for the model left out.",
		}),
		media: mediaParameter,
	})
	.refine(({ view, media }) => media === undefined || view === "entries", {
		error: "Only with view=entries: what a model is sent has its pictures in it",
		path: ["media"],
	});

export const contextSchema = z
	.object({
		messages: z.array(messageSchema).optional().openapi({ description: "With `view=messages`." }),
		entries: z.array(entrySchema).optional().openapi({ description: "With `view=entries`." }),
		projection: z
			.array(z.object({ sourceEntryId: entryIdSchema, messages: z.array(messageSchema) }))
			.optional()
			.openapi({ description: "With `view=projection`." }),
		thinkingLevel: z.string().openapi({ example: "off" }),
		model: z
			.object({ provider: z.string().optional(), modelId: z.string().optional() })
			.nullable()
			.openapi({ description: "That of the path's last model change or assistant message." }),
		leafId: leafIdSchema,
		seq: seqSchema,
	})
	.openapi("Context");
