import type { Clock } from "../src/log/log.ts";
import type { Entry } from "../src/session/entry.ts";
import type { ObjectStore } from "../src/store/object-store.ts";

/** A way to keep a session in a bucket. */
export interface Design {
	readonly name: string;
	/** A process that knows nothing yet. */
	open(clock: Clock): Instance;
}

/** A process that serves one session. Each call is one request of a client, and brings the store along. */
export interface Instance {
	append(store: ObjectStore, entry: Entry): Promise<void>;
	/** What the model is sent: from the latest compaction on, or all. */
	context(store: ObjectStore): Promise<void>;
	/** The whole branch as a stream. */
	branch(store: ObjectStore): Promise<void>;
	/** The newest 50 entries of the branch. */
	page(store: ObjectStore): Promise<void>;
	/** All entries without their bodies. */
	tree(store: ObjectStore): Promise<void>;
	/** Which entry the session is at. */
	leaf(store: ObjectStore): Promise<void>;
}

/** Entries of a page. */
export const pageSize = 50;
