import type { Limits } from "../../schemas/limits.ts";
import type { Clock, Log, LogName, Random, Scope } from "../log/log.ts";
import type { Summarizer } from "../summarizer/summarizer.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ImportTurns } from "./import-turns.ts";

/** What every operation works with: whose sessions, the log, and the means of this one request. */
export interface Call {
	/** Whose sessions these are. It comes from the credential, never from the client's words. */
	readonly namespace: string;
	readonly log: Log;
	/** The lists of sessions. */
	readonly catalogue: Catalogue;
	/** Files wait for one another here before they are imported. */
	readonly imports: ImportTurns;
	/** Left out where none is configured. */
	readonly summarizer?: Summarizer;
	/** Aborted when the caller is gone. */
	readonly signal?: AbortSignal;
	readonly scope: Scope;
	/** The same for work that is done after the answer, counted apart. */
	readonly after: Scope;
	readonly clock: Clock;
	readonly random: Random;
	readonly limits: Limits;
}

/** The log that holds a session of the caller. */
export function logOf(call: Call, id: string): LogName {
	return { namespace: call.namespace, id };
}
