/** Rules of the engine that a simulation may switch off, one at a time, to show that it notices. */
export type Mutation =
	| "writeid-settling"
	| "trust-window"
	| "second-look"
	| "probe-for-refusals"
	| "probe-for-reads"
	| "frozen-groups"
	| "checks-against-group-mates"
	| "wait-for-group-mates"
	| "purge-delay"
	| "commit-0-kept"
	| "etag-pinned-ranges"
	| "header-cover";
