import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { idempotencyKeySchema } from "../../schemas/headers.ts";
import type { Limits } from "../../schemas/limits.ts";
import { logOf } from "../operations/call.ts";
import type { Place } from "../operations/memory.ts";
import { newestCommit } from "../operations/newest-commit.ts";
import { parseJson } from "../operations/parse-json.ts";
import { answerResponse, notModified } from "./answer.ts";
import { readBytes, requirePlain, requireType, roomToParse } from "./body.ts";
import type { BodySpec, Endpoint, WriteConditions } from "./endpoint.ts";
import type { AppEnv } from "./environment.ts";
import { Problem } from "./errors.ts";
import { hasState, opaqueTags, parseEtags, preconditionOf } from "./etag.ts";
import { allowedCall } from "./share-access.ts";
import { checked, queryOf } from "./validate.ts";

/** Takes one request through a call: may the caller, is it of the right shape, does the client have it already, do it. */
export async function dispatch(c: Context<AppEnv>, { spec, handle }: Endpoint): Promise<Response> {
	const { linked } = c.var;
	const call = linked ? { ...c.var.call, shared: linked } : await allowedCall(c, spec);
	const url = new URL(c.req.url);
	const params = checked(spec.params, c.req.param(), "path");
	const query = checked(spec.query, queryOf(url), "query");
	const write = spec.method === "get" ? {} : writeConditions(c, spec.method);
	const body = spec.body && (await bodyOf(c.req.raw, spec.body, call.limits, c.var.bodyPlace));

	const view = spec.method === "get" ? viewOf(spec.operationId, url, c.req.param("entryId")) : "";
	const held = spec.conditional && c.req.header("If-None-Match");
	const tags = held === undefined || spec.conditional === "own tag" ? undefined : parseEtags(held);
	const id = c.req.param("id");
	if (tags !== undefined && tags !== "any" && id !== undefined) {
		// One look at where the log ends is enough for a tag that this very call gave out.
		const candidates = tags.filter((tag) => spec.conditional === "anything" || tag.view === view);
		if (candidates.length > 0) {
			const commit = await newestCommit(call, id);
			const current = candidates.find((tag) => tag.commit !== undefined && tag.commit === commit);
			if (current !== undefined) return notModified(c, current, view);
		}
	}
	const answer = await handle(call, {
		params,
		query,
		body,
		write,
		held: opaqueTags(held),
		header: (name) => c.req.header(name),
	});
	// Whatever came of it: who waits for news looks for themselves.
	if (spec.method !== "get" && id !== undefined) call.watching?.lookouts.tell(logOf(call, id));
	if (answer.kind === "refused") throw Problem.of(answer);
	if (answer.kind === "unchanged") return c.body(null, 304, { ETag: answer.etag });
	if (tags !== undefined && answer.version !== undefined && hasState(tags, answer.version)) {
		return notModified(c, answer.version, view);
	}
	return answerResponse(c, answer, view);
}

/** Names what an answer shows besides the session's state: the call, and a fingerprint of its parameters. */
function viewOf(operationId: string, url: URL, entryId: string | undefined): string {
	const parameters = `${entryId ?? ""}${url.search}`;
	return parameters === "" ? operationId : `${operationId}.${fnv1a(parameters)}`;
}

/** 32-bit FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/; it only tells views of one state apart. */
function fnv1a(text: string): string {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	return (hash >>> 0).toString(36);
}

function writeConditions(c: Context<AppEnv>, method: string): WriteConditions {
	const ifMatch = preconditionOf(c.req.header("If-Match"));
	const header = method === "delete" ? undefined : c.req.header("Idempotency-Key");
	const key = header === undefined ? undefined : keyOf(header);
	return { ...(key !== undefined && { key }), ...(ifMatch !== undefined && { ifMatch }) };
}

function keyOf(header: string): string {
	const outcome = idempotencyKeySchema.safeParse(header);
	if (outcome.success) return outcome.data;
	const message = outcome.error.issues[0]?.message ?? "Not a key";
	throw new Problem("invalid_request", message, { errors: [{ path: "Idempotency-Key", message }] });
}

async function bodyOf(
	request: Request,
	spec: BodySpec<z.ZodType>,
	limits: Limits,
	place: Place,
): Promise<unknown> {
	requirePlain(request);
	const read = () => readBytes(request, limits[spec.limit], place);
	if (spec.kind === "ndjson") {
		requireType(request, "application/x-ndjson");
		return read;
	}
	const untyped = request.headers.get("Content-Type") === null;
	const bytes = untyped && spec.optional ? await read() : undefined;
	if (bytes?.length === 0) return checked(spec.schema, {}, "body");
	requireType(request, "application/json");
	const text = bytes ?? (await read());
	await roomToParse(text, place);
	const json = parseJson(text, limits.jsonDepth);
	if (json.kind === "refused") throw Problem.of(json);
	return checked(spec.schema, json.value, "body");
}
