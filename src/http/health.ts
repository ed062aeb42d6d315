import { Hono } from "hono";
import type { AppEnv } from "./environment.ts";
import { Problem } from "./errors.ts";
import type { Parts } from "./parts.ts";

/** Liveness; with `ready=1` also whether the object store can be used. */
export function health(parts: Parts): Hono<AppEnv> {
	return new Hono<AppEnv>().get("/healthz", async (c) => {
		c.header("Cache-Control", "no-store");
		if (c.req.query("ready") === "1" && parts.probe) {
			const outcome = await parts.probe();
			if (outcome.kind === "unfit") throw new Problem("storage_unavailable", outcome.why);
		}
		return c.json({ status: "ok" });
	});
}
