import { defaultReserveTokens, planCompaction } from "../session/compaction.ts";
import { entryOf } from "../session/record.ts";
import { shouldCompact } from "../session/tokens.ts";
import type { Call } from "./call.ts";
import { entryLines, type Lines } from "./entry-lines.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { refuse } from "./refusal.ts";
import { versionOf } from "./version.ts";

/** Tokens that a model can read, unless asked otherwise. */
export const defaultContextWindow = 128_000;

export const nothingToCompact = refuse("unprocessable", "There is nothing to compact");

export interface CompactionPreview {
	readonly shouldCompact: boolean;
	readonly firstKeptEntryId: string;
	readonly tokensBefore: number;
	/** In order. */
	readonly entriesToSummarize: Lines;
	readonly isSplitTurn: boolean;
	/** Where the cut splits a turn: the entries of its beginning. */
	readonly turnPrefixEntries?: Lines;
	readonly previousSummary?: string;
	readonly seq: number;
}

/** Where a compaction would cut the live context, and what its summary would be of. */
export async function previewCompaction(
	call: Call,
	request: {
		readonly id: string;
		readonly keepRecentTokens?: number;
		readonly contextWindow?: number;
		readonly reserveTokens?: number;
	},
): Promise<Outcome<CompactionPreview>> {
	const opened = await openSession(call, request.id, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const plan = planCompaction(view, request.keepRecentTokens);
	if (plan === undefined) return nothingToCompact;
	const window = request.contextWindow ?? defaultContextWindow;
	const reserve = request.reserveTokens ?? defaultReserveTokens;
	const seqs = (entries: typeof plan.toSummarize) => entries.map(({ seq }) => seq);
	const { previous } = plan;
	const line = previous === undefined ? undefined : (await view.bodies([previous])).get(previous);
	const previousSummary = line && entryOf(line).summary;
	return done(
		{
			shouldCompact: shouldCompact(plan.tokensBefore, window, reserve),
			firstKeptEntryId: plan.firstKeptEntryId,
			tokensBefore: plan.tokensBefore,
			entriesToSummarize: await entryLines(view, seqs(plan.toSummarize)),
			isSplitTurn: plan.isSplitTurn,
			...(plan.isSplitTurn && { turnPrefixEntries: await entryLines(view, seqs(plan.turnPrefix)) }),
			...(typeof previousSummary === "string" && { previousSummary }),
			seq: view.length,
		},
		versionOf(view),
	);
}
