import type { LogView } from "../log/log.ts";

/** A state of a session, as ETags tell it. */
export interface Version {
	/** Number of entries in the log. */
	readonly seq: number;
	/** Number of the commit that ends with them; undefined where another entry follows in the same commit. */
	readonly commit: number | undefined;
}

/** The newest state that a view shows. */
export function versionOf(view: LogView): Version {
	return versionAt(view, view.length);
}

/**
 * The state in which entry `seq` was the last (0: none yet). It is the same whoever asks, and whenever: an answer
 * given again carries the ETag it carried first.
 */
export function versionAt(view: LogView, seq: number): Version {
	const commit = seq === 0 ? 0 : view.commitOf(seq);
	const followed = seq < view.length && view.commitOf(seq + 1) === commit;
	return { seq, commit: followed ? undefined : commit };
}

/** What a caller demands of the state that it writes on: one of these lengths, or any state at all. */
export type Precondition = "any" | readonly number[];

/** True where the log holds exactly as many entries as the caller knew of. */
export function holds(precondition: Precondition | undefined, length: number): boolean {
	return precondition === undefined || precondition === "any" || precondition.includes(length);
}
