import { createHash } from "node:crypto";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./environment.ts";
import { Problem } from "./errors.ts";

export type RateKind = "reads" | "writes";

/** Counts calls; says of one too many after how many seconds the next may come. */
export interface RateLimiter {
	take(kind: RateKind, caller: Counted): Promise<Allowance> | Allowance;
}

/** Who is counted. */
export interface Counted {
	/** Names of shares and links are whatever anybody sends: they must not crowd out those of namespaces. */
	readonly of: "namespaces" | "shares";
	readonly key: string;
}

export type Allowance = { readonly kind: "taken" } | { readonly kind: "exceeded"; readonly seconds: number };

/** Refuses calls beyond the rate of a namespace, before anything is done for them. */
export function rateLimit(limiter: RateLimiter | undefined) {
	return createMiddleware<AppEnv>(async (c, next) => {
		if (limiter === undefined || c.req.method === "OPTIONS") return next();
		const kind = c.req.method === "GET" || c.req.method === "HEAD" ? "reads" : "writes";
		const allowance = await limiter.take(kind, countedOf(c));
		if (allowance.kind === "taken") return next();
		throw new Problem("rate_limited", `There were too many ${kind} in the last minute`, {
			headers: { "Retry-After": String(allowance.seconds) },
		});
	});
}

/** Who comes with a share or a signed link alone is counted by that: it must not use up what the owner may do. */
function countedOf(c: Context<AppEnv>): Counted {
	const { caller, linked } = c.var;
	const who = caller.anonymous
		? ["shared", linked ?? c.req.header("Leaflog-Share")]
		: ["own", caller.namespace];
	return {
		of: caller.anonymous ? "shares" : "namespaces",
		key: createHash("sha256").update(JSON.stringify(who)).digest("base64url"),
	};
}
