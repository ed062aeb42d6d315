import type { Call, SharedPart } from "../operations/call.ts";
import type { Failure } from "../operations/failures.ts";
import type { Place } from "../operations/memory.ts";
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

/** As much of a `ServerResponse` as is needed. */
export interface Outgoing {
	readonly destroyed: boolean;
	readonly writableFinished: boolean;
	once(event: "close", listener: () => void): unknown;
}

/** What middleware leaves behind for the handlers of one request. */
export interface AppEnv {
	/** Under Node the adapter's own response, which tells when the answer has left. */
	Bindings: { readonly outgoing?: Outgoing };
	Variables: {
		requestId: string;
		meter: Meter;
		caller: Caller;
		call: Call;
		/** What the request's body takes of the instance's memory, until the answer was sent. */
		bodyPlace: Place;
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
