/** Every number a client can run into. A deployment may set others; these are the defaults. */
export const limits = {
	/** Bytes of a JSON body. */
	appendBytes: 8 * 1024 * 1024,
	/** Bytes of a file to import. */
	importBytes: 32 * 1024 * 1024,
	/** Bytes of a session that is made from another in one go. */
	madeSessionBytes: 32 * 1024 * 1024,
	/** Bytes of one entry's line. */
	entryBytes: 4 * 1024 * 1024,
	/** Entries of one request. */
	batchEntries: 1000,
	/** Arrays and objects inside one another. */
	jsonDepth: 200,
	/** Entries of a session, `leaf` entries included. */
	sessionEntries: 100_000,
	/** Characters (UTF-16 units) of a session's name. */
	nameCharacters: 512,
	/** Bytes of a session's metadata as JSON. */
	metadataBytes: 8 * 1024,
	/** Characters of a working directory. */
	cwdCharacters: 4096,
	/** Characters of a session's id. */
	sessionIdCharacters: 128,
	/** Characters of an entry's id. */
	entryIdCharacters: 64,
	/** Characters of an `Idempotency-Key`, visible ASCII. */
	idempotencyKeyCharacters: 128,
	/** Characters of a session's first message in answers. */
	firstMessageCharacters: 256,
	/** Entries of a page of the log: the most, and unless asked otherwise. */
	entriesPage: 1000,
	entriesPageDefault: 200,
	/** Sessions of a page of the list: the most, and unless asked otherwise. */
	sessionsPage: 200,
	sessionsPageDefault: 50,
	/** Seconds that a call may wait for an entry before it answers. */
	waitSeconds: 25,
	/** Problems listed in one answer. */
	listedProblems: 10_000,
	/** Seconds a share lives at most. */
	shareSeconds: 30 * 24 * 60 * 60,
	/** Unless asked otherwise. */
	shareSecondsDefault: 7 * 24 * 60 * 60,
	/** Shares of one session, those that are over but not revoked counted. */
	sharesPerSession: 500,
	/** Calls a namespace may make in a minute. */
	writesPerMinute: 600,
	readsPerMinute: 6000,
	/** Bytes of request bodies that an instance holds at once. Who finds no room within ten seconds gets 503. */
	heldBodyBytes: 40 * 1024 * 1024,
	/** Bytes of entries that it holds at once to answer reads, or to make sessions of others. */
	heldReadBytes: 32 * 1024 * 1024,
	/** Bytes of a body, and of an answer, that always have a place, whatever others hold. */
	smallBytes: 64 * 1024,
} as const;

/** What a server on Node has instead, since there is more memory there, and besides: nobody stands before it. */
export const serverLimits = {
	/** Bytes of a session that is made from another in one go. */
	madeSessionBytes: 256 * 1024 * 1024,
	/** Bytes of request bodies, and of what is read, that it holds at once. */
	heldBodyBytes: 128 * 1024 * 1024,
	heldReadBytes: 256 * 1024 * 1024,
	/** Bytes of a request's first line and headers. */
	headerBytes: 16 * 1024,
	/** Connections at once; more are closed as they come. */
	connections: 4000,
	/** Seconds until a request's headers have come, and until all of it has. */
	headersSeconds: 20,
	requestSeconds: 300,
	/** Seconds that a connection lives in which nothing is received and nothing taken. */
	idleSeconds: 120,
	/** Seconds that a connection is kept for a next request: longer than the proxies in front keep theirs, mostly 60. */
	keepAliveSeconds: 65,
} as const;

export type Limits = { readonly [Name in keyof typeof limits]: number };
