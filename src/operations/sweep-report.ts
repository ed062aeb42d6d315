import { Corrupt } from "../log/log.ts";

/** What a sweep did. */
export interface SweepReport {
	/** The whole bucket was gone through; otherwise the next sweep goes on where this one stopped. */
	done: boolean;
	namespaces: number;
	/** Deleted sessions whose content was removed, those that nothing is left of, and those that must wait. */
	purged: number;
	finished: number;
	waiting: number;
	/** Sessions that were deleted because nothing was written to them for too long. */
	expired: number;
	/** Sessions that lists didn't show, or not as they are now. */
	listed: number;
	/** Sessions that lists showed though they were deleted, or aren't there. */
	unlisted: number;
	/** Shards of catalogues that were damaged and put anew. */
	rebuilt: number;
	/** What could not be done; everything else was. */
	readonly problems: SweepProblem[];
}

/** Holds no text of a session. */
export interface SweepProblem {
	readonly name: string;
	/** The object that is damaged, or the place that was worked on. */
	readonly key: string;
}

export function newReport(): SweepReport {
	return {
		done: false,
		namespaces: 0,
		purged: 0,
		finished: 0,
		waiting: 0,
		expired: 0,
		listed: 0,
		unlisted: 0,
		rebuilt: 0,
		problems: [],
	};
}

/** Notes what went wrong at a place, and goes on. */
export function noteProblem(report: SweepReport, place: string, error: unknown): void {
	const name = error instanceof Error ? error.name : typeof error;
	report.problems.push({ name, key: error instanceof Corrupt ? error.key : place });
}
