import type { ObjectStore } from "../store/object-store.ts";

/** Reads that will be sent: how many GETs, for how many bytes. */
export interface PlannedReads {
	readonly gets: number;
	readonly bytes: number;
}

/** What one request brings along: its own (metered) store. */
export interface Scope {
	readonly store: ObjectStore;
	/** `clock.now()`, in ms, after which nobody waits for an answer any more. */
	readonly deadline?: number;
	/** Is told of reads that are planned for after the answer has begun. */
	announce?(reads: PlannedReads): void;
	/** Resolves when there is room for so many bytes of bodies beside what others hold; may fail instead. */
	admit?(bytes: number): Promise<void>;
	/** Keeps the platform from ending work that outlives the answer. */
	waitUntil?(work: Promise<unknown>): void;
}

/** Time, passed in so that a simulation can turn it. */
export interface Clock {
	/** Wall clock, epoch ms. */
	now(): number;
	/** A clock that nobody sets, ms. */
	monotonic(): number;
	/** Ends early, without failing, when `signal` is aborted; then no timer stays behind. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Randomness, passed in so that a seed repeats a run. */
export interface Random {
	bytes(length: number): Uint8Array;
	/** Uniform in [0, 1). */
	fraction(): number;
}
