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
	readonly fileSeqs: readonly number[];
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
	const fileSeqs = seqs.filter((seq) => index.kind(seq) === "branch_summary");
	let totalTokens = 0;
	for (const seq of seqs.toReversed()) {
		const kind = index.kind(seq);
		const isSummary = kind === "compaction" || kind === "branch_summary";
		const edit = isSummary ? undefined : edits.get(index.id(seq));
		const role = kind === "compaction" ? "compactionSummary" : contextRole(kind);
		if (role === undefined || kind === "m.toolResult" || edit?.omits === true) continue;
		if (kind === "m.assistant") fileSeqs.push(seq);
		const tokens = editedTokens(index, role, index.meta(seq), edit?.seq);
		const fits = tokenBudget <= 0 || totalTokens + tokens <= tokenBudget;
		if (!fits && !(isSummary && totalTokens < tokenBudget * 0.9)) break;
		included.push({ seq, ...(edit === undefined ? {} : { edit: edit.seq }) });
		totalTokens += tokens;
		if (!fits) break;
	}
	return { included: included.reverse(), totalTokens, fileSeqs: fileSeqs.sort((a, b) => a - b) };
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

/** The messages that the summary reads. `bodies` holds the included entries and their edits. */
export function branchSummaryMessages(plan: BranchSummaryPlan, bodies: Bodies): JsonRecord[] {
	return plan.included.flatMap(({ seq, edit }) => {
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
