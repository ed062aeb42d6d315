import type { Limits } from "../../schemas/limits.ts";
import type { Clock, Log, LogName, Namespace, Random, Scope } from "../log/log.ts";
import type { Summarizer } from "../summarizer/summarizer.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ImportTurns } from "./import-turns.ts";
import type { Lookouts } from "./lookout.ts";
import type { MediaLinks } from "./media-links.ts";
import type { Place } from "./memory.ts";
import type { WatchSettings } from "./watch-session.ts";

/** What every operation works with: whose sessions, the log, and the means of this one request. */
export interface Call {
	/** Whose sessions these are. It comes from the credential, never from the client's words. */
	readonly namespace: string;
	/** What the caller was given to read of somebody else's: then it is read in place of the caller's own. */
	readonly shared?: SharedPart;
	readonly log: Log;
	/** The lists of sessions. */
	readonly catalogue: Catalogue;
	/** Files wait for one another here before they are imported. */
	readonly imports: ImportTurns;
	/** Left out where none is configured. */
	readonly summarizer?: Summarizer;
	/** Left out where no secret is configured: then links to media need the same credentials as everything else. */
	readonly mediaLinks?: MediaLinks;
	/** Those who wait for news of sessions in this instance, and how long they may. */
	readonly watching?: { readonly lookouts: Lookouts; readonly settings: Partial<WatchSettings> };
	/** How many requests were sent to the store for this call so far. */
	readonly requests?: () => number;
	/** What the call's answer takes of the instance's memory, until it was sent. Left out where nobody counts. */
	readonly readPlace?: Place;
	/** Aborted when the caller is gone. */
	readonly signal?: AbortSignal;
	readonly scope: Scope;
	/** The same for work that is done after the answer, counted apart. */
	readonly after: Scope;
	readonly clock: Clock;
	readonly random: Random;
	readonly limits: Limits;
}

/** A session of any namespace, or the path to one of its entries. */
export interface SharedPart {
	readonly namespace: Namespace;
	readonly session: string;
	readonly leafId?: string;
}

/** The log that holds a session of the caller. */
export function logOf(call: Call, id: string): LogName {
	return { namespace: call.namespace, id };
}
