/** The part of a long list that is on screen, in rows. */
export interface Range {
	readonly start: number;
	/** After the last one. */
	readonly end: number;
}

/** Rows at and around the part on screen; all lengths in CSS pixels. */
export function visibleRange(of: {
	readonly top: number;
	readonly height: number;
	readonly rowHeight: number;
	readonly count: number;
	readonly around: number;
}): Range {
	const { top, height, rowHeight, count, around } = of;
	const start = Math.floor(top / rowHeight) - around;
	const end = Math.ceil((top + height) / rowHeight) + around;
	return { start: clamp(start, count), end: clamp(end, count) };
}

/** Where to scroll so that a row is wholly on screen; the same place where it is already. */
export function scrolledTo(row: number, of: { top: number; height: number; rowHeight: number }): number {
	const { top, height, rowHeight } = of;
	const [begin, end] = [row * rowHeight, (row + 1) * rowHeight];
	if (begin < top) return Math.max(0, begin - rowHeight);
	return end > top + height ? end + rowHeight - height : top;
}

function clamp(row: number, count: number): number {
	return Math.max(0, Math.min(count, row));
}
