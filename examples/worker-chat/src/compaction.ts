import { type CompactionPlan, type Entry, LeaflogError, type SessionClient, textOf } from "leaflog-client";
import { ask, type Model } from "./model.ts";

const instructions =
	"You get a part of a conversation. Write a summary with which it can be carried on without that part: what the user " +
	"wants, what was decided, facts and names that may be needed, what is still open. Answer with the summary alone.";

/**
 * Where a conversation nears what the model can read: has the older part summarized, which models are then sent in its
 * place. Nothing is removed. Where the session is no longer at `seq`, the next turn will see to it.
 */
export async function compactWhereDue(
	session: SessionClient,
	seq: number,
	model: Model,
	contextTokens: number,
): Promise<Entry | undefined> {
	try {
		const plan = await session.compactionPlan({
			contextWindow: contextTokens,
			reserveTokens: Math.floor(contextTokens / 8),
			keepRecentTokens: Math.floor(contextTokens / 4),
		});
		if (!plan.shouldCompact || plan.seq !== seq) return undefined;
		const read = await ask(model, [
			{ role: "system", content: instructions },
			{ role: "user", content: textOfPlan(plan) },
		]);
		const { text: summary } = await read();
		const { firstKeptEntryId, tokensBefore } = plan;
		const made = await session.compact({ summary, firstKeptEntryId, tokensBefore }, { ifMatch: seq });
		return made.entry;
	} catch (error) {
		// 422: there is nothing to summarize yet. 412: somebody has gone on.
		if (error instanceof LeaflogError && [412, 422].includes(error.status)) return undefined;
		throw error;
	}
}

function textOfPlan({ previousSummary, entriesToSummarize, turnPrefixEntries = [] }: CompactionPlan): string {
	const told = [...entriesToSummarize, ...turnPrefixEntries].flatMap((entry) =>
		entry.type === "message" ? [`${entry.message.role}: ${textOf(entry.message)}`] : [],
	);
	return [...(previousSummary ? [`Summary of what came before: ${previousSummary}`] : []), ...told].join(
		"\n\n",
	);
}
