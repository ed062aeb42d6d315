import type { LogView } from "../log/log.ts";
import {
	type BranchSummaryPlan,
	branchSummaryMessages,
	defaultSummaryTokens,
	planBranchSummary,
	type SummarizedEntry,
} from "../session/branch-summary.ts";
import type { CompactionPlan } from "../session/compaction.ts";
import { plannedMessages } from "../session/context.ts";
import type { PlannedEntry } from "../session/context-plan.ts";
import { conversationText } from "../session/conversation-text.ts";
import { stringOf } from "../session/entry.ts";
import { FileGatherer, type FileLists, fileListsText, withoutFileLists } from "../session/file-lists.ts";
import {
	branchSummaryPrompt,
	compactionPrompt,
	type SummaryWishes,
	splitTurnSummary,
	summarizerRole,
	turnPrefixPrompt,
} from "../session/summary-prompt.ts";
import type { SummaryOutcome, SummaryUsage, UnavailableReason } from "../summarizer/summarizer.ts";
import { bodyWaves } from "./body-waves.ts";
import type { Call } from "./call.ts";
import { type Refusal, refuse } from "./refusal.ts";

/** A summary as an entry holds it. */
export interface MadeSummary {
	readonly kind: "summary";
	readonly text: string;
	readonly details: FileLists;
	readonly usage?: SummaryUsage;
}

/** No model was set up to write summaries. */
export const noSummarizer = refuse("not_configured", "No summarizer is configured");

/** Sums up a branch that is left. Undefined where nothing in it says anything. */
export async function summarizeBranch(
	call: Call,
	view: LogView,
	seqs: readonly number[],
	wishes: SummaryWishes,
): Promise<MadeSummary | Refusal | undefined> {
	const plan = planBranchSummary(view, seqs, defaultSummaryTokens);
	if (plan.included.length === 0) return undefined;
	const texts: string[] = [];
	for await (const { items, bodies } of bodyWaves(view, plan.included, seqsOf)) {
		texts.push(conversationText(branchSummaryMessages(items, bodies)));
	}
	const details = await filesOf(view, plan);
	const made = await ask(call, branchSummaryPrompt(textOf(texts), wishes));
	if (made.kind === "refused") return made;
	return summaryOf(made.text, details, made.usage);
}

function seqsOf({ seq, edit }: SummarizedEntry): readonly number[] {
	return edit === undefined ? [seq] : [seq, edit];
}

async function filesOf(view: LogView, plan: BranchSummaryPlan): Promise<FileLists> {
	const files = new FileGatherer();
	for await (const { items, bodies } of bodyWaves(view, plan.files, seqsOf)) {
		for (const item of items) {
			const entry = bodies.get(item.seq);
			if (entry?.type === "branch_summary") files.summary(entry);
			else for (const message of branchSummaryMessages([item], bodies)) files.message(message);
		}
	}
	return files.lists();
}

/** Sums up the older part of a context, an earlier summary and the beginning of a split turn included. */
export async function summarizeHistory(
	call: Call,
	view: LogView,
	plan: Pick<CompactionPlan, "toSummarize" | "turnPrefix" | "previous">,
	wishes: SummaryWishes,
): Promise<MadeSummary | Refusal> {
	const files = new FileGatherer();
	let previousSummary: string | undefined;
	if (plan.previous !== undefined) {
		for await (const { bodies } of bodyWaves(view, [plan.previous], (seq) => [seq])) {
			for (const entry of bodies.values()) {
				files.summary(entry);
				previousSummary = withoutFileLists(stringOf(entry.summary) ?? "", entry.details);
			}
		}
	}
	const history = await conversationOf(view, plan.toSummarize, files);
	const turn = await conversationOf(view, plan.turnPrefix, files);
	const carried = { ...wishes, ...(previousSummary ? { previousSummary } : {}) };
	const [ofHistory, ofTurn] = await Promise.all([
		history === undefined ? undefined : ask(call, compactionPrompt(history, carried)),
		turn === undefined ? undefined : ask(call, turnPrefixPrompt(turn, wishes)),
	]);
	if (ofHistory?.kind === "refused") return ofHistory;
	if (ofTurn?.kind === "refused") return ofTurn;
	const before = ofHistory?.text ?? previousSummary;
	const text = ofTurn === undefined ? (before ?? "") : splitTurnSummary(before, ofTurn.text);
	return summaryOf(text, files.lists(), sumOf(ofHistory?.usage, ofTurn?.usage));
}

/** The text of these entries' messages; undefined where there are none. Notes the files that they touched. */
async function conversationOf(
	view: LogView,
	entries: readonly PlannedEntry[],
	files: FileGatherer,
): Promise<string | undefined> {
	if (entries.length === 0) return undefined;
	const texts: string[] = [];
	const needs = ({ seq, edit }: PlannedEntry) => (edit === undefined ? [seq] : [seq, edit.seq]);
	for await (const { items, bodies } of bodyWaves(view, entries, needs)) {
		const messages = items.flatMap((planned) => plannedMessages(planned, bodies));
		for (const message of messages) files.message(message);
		texts.push(conversationText(messages));
	}
	return textOf(texts);
}

function textOf(parts: readonly string[]): string {
	return parts.filter((part) => part !== "").join("\n\n");
}

function summaryOf(text: string, details: FileLists, usage: SummaryUsage | undefined): MadeSummary {
	return { kind: "summary", text: text + fileListsText(details), details, ...(usage && { usage }) };
}

async function ask(
	call: Call,
	prompt: string,
): Promise<Extract<SummaryOutcome, { kind: "summary" }> | Refusal> {
	if (call.summarizer === undefined) return noSummarizer;
	const outcome = await call.summarizer.summarize({
		system: summarizerRole,
		prompt,
		...(call.signal && { signal: call.signal }),
	});
	if (outcome.kind === "summary") return outcome;
	const status = outcome.status === undefined ? "" : ` with status ${outcome.status}`;
	return refuse(
		"summarizer_unavailable",
		`The summarizer ${problems[outcome.reason]}${status}; nothing was stored`,
	);
}

const problems: { readonly [Reason in UnavailableReason]: string } = {
	aborted: "was stopped, since the caller left",
	timeout: "took too long",
	unreachable: "could not be reached, or broke off",
	rejected: "turned the request down",
	malformed: "answered in another way than agreed",
	truncated: "ran out of room for its answer",
	tool_call: "called a tool instead of answering",
	refused: "would not answer",
	empty: "answered with nothing",
};

function sumOf(one: SummaryUsage | undefined, other: SummaryUsage | undefined): SummaryUsage | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return {
		input: one.input + other.input,
		output: one.output + other.output,
		cacheRead: one.cacheRead + other.cacheRead,
		cacheWrite: one.cacheWrite + other.cacheWrite,
		totalTokens: one.totalTokens + other.totalTokens,
		cost: {
			input: one.cost.input + other.cost.input,
			output: one.cost.output + other.cost.output,
			cacheRead: one.cost.cacheRead + other.cost.cacheRead,
			cacheWrite: one.cost.cacheWrite + other.cost.cacheWrite,
			total: one.cost.total + other.cost.total,
		},
	};
}
