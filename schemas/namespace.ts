import { z } from "@hono/zod-openapi";

export const erasureSchema = z
	.object({
		done: z.boolean().openapi({ description: "No content of the namespace is in the bucket any more." }),
		deleted: z.int().nonnegative().openapi({ description: "Sessions that this call has deleted." }),
		remaining: z.int().nonnegative().openapi({ description: "Sessions still to be deleted: call again." }),
		purging: z.int().nonnegative().openapi({
			description: "Deleted sessions whose content leaves the bucket after the purge delay, by itself.",
		}),
	})
	.openapi("Erasure");
