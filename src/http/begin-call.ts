import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { limits } from "../../schemas/limits.ts";
import { ImportTurns } from "../operations/import-turns.ts";
import { Lookouts } from "../operations/lookout.ts";
import { MediaLinks } from "../operations/media-links.ts";
import type { AppEnv } from "./environment.ts";
import type { Parts } from "./parts.ts";

/** Gives each request its own way to the store, and tells in the answer what was done on it. */
export function beginCall(parts: Parts) {
	const allLimits = { ...limits, ...parts.config?.limits };
	const imports = new ImportTurns({ clock: parts.clock });
	const watching = { lookouts: new Lookouts(), settings: parts.config?.watch ?? {} };
	const mediaSecret = parts.config?.mediaSecret;
	const mediaLinks = mediaSecret === undefined ? undefined : new MediaLinks(mediaSecret);
	const deadlineMs = parts.config?.deadlineMs;
	return createMiddleware<AppEnv>(async (c, next) => {
		// OPTIONS has no caller, and does nothing that could be counted.
		if (c.req.method === "OPTIONS") return next();
		const meter = parts.meter();
		const keepAlive = waitUntil(c, parts);
		c.set("meter", meter);
		c.set("call", {
			namespace: c.var.caller.namespace,
			log: parts.log,
			catalogue: parts.catalogue,
			imports,
			...(parts.summarizer && { summarizer: parts.summarizer }),
			...(mediaLinks && { mediaLinks }),
			watching,
			requests: () => meter.requests(),
			signal: c.req.raw.signal,
			scope: {
				store: meter.store,
				announce: (reads) => meter.announce(reads),
				waitUntil: keepAlive,
				...(deadlineMs !== undefined && { deadline: parts.clock.now() + deadlineMs }),
			},
			after: { store: parts.meter().store, waitUntil: keepAlive },
			clock: parts.clock,
			random: parts.random,
			limits: allLimits,
		});
		await next();
		// How much was read tells of all branches; who was given one path is not to know of others.
		const isOfPath = c.var.shared?.leafId !== undefined;
		c.header("Server-Timing", isOfPath ? 'store;desc="not told to a share of a path"' : meter.serverTiming());
	});
}

/** Workers end what outlives an answer unless they are told; elsewhere it just goes on. */
function waitUntil(c: Context<AppEnv>, parts: Parts): (work: Promise<unknown>) => void {
	return (work) => {
		// Whoever started the work looks at its outcome; here it must only not end the process.
		const settled = work.catch(() => {});
		if (parts.background) parts.background(settled);
		else executionContextOf(c)?.waitUntil(settled);
	};
}

function executionContextOf(c: Context<AppEnv>): { waitUntil(work: Promise<unknown>): void } | undefined {
	try {
		return c.executionCtx;
	} catch {
		return undefined;
	}
}
