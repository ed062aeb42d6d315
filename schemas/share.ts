import { z } from "@hono/zod-openapi";
import { limits } from "./limits.ts";
import { sessionParams } from "./query.ts";

export const shareScopeSchema = z.enum(["read", "fork"]).openapi({
	description: "`fork` may also be forked into a namespace of the reader's own.",
});

export const createShareSchema = z
	.strictObject({
		scope: shareScopeSchema,
		leafId: z.string().min(1).optional().openapi({
			description:
				"Only what a session made of the path to this entry would hold (`createBranchedSession`). Unless given, the whole session, with all that is still to come.",
		}),
		expiresInSeconds: z
			.int()
			.min(1)
			.max(limits.shareSeconds)
			.optional()
			.openapi({ description: `${limits.shareSecondsDefault} unless given.` }),
	})
	.openapi("CreateShare");

export const shareMadeSchema = z
	.object({
		id: z.string(),
		token: z.string().openapi({ description: "Sent as `Leaflog-Share`. Shown here only, and not stored." }),
		expiresAt: z.string().openapi({ description: "ISO 8601." }),
	})
	.openapi("ShareMade");

export const sharesSchema = z
	.object({
		shares: z.array(
			z.object({
				id: z.string(),
				scope: shareScopeSchema,
				leafId: z.string().optional(),
				createdAt: z.string(),
				expiresAt: z.string(),
			}),
		),
	})
	.openapi("Shares");

/** `{id}` and `{shareId}` of the path. */
export const shareParams = sessionParams.extend({
	shareId: z
		.string()
		.regex(/^[0-9a-f-]{36}$/, { error: "No share has such an id" })
		.openapi({ param: { name: "shareId", in: "path" } }),
});
