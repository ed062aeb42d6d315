import { z } from "@hono/zod-openapi";
import { limits } from "./limits.ts";
import { flag } from "./query.ts";
import { sessionIdSchema, sessionSchema } from "./session.ts";

export const importQuery = z.strictObject({
	id: sessionIdSchema
		.optional()
		.openapi({ description: "The id to store it under. Unless given, the file's." }),
	repair: flag.optional().openapi({
		description:
			"Keep all that can be kept, and tell what was done about each line that is not as it should be.",
	}),
});

export const importBody = z.custom<() => Promise<Uint8Array>>(() => true).openapi({ type: "string" });

export const importBodyDescription = `A session file of pi, version 1 to 3: a header line, then a line for each entry. At most ${limits.importBytes} bytes.`;

export const importedSchema = z
	.object({
		session: sessionSchema,
		imported: z.int().nonnegative().openapi({ description: "Entries that were stored." }),
		repairs: z
			.array(z.object({ line: z.int(), problem: z.string(), action: z.string() }).openapi("Repair"))
			.optional()
			.openapi({ description: "With `repair=true`." }),
	})
	.openapi("Imported");

export const exportQuery = z.strictObject({
	format: z.enum(["pi", "log"]).optional().openapi({
		default: "pi",
		description:
			"`pi`: a version 3 file that pi opens at the same leaf with the same context. `log`: the log as it is stored, `leaf` entries included.",
	}),
});
