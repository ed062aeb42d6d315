import type { LogView } from "../log/log.ts";
import type { Entry } from "../session/entry.ts";
import { entryOf } from "../session/record.ts";

/** Bytes of lines that are read, and held, at a time. */
const waveBytes = 4 * 1024 * 1024;

/** Reads what some items need, a few items at a time, in their order. What was read before need not be held. */
export async function* bodyWaves<Item>(
	view: LogView,
	items: readonly Item[],
	seqsOf: (item: Item) => readonly number[],
): AsyncGenerator<{ readonly items: readonly Item[]; readonly bodies: ReadonlyMap<number, Entry> }> {
	for (let start = 0; start < items.length; ) {
		const wanted = new Set<number>();
		let bytes = 0;
		let end = start;
		for (; end < items.length; end++) {
			const item = items[end];
			if (item === undefined) break;
			const more = seqsOf(item).filter((seq) => !wanted.has(seq));
			const length = more.reduce((sum, seq) => sum + view.byteLength(seq), 0);
			if (end > start && bytes + length > waveBytes) break;
			for (const seq of more) wanted.add(seq);
			bytes += length;
		}
		const lines = await view.bodies([...wanted].sort((one, other) => one - other));
		const bodies = new Map(Array.from(lines, ([seq, line]) => [seq, entryOf(line)]));
		yield { items: items.slice(start, end), bodies };
		start = end;
	}
}
