import type { Context } from "hono";
import { type ErrorCode, type Issue, type ProblemBody, publicErrors } from "../../schemas/error.ts";
import { limits } from "../../schemas/limits.ts";
import { failureOf } from "../operations/failures.ts";
import type { Refusal } from "../operations/refusal.ts";
import type { AppEnv } from "./environment.ts";

/** Thrown wherever a request can go no further. */
export class Problem extends Error {
	override readonly name = "Problem";
	readonly code: ErrorCode;
	readonly errors: readonly Issue[] | undefined;
	readonly headers: Readonly<Record<string, string>>;

	constructor(
		code: ErrorCode,
		detail: string,
		more: { errors?: readonly Issue[]; headers?: Record<string, string> } = {},
	) {
		super(detail);
		this.code = code;
		this.errors = more.errors;
		this.headers = more.headers ?? {};
	}

	static of(refusal: Refusal): Problem {
		return new Problem(
			refusal.code,
			refusal.detail,
			refusal.errors === undefined ? {} : { errors: refusal.errors },
		);
	}
}

/** Seconds after which it is worth trying again. */
const retryAfter: Partial<Record<ErrorCode, number>> = {
	rate_limited: 60,
	storage_unavailable: 2,
	contention: 1,
	summarizer_unavailable: 5,
};

/** What is said of a request that could not be met: RFC 9457. */
export function problemBody(problem: Problem, requestId: string): ProblemBody {
	const { status, title } = publicErrors[problem.code];
	return {
		type: `urn:leaflog:error:${problem.code}`,
		title,
		status,
		detail: problem.message,
		code: problem.code,
		...(problem.errors && { errors: problem.errors.slice(0, limits.listedProblems) }),
		requestId,
	};
}

/** The answer to a request that could not be met, whatever was asked for. */
export function problemResponse(c: Context<AppEnv>, problem: Problem): Response {
	const { status } = publicErrors[problem.code];
	const body = problemBody(problem, c.var.requestId);
	const wait = retryAfter[problem.code];
	return c.body(JSON.stringify(body), status, {
		"Content-Type": "application/problem+json",
		"Cache-Control": "no-store",
		...(wait !== undefined && { "Retry-After": String(wait) }),
		...(problem.code === "unauthorized" && { "WWW-Authenticate": "Bearer" }),
		...problem.headers,
	});
}

/** Turns whatever was thrown into an answer. What it reveals is in the table of public errors alone. */
export function onError(error: Error, c: Context<AppEnv>): Response {
	if (error instanceof Problem) return problemResponse(c, error);
	const { refusal, logged } = failureOf(error);
	if (logged) c.set("failure", logged);
	return problemResponse(c, Problem.of(refusal));
}
