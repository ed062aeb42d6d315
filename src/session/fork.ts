import type { AppendProblem } from "./append.ts";
import { pathTo } from "./branch.ts";
import { type Entry, type LabelEntry, messageOf, stringOf } from "./entry.ts";
import { type Label, labels } from "./labels.ts";
import { entryOf, recordAt, recordOf, type SessionRecord } from "./record.ts";
import type { SessionIndex } from "./session-index.ts";
import { contentText } from "./text.ts";
import { treeParent } from "./tree-shape.ts";

/** An entry that goes into a session made of a path. */
export interface KeptEntry {
	readonly seq: number;
	/** What is different there; nothing where its line stays as it is. */
	readonly changes: { readonly parentId?: string | null; readonly firstKeptEntryId?: string };
}

export interface BranchedSession {
	readonly kind: "branched";
	/** Root first; their bodies are needed. */
	readonly kept: readonly KeptEntry[];
	/** Labels of kept entries, in label order. */
	readonly labels: readonly Label[];
}

export type BranchedSessionPlan =
	| BranchedSession
	| { readonly kind: "problem"; readonly problem: AppendProblem };

/**
 * What a session holds that is made of the path to an entry: the path without its labels, re-chained, and then the
 * labels of what is kept. `leaf` entries stay behind. A null leaf keeps nothing.
 */
export function planBranchedSession(index: SessionIndex, leafId: string | null): BranchedSessionPlan {
	if (leafId === null) return { kind: "branched", kept: [], labels: [] };
	const leaf = index.seqOf(leafId);
	if (leaf === undefined) return notFound("leafId", leafId);
	if (index.kind(leaf) === "leaf")
		return unprocessable(`A branch cannot end in a leaf entry, and ${leafId} is one`);
	const kept: KeptEntry[] = [];
	const replacements = new Map<string, string>();
	let leftOut: string[] = [];
	let parentId: string | null = null;
	for (const seq of pathTo(index, leaf)) {
		const id = index.id(seq);
		if (index.kind(seq) === "label") {
			leftOut.push(id);
			continue;
		}
		for (const label of leftOut) replacements.set(label, id);
		leftOut = [];
		const firstKept = index.kind(seq) === "compaction" ? stringOf(index.meta(seq).f) : undefined;
		const replaced = firstKept === undefined ? undefined : replacements.get(firstKept);
		kept.push({
			seq,
			changes: {
				...(parentId === index.parent(seq) ? {} : { parentId }),
				...(replaced === undefined ? {} : { firstKeptEntryId: replaced }),
			},
		});
		parentId = id;
	}
	const ids = new Set(kept.map((entry) => index.id(entry.seq)));
	return {
		kind: "branched",
		kept,
		labels: [...labels(index).values()].filter((mark) => ids.has(mark.targetId)),
	};
}

/**
 * The records of a session made of a path. `lines` holds the line of each kept entry, by seq.
 * `newId` gives the labels' ids; it is asked again while it gives one that is taken.
 */
export function branchedRecords(
	index: SessionIndex,
	plan: BranchedSession,
	lines: ReadonlyMap<number, Uint8Array>,
	newId: () => string,
): SessionRecord[] {
	const records = plan.kept.map(({ seq, changes }) => {
		const line = lines.get(seq);
		if (line === undefined) throw new RangeError(`the line of entry ${seq} was not brought along`);
		if (Object.keys(changes).length === 0) return recordAt(index, seq, line);
		return recordOf({ ...entryOf(line), ...changes });
	});
	const taken = new Set(records.map((record) => record.id));
	let parentId = records.at(-1)?.id ?? null;
	for (const { targetId, label, timestamp } of plan.labels) {
		let id = newId();
		while (taken.has(id)) id = newId();
		taken.add(id);
		const entry: LabelEntry = { type: "label", id, parentId, timestamp, targetId, label };
		records.push(recordOf(entry));
		parentId = id;
	}
	return records;
}

export type ForkPlan =
	/** `textSeq`: the user message whose text goes with the fork, see `selectedText`. */
	| { readonly kind: "fork"; readonly leafId: string | null; readonly textSeq?: number }
	| { readonly kind: "problem"; readonly problem: AppendProblem };

/** Where a fork ends: before a user message, or at any entry. */
export function planFork(index: SessionIndex, entryId: string, position: "before" | "at"): ForkPlan {
	const seq = index.seqOf(entryId);
	if (seq === undefined) return notFound("entryId", entryId);
	if (position === "at") return { kind: "fork", leafId: entryId };
	if (index.kind(seq) !== "m.user") {
		return unprocessable(`A fork before an entry needs a user message, and ${entryId} is none`);
	}
	const parent = treeParent(index, seq);
	return { kind: "fork", leafId: parent === 0 ? null : index.id(parent), textSeq: seq };
}

/** The user messages of all branches that have text, in log order: where a fork may begin. */
export function forkPoints(index: SessionIndex): number[] {
	const seqs: number[] = [];
	for (let seq = 1; seq <= index.length; seq++) {
		if (index.kind(seq) === "m.user" && index.meta(seq).e !== 1) seqs.push(seq);
	}
	return seqs;
}

/** The text of a user message: its blocks, with nothing between them. */
export function selectedText(entry: Entry): string {
	return contentText(messageOf(entry)?.content, "");
}

function notFound(field: string, id: string): { kind: "problem"; problem: AppendProblem } {
	return {
		kind: "problem",
		problem: { kind: "not_found", field, detail: `The session has no entry ${id} (${field})` },
	};
}

function unprocessable(detail: string): { kind: "problem"; problem: AppendProblem } {
	return { kind: "problem", problem: { kind: "unprocessable", detail } };
}
