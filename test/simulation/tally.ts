/** Counts what happened in a run, by name. */
export class Tally {
	readonly counts: Record<string, number> = {};

	add(name: string, times = 1): void {
		this.counts[name] = (this.counts[name] ?? 0) + times;
	}
}
