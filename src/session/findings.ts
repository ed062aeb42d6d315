/** Something wrong with a line of a file, numbered from 1. */
export interface LineProblem {
	readonly line: number;
	readonly problem: string;
}

/** What was done about it. */
export interface Repair extends LineProblem {
	readonly action: string;
}

/** Collects what is wrong with a file, and how it was put right. */
export class Findings {
	readonly repair: boolean;
	readonly repairs: Repair[] = [];

	constructor(repair: boolean) {
		this.repair = repair;
	}
	add(line: number, problem: string, action: string): void {
		this.repairs.push({ line, problem, action });
	}
}

/** In the order of the lines. */
export function byLine<Found extends LineProblem>(found: readonly Found[]): Found[] {
	return found.toSorted((one, other) => one.line - other.line);
}
