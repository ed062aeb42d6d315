import type { Moment } from "./clocks.ts";
import type { Header } from "./commit.ts";
import { Corrupt } from "./errors.ts";
import { type CoverNode, extendCover } from "./fenwick.ts";
import type { IndexBlock } from "./index-block.ts";
import { commitKey } from "./keys.ts";
import { LogIndex } from "./log-index.ts";

/** Number under which the log's first line is kept among the bodies. */
export const genesisSeq = 0;

/**
 * What an instance knows of one log: immutable commits, folded in their order, and when that was last
 * known to be all. It only ever moves forward, so that late answers do no harm.
 */
export class LogState {
	readonly prefix: string;
	readonly index = new LogIndex();
	/** The objects that together hold the whole index, oldest first. */
	cover: readonly CoverNode[] = [];
	/** The newest commit that is folded in is a tombstone's predecessor, and the log has ended. */
	gone = false;
	/** The moment when the request was sent whose answer showed that nothing newer was there. */
	confirmed: Moment | undefined;
	/** Bodies by seq, verified. */
	readonly bodies = new Map<number, Uint8Array>();
	bodiesWeight = 0;

	constructor(prefix: string) {
		this.prefix = prefix;
	}

	/** Number of the newest commit known; −1 when none is. */
	get newest(): number {
		return this.index.commits - 1;
	}

	get weight(): number {
		return 1000 + this.index.weight + this.bodiesWeight + this.bodies.size * 100;
	}

	/** The writeId of the newest commit known. */
	get writeId(): string | null {
		return this.newest < 0 ? null : this.index.commit(this.newest).writeId;
	}

	/** Notes a proof that nothing newer was there. Moments never go back. */
	confirm(sent: Moment): void {
		if (!this.confirmed || sent.order > this.confirmed.order) this.confirmed = sent;
	}

	/**
	 * Takes in one object's header and index. Objects of a cover come oldest first.
	 * @throws Corrupt if it contradicts itself or what is known; then nothing of it was taken in.
	 */
	fold(header: Header, prefixLength: number, index: Uint8Array): void {
		const key = commitKey(this.prefix, header.n);
		if (header.n <= this.newest) {
			if (this.index.commit(header.n).writeId !== header.writeId)
				throw new Corrupt(key, "is another commit than before");
			return;
		}
		const block = this.index.read(key, header.n - header.indexCarried + 1, header.n, index);
		const [before, own] = [block.commits.at(-2)?.line.writeId ?? this.writeId, block.commits.at(-1)!];
		const { writeId, bodyCarried } = own.line;
		if (before !== header.previous) throw new Corrupt(key, "follows another commit than the one before it");
		if (this.index.length + block.count !== header.length)
			throw new Corrupt(key, "the header counts other records than the index");
		if (writeId !== header.writeId || bodyCarried !== header.bodyCarried)
			throw new Corrupt(key, "index and header differ");
		if (own.line.prefixLength !== prefixLength || this.#headAfter(block) !== header.head)
			throw new Corrupt(key, "index and header differ");
		this.index.add(block);
		this.cover = extendCover(this.cover, { n: header.n, carried: header.indexCarried, prefixLength });
	}

	#headAfter(block: IndexBlock): string | null {
		const last = block.commits.findLast(({ records }) => records.length > 0)?.records.at(-1)?.line;
		if (last === undefined) return this.index.head(this.index.length);
		return last.head === undefined ? last.id : last.head;
	}

	keepBody(seq: number, bytes: Uint8Array): void {
		if (this.bodies.has(seq)) return;
		this.bodies.set(seq, bytes);
		this.bodiesWeight += bytes.length;
	}

	dropBodies(): void {
		this.bodies.clear();
		this.bodiesWeight = 0;
	}
}
