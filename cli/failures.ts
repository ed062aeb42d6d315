import { LeaflogError, Unreachable } from "../client/src/index.ts";
import { plain } from "./plain.ts";
import { reasonOf } from "./sync.ts";

/** The command line, or what the environment adds to it, can't be meant like this. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/** What went wrong, for programs. */
export function problemOf(error: unknown, url: string): object {
	const detail = sentenceOf(error, url);
	if (error instanceof LeaflogError) {
		const { code = "no_leaflog", status, errors, requestId } = error;
		return { code, status, detail, errors, requestId };
	}
	if (error instanceof UsageError) return { code: "usage", detail };
	return { code: error instanceof Unreachable ? "unreachable" : "failed", detail };
}

/** What went wrong, for people, and what to do about it. */
export function sentenceOf(error: unknown, url: string): string {
	return plain(sentence(error, url));
}

function sentence(error: unknown, url: string): string {
	if (error instanceof Unreachable) {
		return `No answer from ${url} (${causeOf(error)}). Is it running, and is --url or LEAFLOG_URL right?`;
	}
	if (error instanceof SyntaxError || (error instanceof LeaflogError && error.code === undefined)) {
		const status = error instanceof LeaflogError ? ` (status ${error.status})` : "";
		return `What answers at ${url} is no Leaflog service${status}. Is --url or LEAFLOG_URL right?`;
	}
	if (!(error instanceof LeaflogError)) return reasonOf(error);
	if (error.status === 401)
		return `${error.message}. Set LEAFLOG_TOKEN to an API key or a JWT of this service.`;
	if (error.status === 403) return `${error.message}. The token doesn't allow this.`;
	return reasonOf(error);
}

/** A word for it, as the system has it. Never the message: that may hold what was to be sent, the token too. */
function causeOf(error: unknown): string {
	for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
		const { code } = at as NodeJS.ErrnoException;
		if (typeof code === "string") return code;
		if (at.name === "AbortError" || at.name === "TimeoutError") return "no answer in time";
	}
	return "no connection";
}
