import { z } from "@hono/zod-openapi";
import { sessionIdSchema } from "./session.ts";

/** A whole number in a query string, in decimal digits. */
export function wholeNumber(range: { readonly min: number; readonly max: number }) {
	return z
		.string()
		.regex(/^\d{1,15}$/, { error: "Expected a whole number" })
		.transform(Number)
		.refine((value) => value >= range.min && value <= range.max, {
			error: `Expected a number from ${range.min} to ${range.max}`,
		})
		.openapi({ type: "integer", minimum: range.min, maximum: range.max });
}

/** `true` or `false`. */
export const flag = z
	.enum(["true", "false"])
	.transform((value) => value === "true")
	.openapi({ type: "boolean" });

/** A parameter that may be repeated, or hold several values with commas between them. */
export function several<Values extends readonly [string, ...string[]]>(values: Values) {
	return z
		.union([z.string(), z.array(z.string())])
		.transform((given) => [given].flat().flatMap((part) => part.split(",")))
		.pipe(z.array(z.enum(values)))
		.openapi({ type: "array", items: { type: "string", enum: [...values] } });
}

/** An entry named in a query string. What no entry can be called isn't there. */
export const entryIdParameter = z
	.string()
	.min(1)
	.refine((id) => !id.includes("\u0000"), { error: "An id holds no NUL" });

/** How base64 data is to be shown. */
export const mediaParameter = z.enum(["link"]).optional().openapi({
	description:
		"`link`: base64 data is left out; in its place there are its size in `bytes`, and `href`, where it can be loaded from.",
});

export const noQuery = z.strictObject({});
export const noParams = z.object({});

/** `{id}` of the path. */
export const sessionParams = z.object({
	id: sessionIdSchema.openapi({ param: { name: "id", in: "path" } }),
});

/** `{id}` and `{entryId}` of the path. */
export const entryParams = sessionParams.extend({
	entryId: entryIdParameter.openapi({ param: { name: "entryId", in: "path" } }),
});
