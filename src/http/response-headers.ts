import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./environment.ts";

/** What every answer carries unless a route says otherwise. */
export function responseHeaders() {
	return createMiddleware<AppEnv>(async (c, next) => {
		await next();
		const { headers } = c.res;
		const unlessSet = (name: string, value: string) => {
			if (!headers.has(name)) headers.set(name, value);
		};
		unlessSet("Cache-Control", "private, no-cache");
		unlessSet("X-Content-Type-Options", "nosniff");
		unlessSet("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
		unlessSet("Referrer-Policy", "no-referrer");
		// One address shows each caller something else: a shared browser cache must not mix them up.
		if (c.req.path.startsWith("/v1")) {
			headers.append("Vary", "Authorization, Leaflog-Namespace, Leaflog-Share");
		}
	});
}
