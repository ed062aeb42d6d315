/**
 * The places where cycles are to be cut so that none is left: in each the last member.
 * `parents` holds the place of each one's parent, -1 for none. Linear.
 */
export function cutCycles(parents: readonly number[]): number[] {
	const done = new Uint8Array(parents.length);
	const cut: number[] = [];
	for (let start = 0; start < parents.length; start++) {
		const walk: number[] = [];
		const onWalk = new Map<number, number>();
		let at = start;
		while (at >= 0 && done[at] === 0 && !onWalk.has(at)) {
			onWalk.set(at, walk.length);
			walk.push(at);
			at = parents[at] ?? -1;
		}
		const from = onWalk.get(at);
		if (from !== undefined) cut.push(walk.slice(from).reduce((last, place) => Math.max(last, place), -1));
		for (const place of walk) done[place] = 1;
	}
	return cut;
}
