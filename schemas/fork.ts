import { z } from "@hono/zod-openapi";
import { entryIdSchema } from "./entry.ts";
import { seqSchema, sessionIdSchema, sessionSchema } from "./session.ts";

const made = {
	id: sessionIdSchema.optional(),
	cwd: z.string().optional().openapi({ description: "Unless given, the source's." }),
};

export const forkSchema = z
	.strictObject({
		entryId: z.string().min(1),
		position: z.enum(["before", "at"]).optional().openapi({
			default: "before",
			description: "`before`: the path to the parent of a user message. `at`: the path to the entry.",
		}),
		...made,
	})
	.openapi("Fork");

export const forkedSchema = z
	.object({
		session: sessionSchema,
		selectedText: z
			.string()
			.optional()
			.openapi({ description: "The text of the user message that the fork was made before." }),
	})
	.openapi("Forked");

export const cloneSchema = z.strictObject(made).openapi("Clone");

export const clonedSchema = z.object({ session: sessionSchema }).openapi("Cloned");

export const copySchema = z.strictObject(made).openapi("Copy");

export const forkPointsSchema = z
	.object({
		points: z.array(
			z.object({ entryId: entryIdSchema, text: z.string(), timestamp: z.string() }).openapi("ForkPoint"),
		),
		seq: seqSchema,
	})
	.openapi("ForkPoints");
