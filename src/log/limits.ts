/** The engine's numbers. Bytes and milliseconds. */
export interface LogLimits {
	/** The most index that a commit carries, its own included. */
	readonly indexCap: number;
	/** The most bodies that a commit carries, its own included. */
	readonly bodyCap: number;
	/** How long a confirmed tail is trusted. Purging waits longer than this. */
	readonly trust: number;
	/** How long a doubtful write is settled before it is answered as indeterminate. */
	readonly settle: number;
	/** How long an append tries for its turn before it is answered as contended. */
	readonly patience: number;
	/** How long a request waits for the writer of its group before it looks for itself. */
	readonly followerWait: number;
	/** The first pause of a settling write; it doubles up to the second, with full jitter. */
	readonly firstPause: number;
	readonly longestPause: number;
	/** Wins back to back after which a writer lets others have a turn. */
	readonly winsInARow: number;
	/** The most own bytes of one group of requests. */
	readonly groupBytes: number;
	/** The most bytes that the cache of all logs holds. */
	readonly cacheBytes: number;
	/** Two wanted ranges of one commit's own bodies are read as one where the gap is at most this. */
	readonly gap: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;

export const defaultLimits: LogLimits = {
	indexCap: 2 * MiB,
	bodyCap: 64 * KiB,
	trust: 10 * 60_000,
	settle: 20_000,
	patience: 20_000,
	followerWait: 2_000,
	firstPause: 50,
	longestPause: 2_000,
	winsInARow: 32,
	groupBytes: 8 * MiB,
	cacheBytes: 48 * MiB,
	gap: 64 * KiB,
};
