import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./environment.ts";
import { Problem, problemResponse } from "./errors.ts";
import { requireSoundPath } from "./validate.ts";

/** Nothing has this address. */
export function notFound(c: Context<AppEnv>): Response {
	return problemResponse(c, new Problem("not_found", "There is nothing at this address"));
}

/** Something has this address, but no such method. Who only asks for the methods is told them. */
export function methodProblem(c: Context<AppEnv>, methods: readonly string[]): Response {
	const allow = [...methods, "OPTIONS"].join(", ");
	if (c.req.method === "OPTIONS") return c.body(null, 204, { Allow: allow });
	return problemResponse(
		c,
		new Problem("method_not_allowed", "This address has no such method", { headers: { Allow: allow } }),
	);
}

/** Refuses paths that cannot be decoded, before anybody guesses what they mean. */
export function soundPath() {
	return createMiddleware<AppEnv>((c, next) => {
		requireSoundPath(new URL(c.req.url));
		return next();
	});
}
