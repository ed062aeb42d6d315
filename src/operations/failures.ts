import { Corrupt, LogGone } from "../log/log.ts";
import { StoreUnavailable } from "../store/object-store.ts";
import { NoRoom } from "./memory.ts";
import { deletedSession, type Refusal, refuse } from "./refusal.ts";

/** What a thrown failure means to a client, and what the log line says of it. */
export interface Failure {
	readonly refusal: Refusal;
	/** Never holds message text, tokens or namespaces. Left out where nothing is amiss. */
	readonly logged?: { readonly name: string; readonly key?: string; readonly stack?: string };
}

/** Explains whatever an operation threw. What nobody expected is `internal`, and reveals nothing. */
export function failureOf(error: unknown): Failure {
	if (error instanceof LogGone) return { refusal: deletedSession };
	if (error instanceof NoRoom) {
		return {
			refusal: refuse("contention", "Too many large answers are under way"),
			logged: { name: error.name },
		};
	}
	if (error instanceof StoreUnavailable) {
		return {
			refusal: refuse("storage_unavailable", "The object store gave no clear answer"),
			logged: { name: error.name },
		};
	}
	const refusal = refuse("internal", "Something went wrong; it is written down under the request's id");
	if (error instanceof Corrupt) return { refusal, logged: { name: error.name, key: error.key } };
	if (error instanceof Error) {
		return { refusal, logged: { name: error.name, stack: framesOf(error) } };
	}
	return { refusal, logged: { name: typeof error } };
}

/** Where it happened. The message is left out: it may quote what a client sent. */
function framesOf(error: Error): string {
	return (error.stack ?? "")
		.split("\n")
		.filter((line) => /^\s+at /.test(line))
		.map((line) => line.trim())
		.join("\n");
}
