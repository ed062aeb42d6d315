import type { Issue, Problem } from "./api.ts";

/** The stable names of what can go wrong. */
export type ErrorCode = Problem["code"];

/** The service refused a call, or could not meet it. */
export class LeaflogError extends Error {
	override readonly name = "LeaflogError";
	/** HTTP status. */
	readonly status: number;
	/** Undefined where something between here and the service answered. */
	readonly code: ErrorCode | undefined;
	/** What is wrong with each field or line. */
	readonly errors: readonly Issue[];
	/** Names the request in the service's log. */
	readonly requestId: string | undefined;
	/** Milliseconds after which it is worth trying again. */
	readonly retryAfter: number | undefined;

	constructor(status: number, problem: Partial<Problem>, retryAfter?: number) {
		super(messageOf(status, problem));
		this.status = status;
		this.code = problem.code;
		this.errors = problem.errors ?? [];
		this.requestId = problem.requestId;
		this.retryAfter = retryAfter;
	}

	/** Whether the same call may well succeed later. */
	get retryable(): boolean {
		return [429, 502, 503, 504].includes(this.status);
	}

	/** The error that a response tells of. Anything but a problem is told by its status alone. */
	static async of(response: Response): Promise<LeaflogError> {
		const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
		const retryAfter = Number.isFinite(seconds) ? seconds * 1000 : undefined;
		try {
			return new LeaflogError(response.status, (await response.json()) as Partial<Problem>, retryAfter);
		} catch {
			return new LeaflogError(response.status, {}, retryAfter);
		}
	}
}

const issuesTold = 3;

/** With the first of what is wrong, where the sentence doesn't say it already. */
function messageOf(status: number, { detail, title, errors = [] }: Partial<Problem>): string {
	const sentence = detail ?? title ?? `The answer was ${status}`;
	const issues = errors.filter(({ message }) => !sentence.includes(message));
	if (issues.length === 0) return sentence;
	const told = issues
		.slice(0, issuesTold)
		.map(({ path, message }) => (path ? `${path}: ${message}` : message));
	return `${sentence}: ${told.join("; ")}${issues.length > issuesTold ? "; …" : ""}`;
}

/** There was no answer: no connection, or none in time. A write may have been stored or not. */
export class Unreachable extends Error {
	override readonly name = "Unreachable";
	readonly retryable = true;

	constructor(cause: unknown) {
		super("The service can't be reached", { cause });
	}
}
