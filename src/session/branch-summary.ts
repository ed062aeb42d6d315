import { type Bodies, branchSummaryMessage, compactionSummaryMessage, plannedMessages } from "./context.ts";
import { type JsonRecord, stringOf } from "./entry.ts";
import { contextRole, editedTokens } from "./outline.ts";
import type { SessionIndex } from "./session-index.ts";

/** Tokens of a branch that a summary reads, unless asked otherwise: a window of 128,000 less what is reserved. */
export const defaultSummaryTokens = 128_000 - 16_384;

export interface BranchSummaryPlan {
	/** The entries whose messages the summary reads, root first. */
	readonly included: readonly SummarizedEntry[];
	readonly totalTokens: number;
	/** Entries that tell which files were touched: earlier summaries, and messages up to the first that didn't fit. */
	readonly files: readonly SummarizedEntry[];
}

export interface SummarizedEntry {
	readonly seq: number;
	readonly edit?: number;
}

/**
 * Which of the entries left behind fit into a budget of tokens (0: all), newest first. Tool results, entries edited
 * out and those that say nothing are passed over; the first that doesn't fit ends it, but where that is a summary and
 * less than nine tenths are used it still goes in. Edits count where they are among these entries.
 */
export function planBranchSummary(
	index: SessionIndex,
	seqs: readonly number[],
	tokenBudget: number,
): BranchSummaryPlan {
	const edits = editsAmong(index, seqs);
	const included: SummarizedEntry[] = [];
	const isBranchSummary = (seq: number) => index.kind(seq) === "branch_summary";
	const files: SummarizedEntry[] = seqs.filter(isBranchSummary).map((seq) => ({ seq }));
	let totalTokens = 0;
	for (const seq of seqs.toReversed()) {
		const kind = index.kind(seq);
		const isSummary = kind === "compaction" || kind === "branch_summary";
		const edit = isSummary ? undefined : edits.get(index.id(seq));
		const role = kind === "compaction" ? "compactionSummary" : contextRole(kind);
		if (role === undefined || kind === "m.toolResult" || edit?.omits === true) continue;
		const entry = { seq, ...(edit === undefined ? {} : { edit: edit.seq }) };
		if (kind === "m.assistant") files.push(entry);
		const tokens = editedTokens(index, role, index.meta(seq), edit?.seq);
		const fits = tokenBudget <= 0 || totalTokens + tokens <= tokenBudget;
		if (!fits && !(isSummary && totalTokens < tokenBudget * 0.9)) break;
		included.push(entry);
		totalTokens += tokens;
		if (!fits) break;
	}
	return { included: included.reverse(), totalTokens, files };
}

function editsAmong(
	index: SessionIndex,
	seqs: readonly number[],
): Map<string, { seq: number; omits: boolean }> {
	const edits = new Map<string, { seq: number; omits: boolean }>();
	for (const seq of seqs) {
		if (index.kind(seq) !== "context_edit") continue;
		const meta = index.meta(seq);
		const target = stringOf(meta.t);
		if (target !== undefined) edits.set(target, { seq, omits: meta.o === 1 });
	}
	return edits;
}

/** The messages that the summary reads of these entries. `bodies` holds them and their edits. */
export function branchSummaryMessages(entries: readonly SummarizedEntry[], bodies: Bodies): JsonRecord[] {
	return entries.flatMap(({ seq, edit }) => {
		const entry = bodies.get(seq);
		if (entry?.type === "branch_summary") return [branchSummaryMessage(entry)];
		if (entry?.type === "compaction") return [compactionSummaryMessage(entry)];
		const planned = { seq, gives: "messages" } as const;
		return plannedMessages(
			edit === undefined ? planned : { ...planned, edit: { seq: edit, omits: false } },
			bodies,
		);
	});
}
