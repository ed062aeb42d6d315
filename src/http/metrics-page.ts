import { createHash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import type { AppEnv } from "./environment.ts";
import { Problem } from "./errors.ts";
import type { MetricsPage } from "./parts.ts";

/** What a server tells of itself, as Prometheus reads it; where a token is configured, only to who brings it. */
export function metricsPage(metrics: MetricsPage): Hono<AppEnv> {
	return new Hono<AppEnv>().get("/metrics", async (c) => {
		const { token } = metrics;
		if (token !== undefined && !isSame(c.req.header("Authorization") ?? "", `Bearer ${token}`)) {
			throw new Problem("unauthorized", "This page needs `Authorization: Bearer` and its token");
		}
		const { type, text } = await metrics.read();
		return c.body(text, 200, { "Content-Type": type, "Cache-Control": "no-store" });
	});
}

function isSame(given: string, wanted: string): boolean {
	const digest = (text: string) => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(given), digest(wanted));
}
