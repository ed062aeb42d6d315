import { type CommitLine, decodeText, longTime, parseRecordLine, type RecordLine } from "./commit.ts";
import { Corrupt } from "./errors.ts";
import { type IndexBlock, parseIndexBlock } from "./index-block.ts";

/**
 * The index of a log in columns: what is known of every record without its body.
 * It only grows, and what was once in it never changes, so that a snapshot is no more than a length.
 * The text of the lines is kept as it was read: it is carried into later commits as it is,
 * and a record's `meta` is parsed from it on demand.
 */
export class LogIndex {
	/** Number of records. */
	length = 0;
	/** Number of commits. */
	commits = 0;

	#text = new Uint8Array(0);
	#textLength = 0;

	// A column each; record k is at k − 1.
	readonly #ids: string[] = [];
	readonly #parents: number[] = [];
	readonly #kinds: string[] = [];
	readonly #times: (number | string)[] = [];
	readonly #byteLengths: number[] = [];
	readonly #checksums: string[] = [];
	readonly #lines: number[] = [];
	readonly #positions: number[] = [];
	readonly #commitOf: number[] = [];
	readonly #startsRequest: boolean[] = [];
	/** Parents that are no earlier record, by seq. */
	readonly #otherParents = new Map<number, string | null>();
	/** Heads that are not the record itself, by seq. */
	readonly #heads = new Map<number, string | null>();
	readonly #seqs = new Map<string, number>();
	readonly #tags = new Map<string, number>();
	readonly #kindNames = new Map<string, string>();

	// A column each; commit n is at n.
	readonly #commitLines: CommitLine[] = [];
	readonly #commitTexts: number[] = [];
	readonly #lastSeqs: number[] = [];
	#bodiesLength = 0;

	/** Bytes that the columns take, roughly. */
	get weight(): number {
		return this.#text.length + this.length * 220 + this.commits * 120;
	}

	/** Bytes of all bodies, line feeds included: the length of the session file. */
	get bodiesLength(): number {
		return this.#bodiesLength;
	}

	/** `seq` of a record, or undefined. */
	seqOf(id: string): number | undefined {
		return this.#seqs.get(id);
	}

	/** `seq` of the first record of a request, or 0 for one that holds none but the log's first line. */
	seqOfTag(tag: string): number | undefined {
		return this.#tags.get(tag);
	}

	id(seq: number): string {
		return this.#ids[seq - 1]!;
	}

	parent(seq: number): string | null {
		const distanceTo = this.#parents[seq - 1]!;
		return distanceTo > 0 ? this.#ids[distanceTo - 1]! : (this.#otherParents.get(seq) ?? null);
	}

	/** The parent's seq; 0 where there is none, where it isn't in the log, and where it is the record itself. */
	parentSeq(seq: number): number {
		const parent = this.#parents[seq - 1]!;
		if (parent > 0) return parent;
		const other = this.#otherParents.get(seq);
		const found = other === undefined || other === null ? undefined : this.#seqs.get(other);
		return found === undefined || found === seq ? 0 : found;
	}

	kind(seq: number): string {
		return this.#kinds[seq - 1]!;
	}

	time(seq: number): string {
		return longTime(this.#times[seq - 1]!);
	}

	byteLength(seq: number): number {
		return this.#byteLengths[seq - 1]!;
	}

	checksum(seq: number): string {
		return this.#checksums[seq - 1]!;
	}

	/** Where a record's body starts in the session file: all bodies of the log, one after the other. */
	position(seq: number): number {
		return this.#positions[seq - 1]!;
	}

	commitOf(seq: number): number {
		return this.#commitOf[seq - 1]!;
	}

	startsRequest(seq: number): boolean {
		return this.#startsRequest[seq - 1]!;
	}

	/** Where the head is after a record. */
	head(seq: number): string | null {
		if (seq === 0) return null;
		const head = this.#heads.get(seq);
		return head === undefined ? this.#ids[seq - 1]! : head;
	}

	meta(seq: number): Record<string, never> {
		const from = this.#lines[seq - 1]!;
		const to = this.#text.indexOf(10, from);
		return parseRecordLine("", decodeText("", this.#text.subarray(from, to))).meta ?? {};
	}

	commit(n: number): CommitLine {
		return this.#commitLines[n]!;
	}

	/** `seq` of a commit's last record (of the one before it where it has none). */
	lastSeq(n: number): number {
		return n < 0 ? 0 : this.#lastSeqs[n]!;
	}

	/** Where a commit's own bodies start in the session file. */
	commitPosition(n: number): number {
		const first = this.lastSeq(n - 1) + 1;
		if (n === 0) return 0;
		return first <= this.length ? this.position(first) : this.#bodiesLength;
	}

	/** The index lines of commits `first` … the newest, as they were read. */
	textFrom(first: number): Uint8Array {
		return this.#text.subarray(
			first < this.commits ? this.#commitTexts[first]! : this.#textLength,
			this.#textLength,
		);
	}

	/** Bytes of the index lines of commits `first` … the newest. */
	textLengthFrom(first: number): number {
		return first < this.commits ? this.#textLength - this.#commitTexts[first]! : 0;
	}

	/**
	 * Parses what is new in the index lines of the commits `first` … `last`, of which the last is not known yet.
	 * @throws Corrupt naming `key` if a line is malformed or says something else than what is known.
	 */
	read(key: string, first: number, last: number, bytes: Uint8Array): IndexBlock {
		if (first > this.commits) throw new Corrupt(key, `the index of commit ${this.commits} is missing`);
		const known = this.textFrom(first);
		if (!startsWith(bytes, known))
			throw new Corrupt(key, "its index tells the commits before it in another way");
		const from = { first: this.commits, last, before: this.length };
		return parseIndexBlock(key, from, bytes.subarray(known.length));
	}

	/** Takes in what {@link read} made of the lines that follow what is known. */
	add(block: IndexBlock): void {
		const base = this.#textLength;
		this.#appendText(block.bytes);
		for (const { line, at, records } of block.commits) {
			this.#addCommit(line, base + at);
			for (const record of records) this.#addRecord(record.line, base + record.at);
			this.#lastSeqs.push(this.length);
			this.commits++;
		}
	}

	#addCommit(commit: CommitLine, at: number): void {
		this.#commitLines.push(commit);
		this.#commitTexts.push(at);
		if (commit.genesis) {
			this.#bodiesLength += commit.genesis.byteLength + 1;
			this.#tags.set(commit.genesis.tag, 0);
		}
	}

	#addRecord(line: RecordLine, at: number): void {
		const seq = ++this.length;
		this.#ids.push(line.id);
		this.#seqs.set(line.id, seq);
		if (typeof line.parent === "number") this.#parents.push(seq - line.parent);
		else {
			this.#parents.push(0);
			if (line.parent !== null) this.#otherParents.set(seq, line.parent);
		}
		this.#kinds.push(this.#kindName(line.kind));
		this.#times.push(line.time);
		this.#byteLengths.push(line.byteLength);
		this.#checksums.push(line.checksum);
		this.#lines.push(at);
		this.#positions.push(this.#bodiesLength);
		this.#bodiesLength += line.byteLength + 1;
		this.#commitOf.push(this.commits);
		this.#startsRequest.push(line.tag !== null);
		if (line.tag !== null && !this.#tags.has(line.tag)) this.#tags.set(line.tag, seq);
		if (line.head !== undefined) this.#heads.set(seq, line.head);
	}

	/** One string for each kind, however often it was parsed. */
	#kindName(kind: string): string {
		const known = this.#kindNames.get(kind);
		if (known !== undefined) return known;
		this.#kindNames.set(kind, kind);
		return kind;
	}

	#appendText(bytes: Uint8Array): void {
		const needed = this.#textLength + bytes.length;
		if (needed > this.#text.length) {
			const grown = new Uint8Array(this.#textLength === 0 ? needed : Math.ceil(needed * 1.25) + 1024);
			grown.set(this.#text.subarray(0, this.#textLength));
			this.#text = grown;
		}
		this.#text.set(bytes, this.#textLength);
		this.#textLength = needed;
	}
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
	return bytes.length >= start.length && start.every((byte, k) => bytes[k] === byte);
}
