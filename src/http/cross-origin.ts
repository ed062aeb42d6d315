import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { AppEnv } from "./environment.ts";

/** Lets pages of the listed origins call, and read the headers that matter to them. */
export function crossOrigin(origins: readonly string[]): MiddlewareHandler<AppEnv> {
	const apply = cors({
		origin: origins.includes("*") ? "*" : [...origins],
		allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
		allowHeaders: [
			"Authorization",
			"Content-Type",
			"Idempotency-Key",
			"If-Match",
			"If-None-Match",
			"Last-Event-ID",
			"Leaflog-Namespace",
			"Leaflog-Share",
		],
		exposeHeaders: [
			"ETag",
			"Location",
			"Retry-After",
			"Idempotency-Replayed",
			"Server-Timing",
			"X-Request-Id",
		],
		maxAge: 86_400,
	});
	return (c, next) => {
		const preflight = c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method");
		return c.req.method === "OPTIONS" && !preflight ? next() : apply(c, next);
	};
}
