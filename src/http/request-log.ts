import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { type Failure, failureOf } from "../operations/failures.ts";
import type { AppEnv } from "./environment.ts";

/** What is written down of a request: never what was said in it, nor by whom. */
export interface LogLine {
	/** When the answer was over, ISO 8601. */
	readonly time: string;
	readonly id: string;
	readonly method: string;
	/** The route's pattern, without the ids in it. */
	readonly route: string;
	readonly status: number;
	/** From the request to the end of the answer. */
	readonly ms: number;
	/** Work done on the object store. */
	readonly store?: unknown;
	/** Why it is a 500 or 503. */
	readonly failure?: unknown;
	/** The answer broke off while it was sent. */
	readonly broken?: true;
}

/** Writes one line a request, when its answer is over. */
export function requestLog(parts: {
	readonly clock: { now(): number; monotonic(): number };
	readonly log: (line: LogLine) => void;
}) {
	return createMiddleware<AppEnv>(async (c, next) => {
		const start = parts.clock.monotonic();
		await next();
		const status = c.res.status;
		const write = (broken?: Failure["logged"]) => {
			const { meter } = c.var;
			const failure = c.var.failure ?? broken;
			parts.log({
				time: new Date(parts.clock.now()).toISOString(),
				id: c.var.requestId,
				method: c.req.method,
				route: routeOf(c),
				status,
				ms: Math.round((parts.clock.monotonic() - start) * 10) / 10,
				...(meter && { store: meter.counts() }),
				...(failure && { failure }),
				...(broken && { broken: true as const }),
			});
		};
		if (c.var.sent === undefined) return write();
		c.var.sent.then(
			() => write(),
			(error) => write(failureOf(error).logged ?? { name: "LogGone" }),
		);
	});
}

function routeOf(c: Context<AppEnv>): string {
	return (
		matchedRoutes(c)
			.map((route) => route.path)
			.findLast((path) => !path.includes("*")) ?? "none"
	);
}
