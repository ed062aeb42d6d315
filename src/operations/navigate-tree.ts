import type { LogView } from "../log/log.ts";
import type { FixedEntry } from "../session/entry.ts";
import {
	type BranchSummary,
	type Navigation,
	navigationEntries,
	planNavigation,
} from "../session/navigation.ts";
import { entryOf } from "../session/record.ts";
import { sameContent } from "../session/same-content.ts";
import { IndexOverlay } from "../session/session-index.ts";
import type { SummaryWishes } from "../session/summary-prompt.ts";
import type { Call } from "./call.ts";
import { headAt } from "./earlier-request.ts";
import { editorTextOf } from "./editor-text.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { refusalOfProblem } from "./place-records.ts";
import {
	type Draft,
	earlierWrite,
	type Planned,
	type PlannedEntries,
	type PlannedWrite,
	unmetIn,
	writePlanned,
} from "./planned-write.ts";
import { refuse } from "./refusal.ts";
import { noSummarizer, summarizeBranch } from "./summarize.ts";
import { type Precondition, versionAt, versionOf } from "./version.ts";

/** How often a branch that changes while it is summarized is summarized anew. */
const mostRounds = 3;

export interface NavigateRequest extends SummaryWishes {
	readonly targetId: string;
	/** The caller's summary of what is left behind. */
	readonly summary?: BranchSummary;
	/** The summarizer is to write one. */
	readonly summarize?: boolean;
	readonly label?: string;
}

export interface Navigated {
	readonly leafId: string | null;
	readonly editorText?: string;
	/** The line of the `branch_summary` entry, where one was written. */
	readonly summaryEntry?: Uint8Array;
	readonly commonAncestorId: string | null;
	readonly seq: number;
}

export interface WriteTo {
	readonly id: string;
	readonly key?: string;
	readonly ifMatch?: Precondition;
}

/**
 * Moves the leaf to a target, in one commit with the summary of what is left and the label. It is decided against
 * the leaf that it commits on: a summary that the summarizer made for another state is never stored.
 */
export async function navigateTree(
	call: Call,
	to: WriteTo,
	request: NavigateRequest,
): Promise<Outcome<Navigated>> {
	const { summary: _summary, label: _label, ...unseen } = request;
	const write = {
		...to,
		request: { by: "navigateTree", ...unseen },
		isSame: (view: LogView, written: PlannedEntries) => isRepeat(view, written, request),
	};
	if (request.summarize) return summarizeAndNavigate(call, write, request);
	const outcome = await writePlanned<"stay">(call, {
		...write,
		plan: (view, draft) => {
			const move = planNavigation(view, request.targetId);
			return entriesOf(move, draft, { ...request, keyed: to.key !== undefined });
		},
	});
	if (outcome.kind === "refused") return outcome;
	if (outcome.kind === "aside") return stayed(outcome.view, request);
	return navigated(outcome.view, outcome, request);
}

async function summarizeAndNavigate(
	call: Call,
	write: WriteTo & Pick<PlannedWrite<never>, "request" | "isSame">,
	request: NavigateRequest,
): Promise<Outcome<Navigated>> {
	const { summary: _none, ...wishes } = request;
	for (let round = 0; round < mostRounds; round++) {
		const opened = await openSession(call, write.id, "bodies");
		if (opened.kind === "refused") return opened;
		const { view } = opened;
		const earlier = await earlierWrite(view, write);
		if (earlier?.kind === "refused") return earlier;
		if (earlier) return navigated(view, earlier, request);
		const unmet = unmetIn(view, write.ifMatch);
		if (unmet) return unmet;
		if (call.summarizer === undefined) return noSummarizer;

		const seen = planNavigation(view, request.targetId);
		if (seen.kind === "problem") return refusalOfProblem(seen.problem);
		const left = seen.kind === "move" ? seen.toSummarize : [];
		const summary = await summarizeBranch(call, view, left, wishes);
		if (summary?.kind === "refused") return summary;
		const given = summary && { text: summary.text, details: summary.details, usage: summary.usage };
		const outcome = await writePlanned<"stay" | "changed">(call, {
			...write,
			plan: (now, draft) => {
				const move = planNavigation(now, request.targetId);
				if (!isSame(seen, move)) return { kind: "aside", aside: "changed" };
				const keyed = write.key !== undefined;
				return entriesOf(move, draft, { ...wishes, keyed, ...(given && { summary: given }) });
			},
		});
		if (outcome.kind === "refused") return outcome;
		if (outcome.kind === "written") return navigated(outcome.view, outcome, request);
		if (outcome.aside === "stay") return stayed(outcome.view, request);
	}
	return refuse(
		"conflict",
		"The branch that is left changed each time while it was summarized; nothing was stored",
	);
}

/** Whether the summary and the label that are given now are those that were written then. */
async function isRepeat(
	view: LogView,
	{ first, last, line }: PlannedEntries,
	{ targetId, summary, label }: NavigateRequest,
): Promise<boolean> {
	// The leaf was there already: neither was written.
	if (headAt(view, first - 1) === targetId) return true;
	if (summary !== undefined) {
		const { text, ...rest } = summary;
		const summed = view.kind(first) === "branch_summary";
		if (summed !== (text !== "")) return false;
		if (summed && !sameContent({ type: "branch_summary", summary: text, ...rest }, entryOf(line)))
			return false;
	}
	if (label === undefined) return true;
	const stored = view.kind(last) === "label" ? view.meta(last).l : undefined;
	return label.trim() === "" ? stored === undefined : stored === label;
}

/** Whether a summary of what the one navigation leaves behind is one of what the other does. */
function isSame(one: Navigation, other: Navigation): boolean {
	if (one.kind !== "move" || other.kind !== "move") return one.kind === other.kind;
	return (
		one.oldLeafId === other.oldLeafId &&
		one.newLeafId === other.newLeafId &&
		one.toSummarize.length === other.toSummarize.length &&
		one.toSummarize.every((seq, at) => seq === other.toSummarize[at])
	);
}

/** What a navigation writes. A request with a key leaves its mark even where the leaf stays. */
function entriesOf(
	move: Navigation,
	draft: Draft,
	request: Pick<NavigateRequest, "summary" | "label"> & { readonly keyed: boolean },
): Planned<"stay"> {
	if (move.kind === "problem") return refusalOfProblem(move.problem);
	const entries = move.kind === "move" ? navigationEntries(move, { ...request, ...draft }) : [];
	if (entries.length > 0) return { kind: "entries", entries };
	if (!request.keyed) return { kind: "aside", aside: "stay" };
	const targetId = move.kind === "move" ? move.newLeafId : move.leafId;
	const mark: FixedEntry = { type: "leaf", id: draft.newId(), timestamp: draft.timestamp, targetId };
	return { kind: "entries", entries: [mark] };
}

async function stayed(view: LogView, { targetId }: NavigateRequest): Promise<Outcome<Navigated>> {
	return done(
		{ ...(await fromLeaf(view, view.head, targetId)), leafId: view.head, seq: view.length },
		versionOf(view),
	);
}

/** The answer to a navigation that was written, now or earlier: the same, whatever was written after it. */
async function navigated(
	view: LogView,
	{ first, last, line, replayed }: PlannedEntries,
	{ targetId }: NavigateRequest,
): Promise<Outcome<Navigated>> {
	return done(
		{
			...(await fromLeaf(view, headAt(view, first - 1), targetId)),
			leafId: headAt(view, last),
			...(view.kind(first) === "branch_summary" && { summaryEntry: line }),
			seq: last,
		},
		versionAt(view, last),
		replayed,
	);
}

/** What a navigation to a target meant where the leaf was here. */
async function fromLeaf(
	view: LogView,
	leafId: string | null,
	targetId: string,
): Promise<Pick<Navigated, "commonAncestorId" | "editorText">> {
	const index = new IndexOverlay(view);
	index.moveHead(leafId);
	const move = planNavigation(index, targetId);
	if (move.kind !== "move") return { commonAncestorId: move.kind === "stay" ? move.leafId : null };
	const editorText = await editorTextOf(view, move);
	return { commonAncestorId: move.commonAncestorId, ...(editorText !== undefined && { editorText }) };
}
