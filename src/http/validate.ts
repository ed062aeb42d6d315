import type { z } from "@hono/zod-openapi";
import type { Issue } from "../../schemas/error.ts";
import { Problem } from "./errors.ts";

/** The value as the schema gives it, or 400 with each thing that is wrong. */
export function checked<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
	what: string,
): z.output<Schema> {
	const outcome = schema.safeParse(value);
	if (outcome.success) return outcome.data;
	throw new Problem("invalid_request", `The ${what} is not as it should be`, {
		errors: issuesOf(outcome.error),
	});
}

/** Zod's findings, one for each field. */
export function issuesOf(error: z.ZodError): Issue[] {
	return error.issues.flatMap((issue) => {
		if (issue.code === "unrecognized_keys") {
			return issue.keys.map((key) => ({
				path: [...issue.path, key].map(String).join("."),
				message: "Unknown field",
			}));
		}
		return [{ path: issue.path.map(String).join("."), message: issue.message }];
	});
}

/**
 * The parameters of a query string: a string each, or an array where one is repeated. Percent-encoding that is
 * broken or no UTF-8 is 400.
 */
export function queryOf(url: URL): Record<string, string | string[]> {
	const values = new Map<string, string | string[]>();
	for (const pair of url.search.slice(1).split("&")) {
		if (pair === "") continue;
		const cut = pair.indexOf("=");
		const name = decoded(cut < 0 ? pair : pair.slice(0, cut));
		const value = cut < 0 ? "" : decoded(pair.slice(cut + 1));
		const earlier = values.get(name);
		values.set(name, earlier === undefined ? value : [earlier, value].flat());
	}
	return Object.fromEntries(values);
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text.replaceAll("+", " "));
	} catch {
		throw brokenEncoding("query");
	}
}

/** 400 where the path's percent-encoding is broken or no UTF-8, before any route is looked for. */
export function requireSoundPath(url: URL): void {
	try {
		decodeURIComponent(url.pathname);
	} catch {
		throw brokenEncoding("path");
	}
}

function brokenEncoding(where: string): Problem {
	const message = `The ${where}'s percent-encoding is broken`;
	return new Problem("invalid_request", message, { errors: [{ path: where, message }] });
}
