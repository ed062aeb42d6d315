import { z } from "@hono/zod-openapi";
import { entryParams, wholeNumber } from "./query.ts";

export const mediaParams = entryParams.extend({
	k: wholeNumber({ min: 0, max: 999_999 }).openapi({
		param: { name: "k", in: "path" },
		description: "Which base64 block of the entry, counted from 0 in the order of its JSON text.",
	}),
});

/** What a signed link brings, all or nothing of it. */
export const mediaQuery = z.strictObject({
	expires: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER })
		.optional()
		.openapi({ description: "Epoch seconds until which the link works." }),
	owner: z.string().optional(),
	signature: z.string().optional(),
});
