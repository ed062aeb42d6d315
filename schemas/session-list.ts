import { z } from "@hono/zod-openapi";
import { limits } from "./limits.ts";
import { wholeNumber } from "./query.ts";
import { sessionSchema } from "./session.ts";

const pageQuery = {
	limit: wholeNumber({ min: 1, max: limits.sessionsPage })
		.optional()
		.openapi({ description: `Sessions of a page; ${limits.sessionsPageDefault} unless given.` }),
	cursor: z.string().optional().openapi({
		description:
			"`nextCursor` of the page before, with the same other parameters. The pages keep the order of the first one: a session that moves meanwhile is neither missed nor met twice. A cursor lasts an hour at least, one by creation for ever; then it is 400, and the list begins anew.",
	}),
};

export const listSessionsQuery = z.strictObject({
	...pageQuery,
	cwd: z.string().optional().openapi({ description: "Only sessions with exactly this working directory." }),
	q: z.string().optional().openapi({
		description: "Words, each of which stands in the name or the first message, whatever its case.",
	}),
	parent: z.string().optional().openapi({ description: "Only sessions that were made from this one." }),
	order: z.enum(["modified", "created"]).optional().openapi({
		description: "By the latest message (unless given), or by creation; newest first.",
	}),
});

export const listChildrenQuery = z.strictObject(pageQuery);

export const sessionListSchema = z
	.object({
		sessions: z.array(sessionSchema),
		nextCursor: z.string().optional().openapi({ description: "Left out on the last page." }),
	})
	.openapi("SessionList");
