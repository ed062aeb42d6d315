import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { limits } from "../../schemas/limits.ts";
import { ImportTurns } from "../operations/import-turns.ts";
import { Lookouts } from "../operations/lookout.ts";
import { MediaLinks } from "../operations/media-links.ts";
import { Memory, roomFor } from "../operations/memory.ts";
import type { AppEnv } from "./environment.ts";
import type { Parts } from "./parts.ts";

/** Milliseconds that a large body, or what is to be read for a large answer, waits for room. */
const patience = 10_000;

/** Gives each request its own way to the store, and tells in the answer what was done on it. */
export function beginCall(parts: Parts) {
	const allLimits = { ...limits, ...parts.config?.limits };
	const imports = new ImportTurns({ clock: parts.clock });
	const memory = (total: number, each: number) =>
		new Memory({ total, each, free: allLimits.smallBytes, patience }, parts.clock);
	const { heldBodyBytes, heldReadBytes } = allLimits;
	const bodies = memory(heldBodyBytes, Math.max(allLimits.importBytes, heldBodyBytes / 2));
	const reads = memory(heldReadBytes, heldReadBytes / 2);
	const watching = { lookouts: new Lookouts(), settings: parts.config?.watch ?? {} };
	const mediaSecret = parts.config?.mediaSecret;
	const mediaLinks = mediaSecret === undefined ? undefined : new MediaLinks(mediaSecret);
	const deadlineMs = parts.config?.deadlineMs;
	return createMiddleware<AppEnv>(async (c, next) => {
		// OPTIONS has no caller, and does nothing that could be counted.
		if (c.req.method === "OPTIONS") return next();
		const meter = parts.meter();
		const keepAlive = waitUntil(c, parts);
		const bodyPlace = bodies.open(c.var.caller.namespace);
		const readPlace = reads.open(c.var.caller.namespace);
		c.set("meter", meter);
		c.set("bodyPlace", bodyPlace);
		c.set("call", {
			namespace: c.var.caller.namespace,
			log: parts.log,
			catalogue: parts.catalogue,
			imports,
			...(parts.summarizer && { summarizer: parts.summarizer }),
			...(mediaLinks && { mediaLinks }),
			watching,
			requests: () => meter.requests(),
			readPlace,
			signal: c.req.raw.signal,
			scope: {
				store: meter.store,
				announce: (reads) => meter.announce(reads),
				waitUntil: keepAlive,
				// Who writes has bodies that are counted, and must not fail half-way.
				...(isRead(c) && { admit: (bytes) => roomFor(readPlace, bytes) }),
				...(deadlineMs !== undefined && { deadline: parts.clock.now() + deadlineMs }),
			},
			after: { store: parts.meter().store, waitUntil: keepAlive },
			clock: parts.clock,
			random: parts.random,
			limits: allLimits,
		});
		try {
			await next();
		} finally {
			afterAnswer(c, () => {
				bodyPlace.release();
				readPlace.release();
			});
		}
		// How much was read tells of all branches; who was given one path is not to know of others.
		const isOfPath = c.var.shared?.leafId !== undefined;
		c.header("Server-Timing", isOfPath ? 'store;desc="not told to a share of a path"' : meter.serverTiming());
	});
}

function isRead(c: Context<AppEnv>): boolean {
	return c.req.method === "GET" || c.req.method === "HEAD";
}

/** Once the answer has left, where that can be known, what was held for it can go. */
function afterAnswer(c: Context<AppEnv>, then: () => void): void {
	const { outgoing } = c.env ?? {};
	if (outgoing !== undefined && !outgoing.destroyed && !outgoing.writableFinished)
		outgoing.once("close", then);
	else if (outgoing === undefined && c.var.sent !== undefined) c.var.sent.then(then, then);
	else then();
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
