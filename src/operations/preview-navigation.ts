import { planBranchSummary } from "../session/branch-summary.ts";
import { planNavigation } from "../session/navigation.ts";
import type { Call } from "./call.ts";
import { editorTextOf } from "./editor-text.ts";
import { entryLines, type Lines } from "./entry-lines.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { refusalOfProblem } from "./place-records.ts";
import { versionOf } from "./version.ts";

export interface NavigationPreview {
	readonly oldLeafId: string | null;
	readonly newLeafId: string | null;
	readonly commonAncestorId: string | null;
	readonly editorText?: string;
	/** Root first. */
	readonly entriesToSummarize: Lines;
	readonly seq: number;
}

/**
 * What a navigation to a target would do. With a budget of tokens (0: no limit) only those of the entries left behind
 * that a summary would read.
 */
export async function previewNavigation(
	call: Call,
	request: { readonly id: string; readonly targetId: string; readonly tokenBudget?: number },
): Promise<Outcome<NavigationPreview>> {
	const opened = await openSession(call, request.id, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const plan = planNavigation(view, request.targetId);
	if (plan.kind === "problem") return refusalOfProblem(plan.problem);
	const version = versionOf(view);
	if (plan.kind === "stay") {
		const { leafId } = plan;
		const nowhere = { oldLeafId: leafId, newLeafId: leafId, commonAncestorId: leafId };
		return done({ ...nowhere, entriesToSummarize: { first: [] }, seq: view.length }, version);
	}
	const { tokenBudget } = request;
	const shown =
		tokenBudget === undefined
			? plan.toSummarize
			: planBranchSummary(view, plan.toSummarize, tokenBudget).included.map(({ seq }) => seq);
	const editorText = await editorTextOf(view, plan);
	return done(
		{
			oldLeafId: plan.oldLeafId,
			newLeafId: plan.newLeafId,
			commonAncestorId: plan.commonAncestorId,
			...(editorText !== undefined && { editorText }),
			entriesToSummarize: await entryLines(view, shown),
			seq: view.length,
		},
		version,
	);
}
