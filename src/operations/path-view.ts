import { createHash } from "node:crypto";
import type { JsonObject, LogView } from "../log/log.ts";
import type { LabelEntry } from "../session/entry.ts";
import { type BranchedSession, type KeptEntry, planBranchedSession } from "../session/fork.ts";
import { entryOf, recordOf, type SessionRecord } from "../session/record.ts";

/**
 * A session as one that was made of the path to an entry holds it, without making it: the path re-chained, its labels
 * at the end, and nothing of other branches, neither in what it tells nor in how often it changes. Undefined where
 * there is no such path. Lines are only read for what is asked.
 */
export function pathView(source: LogView, leafId: string): LogView | undefined {
	const plan = planBranchedSession(source, leafId);
	return plan.kind === "branched" && plan.kept.length > 0 ? new PathView(source, plan) : undefined;
}

class PathView implements LogView {
	readonly commit: number;
	readonly length: number;
	readonly head: string | null;
	readonly genesis: JsonObject;
	readonly #source: LogView;
	readonly #kept: readonly KeptEntry[];
	readonly #labels: readonly SessionRecord[];
	readonly #seqs = new Map<string, number>();

	constructor(source: LogView, plan: BranchedSession) {
		this.#source = source;
		this.#kept = plan.kept;
		for (const [at, { seq }] of plan.kept.entries()) this.#seqs.set(source.id(seq), at + 1);
		this.#labels = this.#labelRecords(plan);
		this.length = plan.kept.length + this.#labels.length;
		this.head = this.id(this.length);
		const { id = "", timestamp = "", cwd = "/" } = source.genesis;
		this.genesis = { id, timestamp, cwd };
		// Tells states of this path apart: labels are all that can change of it.
		const text = JSON.stringify([this.head, plan.labels]);
		this.commit = createHash("sha256").update(text).digest().readUInt32BE(0) % 1_000_000_000;
	}

	seqOf(id: string): number | undefined {
		return this.#seqs.get(id);
	}
	id(seq: number): string {
		const kept = this.#kept[seq - 1];
		return kept ? this.#source.id(kept.seq) : this.#label(seq).id;
	}
	parent(seq: number): string | null {
		return seq === 1 ? null : this.id(seq - 1);
	}
	parentSeq(seq: number): number {
		return seq - 1;
	}
	kind(seq: number): string {
		const kept = this.#kept[seq - 1];
		return kept ? this.#source.kind(kept.seq) : this.#label(seq).kind;
	}
	time(seq: number): string {
		const kept = this.#kept[seq - 1];
		return kept ? this.#source.time(kept.seq) : this.#label(seq).time;
	}
	byteLength(seq: number): number {
		const kept = this.#kept[seq - 1];
		return kept ? this.#source.byteLength(kept.seq) : this.#label(seq).bytes.length;
	}
	meta(seq: number): JsonObject {
		const kept = this.#kept[seq - 1];
		if (kept === undefined) return this.#label(seq).meta;
		const firstKept = kept.changes.firstKeptEntryId;
		const meta = this.#source.meta(kept.seq);
		return firstKept === undefined ? meta : { ...meta, f: firstKept };
	}
	commitOf(_seq: number): number {
		return this.commit;
	}
	request(_tag: string): readonly number[] {
		return [];
	}

	async bodies(seqs: Iterable<number>): Promise<ReadonlyMap<number, Uint8Array>> {
		const wanted = [...seqs];
		const lines = await this.#source.bodies(this.#sourceSeqs(wanted));
		const bodies = new Map<number, Uint8Array>();
		for (const seq of wanted) {
			const kept = this.#kept[seq - 1];
			const line = kept ? lines.get(kept.seq) : this.#label(seq).bytes;
			if (line !== undefined) bodies.set(seq, kept ? changed(line, kept) : line);
		}
		return bodies;
	}

	announce(sets: Iterable<readonly number[]>): void {
		this.#source.announce(Array.from(sets, (set) => this.#sourceSeqs(set)));
	}

	async genesisBody(): Promise<Uint8Array> {
		return new TextEncoder().encode(JSON.stringify({ type: "session", version: 3, ...this.genesis }));
	}

	#sourceSeqs(seqs: readonly number[]): number[] {
		return seqs.flatMap((seq) => this.#kept[seq - 1]?.seq ?? []);
	}

	#label(seq: number): SessionRecord {
		const label = this.#labels[seq - 1 - this.#kept.length];
		if (label === undefined) throw new RangeError("no entry has this seq");
		return label;
	}

	/** Their ids follow from what they say, so that they stay the same from call to call. */
	#labelRecords(plan: BranchedSession): SessionRecord[] {
		const records: SessionRecord[] = [];
		for (const { targetId, label, timestamp } of plan.labels) {
			const idAt = (attempt: number) =>
				createHash("sha256")
					.update(JSON.stringify([targetId, label, timestamp, attempt]))
					.digest("hex")
					.slice(0, 8);
			let attempt = 0;
			while (this.#seqs.has(idAt(attempt))) attempt++;
			const id = idAt(attempt);
			const parentId = records.at(-1)?.id ?? this.id(plan.kept.length);
			this.#seqs.set(id, plan.kept.length + records.length + 1);
			const entry: LabelEntry = { type: "label", id, parentId, timestamp, targetId, label };
			records.push(recordOf(entry));
		}
		return records;
	}
}

function changed(line: Uint8Array, { changes }: KeptEntry): Uint8Array {
	if (Object.keys(changes).length === 0) return line;
	return new TextEncoder().encode(JSON.stringify({ ...entryOf(line), ...changes }));
}
