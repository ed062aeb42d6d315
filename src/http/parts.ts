import type { Limits } from "../../schemas/limits.ts";
import type { Call } from "../operations/call.ts";
import type { WatchSettings } from "../operations/watch-session.ts";
import type { Authenticate } from "./auth.ts";
import type { Meter } from "./environment.ts";
import type { RateLimiter } from "./rates.ts";
import type { LogLine } from "./request-log.ts";

/** All that the HTTP layer is built from. */
export interface Parts {
	/** One per instance: it holds the cache. */
	readonly log: Call["log"];
	/** One per instance, for lists of sessions. */
	readonly catalogue: Call["catalogue"];
	/** Left out: what needs one answers 501. */
	readonly summarizer?: Call["summarizer"];
	readonly clock: Call["clock"];
	readonly random: Call["random"];
	/** A way to the object store for one request, counted from nothing. */
	readonly meter: () => Meter;
	readonly authenticate: Authenticate;
	/** Left out: nobody is counted. */
	readonly rates?: RateLimiter;
	/** Where the line of each request goes. */
	readonly writeLog: (line: LogLine) => void;
	readonly config?: HttpConfig;
	/** Touches the store, and says why it can't be used: `/healthz?ready=1`. */
	readonly probe?: () => Promise<
		{ readonly kind: "ready" } | { readonly kind: "unfit"; readonly why: string }
	>;
	/** Left out: there is no such page. */
	readonly metrics?: MetricsPage;
	/** Lets work outlive the answer where the platform has no way of its own. */
	readonly background?: (work: Promise<unknown>) => void;
}

/** What is behind `/metrics`. */
export interface MetricsPage {
	readonly read: () => Promise<{ readonly type: string; readonly text: string }>;
	readonly token?: string;
}

export interface HttpConfig {
	/** Web pages' origins that may call; `*` for all of them. Default: none. */
	readonly corsOrigins?: readonly string[];
	/** Compress here, where the platform doesn't. */
	readonly compress?: boolean;
	readonly limits?: Partial<Limits>;
	/** How long an operation may take, in ms, before it answers 503. */
	readonly deadlineMs?: number;
	/** How streams of events look for news, and how long they last. */
	readonly watch?: Partial<WatchSettings>;
	/** Signs links to media, which then need no other credential for an hour. */
	readonly mediaSecret?: string;
}
