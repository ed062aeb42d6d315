import { z } from "@hono/zod-openapi";

interface PublicError {
	readonly status:
		| 400
		| 401
		| 403
		| 404
		| 405
		| 408
		| 409
		| 410
		| 412
		| 413
		| 415
		| 422
		| 429
		| 431
		| 500
		| 501
		| 503;
	readonly title: string;
	/** The same request may succeed later without being changed. */
	readonly retryable: boolean;
	/** Nothing was stored. Where it is false that is not known, and a repeat with the same id or key finds out. */
	readonly noSideEffects: boolean;
}

/** All that can go wrong, as clients see it. The responses of the OpenAPI document are derived from this table. */
export const publicErrors = {
	invalid_request: { status: 400, title: "Invalid request", retryable: false, noSideEffects: true },
	unauthorized: { status: 401, title: "Unauthorized", retryable: false, noSideEffects: true },
	forbidden: { status: 403, title: "Forbidden", retryable: false, noSideEffects: true },
	not_found: { status: 404, title: "Not found", retryable: false, noSideEffects: true },
	method_not_allowed: { status: 405, title: "Method not allowed", retryable: false, noSideEffects: true },
	request_timeout: { status: 408, title: "Request timeout", retryable: true, noSideEffects: true },
	conflict: { status: 409, title: "Conflict", retryable: false, noSideEffects: true },
	gone: { status: 410, title: "Gone", retryable: false, noSideEffects: true },
	precondition_failed: { status: 412, title: "Precondition failed", retryable: false, noSideEffects: true },
	payload_too_large: { status: 413, title: "Payload too large", retryable: false, noSideEffects: true },
	unsupported_media_type: {
		status: 415,
		title: "Unsupported media type",
		retryable: false,
		noSideEffects: true,
	},
	unprocessable: { status: 422, title: "Unprocessable", retryable: false, noSideEffects: true },
	rate_limited: { status: 429, title: "Rate limited", retryable: true, noSideEffects: true },
	headers_too_large: { status: 431, title: "Headers too large", retryable: false, noSideEffects: true },
	internal: { status: 500, title: "Internal error", retryable: false, noSideEffects: false },
	not_configured: { status: 501, title: "Not configured", retryable: false, noSideEffects: true },
	storage_unavailable: { status: 503, title: "Storage unavailable", retryable: true, noSideEffects: false },
	contention: { status: 503, title: "Contention", retryable: true, noSideEffects: true },
	summarizer_unavailable: {
		status: 503,
		title: "Summarizer unavailable",
		retryable: true,
		noSideEffects: true,
	},
} as const satisfies Record<string, PublicError>;

export type ErrorCode = keyof typeof publicErrors;

export const errorCodes = Object.keys(publicErrors) as [ErrorCode, ...ErrorCode[]];

/** One thing wrong with a request: `path` names the field (`entries.0.id`), the parameter, or the line. */
export const issueSchema = z
	.object({
		path: z.string().openapi({ example: "entries.0.message.role" }),
		message: z.string(),
		line: z.int().optional().openapi({ description: "Line of an imported file, from 1." }),
	})
	.openapi("Issue");

export type Issue = z.infer<typeof issueSchema>;

/** RFC 9457. */
export const problemSchema = z
	.object({
		type: z.string().openapi({ example: "urn:leaflog:error:not_found" }),
		title: z.string(),
		status: z.int(),
		detail: z.string(),
		code: z.enum(errorCodes),
		errors: z.array(issueSchema).optional(),
		requestId: z.string().optional(),
	})
	.openapi("Problem");

export type ProblemBody = z.infer<typeof problemSchema>;
