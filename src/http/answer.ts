import type { Context } from "hono";
import type { Lines } from "../operations/entry-lines.ts";
import { roomFor } from "../operations/memory.ts";
import type { Outcome } from "../operations/outcome.ts";
import type { Refusal } from "../operations/refusal.ts";
import type { Version } from "../operations/version.ts";
import { joined } from "./body.ts";
import type { Answer, AnswerBody } from "./endpoint.ts";
import type { AppEnv } from "./environment.ts";
import { formatEtag } from "./etag.ts";
import { eventStream } from "./event-stream.ts";

/** The response to a call that was met. */
export async function answerResponse(c: Context<AppEnv>, answer: Answer, view: string): Promise<Response> {
	const status = answer.replayed ? 200 : (answer.status ?? 200);
	const headers: Record<string, string> = { ...answer.headers };
	if (answer.etag !== undefined) headers.ETag = answer.etag;
	if (answer.version !== undefined) {
		headers.ETag = formatEtag(answer.version, view);
	}
	if (answer.replayed) headers["Idempotency-Replayed"] = "true";
	const { body } = answer;
	switch (body.kind) {
		case "none":
			return c.newResponse(null, status, headers);
		case "json":
			return jsonResponse(c, JSON.stringify(body.value), status, headers);
		case "bytes":
			return c.newResponse(body.bytes, status, { ...headers, "Content-Type": body.type });
		case "events":
			return eventStream(c, body, status, headers);
		case "pieces": {
			headers["Content-Type"] = body.type;
			// A HEAD gets the same headers, and nothing is read for a body that nobody will see.
			const stream = c.req.method === "HEAD" ? null : streamOf(c, body.pieces);
			return c.newResponse(stream, status, headers);
		}
	}
}

async function jsonResponse(
	c: Context<AppEnv>,
	text: string,
	status: NonNullable<Answer["status"]>,
	headers: Record<string, string>,
): Promise<Response> {
	const { readPlace } = c.var.call;
	// What was written is said in any case.
	if (readPlace && c.req.method === "GET") await roomFor(readPlace, text.length);
	return c.newResponse(text, status, { ...headers, "Content-Type": "application/json" });
}

/** 304: what the client holds is still so. */
export function notModified(c: Context<AppEnv>, version: Version, view: string): Response {
	return c.body(null, 304, { ETag: formatEtag(version, view) });
}

/** A stream that makes its pieces only when they are asked for, and tells the log line when it is over. */
function streamOf(c: Context<AppEnv>, pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
	const iterator = pieces[Symbol.asyncIterator]();
	const over = Promise.withResolvers<void>();
	c.set("sent", over.promise);
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const { done, value } = await iterator.next();
					if (!done) return controller.enqueue(value);
					over.resolve();
					controller.close();
				} catch (error) {
					over.reject(error);
					controller.error(error);
				}
			},
			async cancel() {
				over.resolve();
				await iterator.return?.();
			},
		},
		{ highWaterMark: 0 },
	);
}

/**
 * What an operation came to, as an answer.
 * @param how `status` of the first time; `body` of the value, which is JSON unless it says otherwise
 */
export function answered<Value>(
	outcome: Outcome<Value>,
	how: {
		readonly status?: Answer["status"];
		readonly body?: (value: Value) => AnswerBody;
		readonly headers?: (value: Value) => Record<string, string>;
	} = {},
): Answer | Refusal {
	if (outcome.kind === "refused") return outcome;
	const { value, version, replayed } = outcome;
	return {
		kind: "answer",
		body: how.body ? how.body(value) : json(value),
		version,
		...(how.status && { status: how.status }),
		...(replayed && { replayed }),
		...(how.headers && { headers: how.headers(value) }),
	};
}

/** An answer in JSON. */
export function json(value: unknown): AnswerBody {
	return { kind: "json", value };
}

const encoder = new TextEncoder();

/** An answer in JSON whose first member is a stored text, put in as it is: `{"entry": <line>, …rest}`. */
export function jsonWithMember(member: string, line: Uint8Array | undefined, rest: object): AnswerBody {
	return line === undefined ? json(rest) : bytes(`{${JSON.stringify(member)}:`, [line], closing("", rest));
}

/**
 * An answer in JSON whose first member is an array of stored texts: `{"entries": [<line>, <line> …], …rest}`.
 * What was not read yet is sent as it is read.
 */
export function jsonWithLines(member: string, lines: Lines, rest: object): AnswerBody {
	const opening = `{${JSON.stringify(member)}:[`;
	const end = closing("]", rest);
	if (lines.rest === undefined) return bytes(opening, lines.first, end);
	return { kind: "pieces", type: "application/json", pieces: piecesOf(opening, lines, end) };
}

/** The same with several arrays, in the order given. Left out are those that are undefined. */
export function jsonWithLists(
	lists: { readonly [member: string]: Lines | undefined },
	rest: object,
): AnswerBody {
	const pieces = async function* () {
		let opening = "{";
		for (const [member, lines] of Object.entries(lists)) {
			if (lines === undefined) continue;
			yield* piecesOf(`${opening}${JSON.stringify(member)}:[`, lines, "]");
			opening = ",";
		}
		yield encoder.encode(opening === "{" ? JSON.stringify(rest) : closing("", rest));
	};
	return { kind: "pieces", type: "application/json", pieces: pieces() };
}

/** A file of lines, each ended by a line feed. */
export function ndjson(
	before: readonly Uint8Array[],
	lines: Lines,
	after: readonly Uint8Array[],
): AnswerBody {
	const type = "application/x-ndjson";
	const start = [...before, ...lines.first];
	if (lines.rest === undefined) return { kind: "bytes", type, bytes: ended([...start, ...after]) };
	const { rest } = lines;
	const pieces = async function* () {
		yield ended(start);
		for await (const wave of rest) yield ended(wave);
		if (after.length > 0) yield ended(after);
	};
	return { kind: "pieces", type, pieces: pieces() };
}

const lineFeed = new Uint8Array([0x0a]);

function ended(lines: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
	return joined(lines.flatMap((line) => [line, lineFeed]));
}

function closing(bracket: string, rest: object): string {
	const tail = JSON.stringify(rest).slice(1);
	return tail === "}" ? `${bracket}}` : `${bracket},${tail}`;
}

function bytes(opening: string, lines: readonly Uint8Array[], end: string): AnswerBody {
	const parts = [encoder.encode(opening), separated(lines, true), encoder.encode(end)];
	return { kind: "bytes", type: "application/json", bytes: joined(parts) };
}

async function* piecesOf(opening: string, lines: Lines, end: string): AsyncGenerator<Uint8Array> {
	yield joined([encoder.encode(opening), separated(lines.first, true)]);
	for await (const wave of lines.rest ?? []) yield separated(wave, false);
	yield encoder.encode(end);
}

const comma = new Uint8Array([0x2c]);

/** The lines one after the other, with commas between them, and one before them unless they are the first. */
function separated(lines: readonly Uint8Array[], first: boolean): Uint8Array {
	return joined(lines.flatMap((line, at) => (first && at === 0 ? [line] : [comma, line])));
}
