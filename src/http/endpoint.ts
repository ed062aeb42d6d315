import type { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../schemas/error.ts";
import type { Limits } from "../../schemas/limits.ts";
import type { Call } from "../operations/call.ts";
import type { Refusal } from "../operations/refusal.ts";
import type { Precondition, Version } from "../operations/version.ts";
import type { Scope } from "./scopes.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** What a call may bring as its body. */
export type BodySpec<Body extends z.ZodType> =
	| {
			readonly kind: "json";
			readonly schema: Body;
			/** What the OpenAPI document says instead, where the schema leaves a part to the operation. */
			readonly documented?: z.ZodType;
			/** How many bytes it may have. */
			readonly limit: keyof Limits;
			/** No body at all stands for `{}`. */
			readonly optional?: boolean;
	  }
	/** Handed on unread, so that many large ones need not be held at once: the operation calls for the bytes. */
	| {
			readonly kind: "ndjson";
			readonly schema: Body;
			readonly limit: keyof Limits;
			readonly description: string;
	  };

/** What an answer looks like, for the OpenAPI document. */
export interface AnswerSpec {
	readonly description: string;
	readonly schema?: z.ZodType;
	/** `application/json` unless given. */
	readonly type?: string;
	/** What is answered to who accepts JSON alone, where `type` is another one. */
	readonly json?: z.ZodType;
	readonly headers?: Readonly<Record<string, string>>;
}

/** A call of the API: all that the router, the checks and the OpenAPI document need to know of it. */
export interface EndpointSpec<
	Params extends z.ZodType = z.ZodType,
	Query extends z.ZodType = z.ZodType,
	Body extends z.ZodType = z.ZodType,
> {
	readonly operationId: string;
	readonly method: Method;
	/** As OpenAPI writes it: `/v1/sessions/{id}`. */
	readonly path: string;
	readonly summary: string;
	readonly description?: string;
	readonly tag: string;
	/** What the caller must be allowed to do. */
	readonly scope: Scope;
	/**
	 * What a share must allow for this call; left out: no share does. Such a call sees a session through `openSession`
	 * alone, which keeps to what is shared.
	 */
	readonly shared?: "read" | "fork";
	readonly params: Params;
	readonly query: Query;
	/** Request headers that mean something to this call alone, for the OpenAPI document. */
	readonly headers?: readonly z.ZodType[];
	readonly body?: BodySpec<Body>;
	readonly answers: Readonly<Record<number, AnswerSpec>>;
	/** Codes beyond those that any call can answer. */
	readonly refusals: readonly ErrorCode[];
	/**
	 * Reads only: the answer is about a session, so an ETag that is still true gets 304. `anything`: nothing in the
	 * request but the session can be missing, so any answer's ETag is good enough to be told so by one look.
	 * `own tag`: the answer is about something else; the call has tags of its own and compares them itself.
	 */
	readonly conditional?: "same view" | "anything" | "own tag";
}

/** What a handler gets, checked. */
export interface Input<Params, Query, Body> {
	readonly params: Params;
	readonly query: Query;
	/** Undefined where the call has none; a function that reads it where it isn't JSON. */
	readonly body: Body;
	/** Retry safety and preconditions of a write. */
	readonly write: WriteConditions;
	/** Tags of `If-None-Match` with their quotes, without `W/`, or `*`; of calls with an `own tag`. */
	readonly held: readonly string[];
	/** A header of the request; of those that the call documents in `headers`. */
	readonly header: (name: string) => string | undefined;
}

export interface WriteConditions {
	/** `Idempotency-Key`. */
	readonly key?: string;
	/** `If-Match`. */
	readonly ifMatch?: Precondition;
}

/** What a handler answers. */
export interface Answer {
	readonly kind: "answer";
	readonly status?: 200 | 201 | 202 | 204;
	readonly body: AnswerBody;
	/** Of the session it is about; makes the ETag. */
	readonly version?: Version;
	/** Of a call with an `own tag`. */
	readonly etag?: string;
	/** It was answered before: 200, whatever the status of the first time. */
	readonly replayed?: boolean;
	readonly headers?: Readonly<Record<string, string>>;
}

/** What the client holds is still so. */
export interface Unchanged {
	readonly kind: "unchanged";
	readonly etag: string;
}

export type AnswerBody =
	| { readonly kind: "none" }
	/** Anything JSON can say. */
	| { readonly kind: "json"; readonly value: unknown }
	| { readonly kind: "bytes"; readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
	/** Pieces of a text of this type, made while they are sent. */
	| { readonly kind: "pieces"; readonly type: string; readonly pieces: AsyncIterable<Uint8Array> }
	/** Server-Sent Events, made while they are sent. `close` is called when they are over, or nobody listens. */
	| {
			readonly kind: "events";
			readonly events: AsyncIterable<ServerEvent>;
			readonly close: () => void;
	  };

/** An event, or a comment, or only an id to resume from. */
export interface ServerEvent {
	readonly event?: string;
	readonly data?: string;
	readonly id?: string;
	/** Milliseconds after which to come back. */
	readonly retry?: number;
	readonly comment?: string;
}

/** A call and what it does. */
export interface Endpoint {
	readonly spec: EndpointSpec;
	readonly handle: (
		call: Call,
		input: Input<unknown, unknown, unknown>,
	) => Promise<Answer | Unchanged | Refusal> | Answer | Unchanged | Refusal;
}

/** Ties a call to what it does. The handler's input has the types of the schemas. */
export function endpoint<
	Params extends z.ZodType,
	Query extends z.ZodType,
	Body extends z.ZodType = z.ZodUndefined,
>(
	spec: EndpointSpec<Params, Query, Body>,
	handle: (
		call: Call,
		input: Input<z.output<Params>, z.output<Query>, z.output<Body>>,
	) => Promise<Answer | Unchanged | Refusal> | Answer | Unchanged | Refusal,
): Endpoint {
	// The dispatcher checks every part of the input with this very spec before it calls.
	return { spec, handle: handle as Endpoint["handle"] };
}
