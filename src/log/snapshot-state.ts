import type { Moment } from "./clocks.ts";

/** One version of a snapshot. */
export interface Snapshot<T> {
	/** From 0; −1 where there is none yet. */
	readonly version: number;
	readonly value: T;
}

/**
 * What an instance knows of one snapshot: its newest version, and when that was last known to be the newest.
 * It only ever moves forward, so that late answers do no harm.
 */
export class SnapshotState<T> {
	readonly prefix: string;
	/** The newest version known to exist; −1 when none is. */
	version = -1;
	/** The moment when the request was sent whose answer showed that nothing newer was there. */
	confirmed: Moment | undefined;
	/** Settles when a request that reads what may be built upon is done, well or not. */
	preparing: Promise<void> | undefined;
	/** The newest version that was read, not always the newest known. */
	held: Snapshot<T>;

	constructor(prefix: string, empty: T) {
		this.prefix = prefix;
		this.held = { version: -1, value: empty };
	}

	/** Notes that a version exists, and its value. */
	found(snapshot: Snapshot<T>): void {
		if (snapshot.version > this.version) this.version = snapshot.version;
		if (snapshot.version > this.held.version) this.held = snapshot;
	}

	/** Notes that when this request was sent, nothing newer than `version` was there. */
	confirm(version: number, sent: Moment): void {
		if (version > this.version) this.version = version;
		if (!this.confirmed || sent.order > this.confirmed.order) this.confirmed = sent;
	}
}
