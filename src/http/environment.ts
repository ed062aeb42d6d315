import type { Call, SharedPart } from "../operations/call.ts";
import type { Failure } from "../operations/failures.ts";
import type { ObjectStore } from "../store/object-store.ts";
import type { Caller } from "./auth.ts";

/** A request's own way to the object store, and what was counted on it. */
export interface Meter {
	readonly store: ObjectStore;
	/** Counts reads that will be sent once the answer has begun, for the header alone. */
	announce(reads: { readonly gets: number; readonly bytes: number }): void;
	/** Value of a `Server-Timing` header. */
	serverTiming(): string;
	/** Requests sent to the store so far. */
	requests(): number;
	/** The same for the log line. */
	counts(): unknown;
}

/** What middleware leaves behind for the handlers of one request. */
export interface AppEnv {
	Variables: {
		requestId: string;
		meter: Meter;
		caller: Caller;
		call: Call;
		/** The session that a signed link leads to. */
		linked?: SharedPart;
		/** What of a session a share gives. */
		shared?: SharedPart;
		/** Why the answer is a 500 or 503, for the log line. */
		failure: Failure["logged"];
		/** Settles when a streamed answer has been sent, or was given up. */
		sent: Promise<void>;
	};
}
