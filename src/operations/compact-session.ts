import type { LogView } from "../log/log.ts";
import { liveContextTokens, planCompaction, planCompactionAt } from "../session/compaction.ts";
import type { PlannedEntry } from "../session/context-plan.ts";
import { type Entry, type FixedEntry, isRecord } from "../session/entry.ts";
import { equalJson } from "../session/equal-json.ts";
import { entryOf } from "../session/record.ts";
import { sameContent } from "../session/same-content.ts";
import type { Call } from "./call.ts";
import type { WriteTo } from "./navigate-tree.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { nothingToCompact } from "./plan-compaction.ts";
import {
	type Draft,
	earlierWrite,
	type PlannedEntries,
	type PlannedWrite,
	unmetIn,
	writePlanned,
} from "./planned-write.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { type MadeSummary, noSummarizer, summarizeHistory } from "./summarize.ts";
import { versionAt } from "./version.ts";

/** How often a context that changes while it is summarized is summarized anew. */
const mostRounds = 3;

export interface CompactRequest {
	/** The caller's own; the summarizer writes one unless given. */
	readonly summary?: string;
	/** Where what is kept begins; null keeps nothing. Unless given it follows from `keepRecentTokens`. */
	readonly firstKeptEntryId?: string | null;
	readonly tokensBefore?: number;
	readonly details?: unknown;
	readonly keepRecentTokens?: number;
	readonly customInstructions?: string;
}

export interface Compacted {
	/** The line of the `compaction` entry, and its id. */
	readonly entry: Uint8Array;
	readonly entryId: string;
	readonly seq: number;
}

/**
 * Puts a compaction at the leaf. It is decided against the context that it commits on: what the summarizer summed up
 * must still be just what the compaction hides, else it is asked again.
 */
export async function compactSession(
	call: Call,
	to: WriteTo,
	request: CompactRequest,
): Promise<Outcome<Compacted>> {
	const { summary, keepRecentTokens, customInstructions } = request;
	const write = {
		...to,
		request: { by: "compactSession", keepRecentTokens, customInstructions },
		isSame: async (_view: LogView, { line }: PlannedEntries) => isRepeat(entryOf(line), request),
	};
	if (summary === undefined) return summarizeAndCompact(call, write, request);
	const outcome = await writePlanned<never>(call, {
		...write,
		plan: (view, draft) => {
			let { firstKeptEntryId } = request;
			if (firstKeptEntryId === undefined) {
				firstKeptEntryId = planCompaction(view, request.keepRecentTokens)?.firstKeptEntryId;
				if (firstKeptEntryId === undefined) return nothingToCompact;
			}
			const own = { text: summary, details: request.details };
			const entry = compactionEntry(view, draft, firstKeptEntryId, own, request.tokensBefore);
			return { kind: "entries", entries: [entry] };
		},
	});
	if (outcome.kind === "aside") return outcome.aside;
	return outcome.kind === "refused" ? outcome : compacted(outcome.view, outcome);
}

async function summarizeAndCompact(
	call: Call,
	write: WriteTo & Pick<PlannedWrite<never>, "request" | "isSame">,
	request: CompactRequest,
): Promise<Outcome<Compacted>> {
	for (let round = 0; round < mostRounds; round++) {
		const opened = await openSession(call, write.id, "bodies");
		if (opened.kind === "refused") return opened;
		const { view } = opened;
		const earlier = await earlierWrite(view, write);
		if (earlier) return earlier.kind === "refused" ? earlier : compacted(view, earlier);
		const unmet = unmetIn(view, write.ifMatch);
		if (unmet) return unmet;
		if (call.summarizer === undefined) return noSummarizer;

		const cut = plannedCut(view, request);
		if (cut.kind === "refused") return cut;
		const made = await summarizeHistory(call, view, cut, request);
		if (made.kind === "refused") return made;
		const outcome = await writePlanned<"changed">(call, {
			...write,
			plan: (now, draft) => {
				if (!stillHidden(now, cut)) return { kind: "aside", aside: "changed" };
				const summary = withDetails(made, request.details);
				const entry = compactionEntry(now, draft, cut.firstKept, summary, request.tokensBefore);
				return { kind: "entries", entries: [entry] };
			},
		});
		if (outcome.kind === "written") return compacted(outcome.view, outcome);
		if (outcome.kind === "refused") return outcome;
	}
	return refuse("conflict", "The context changed each time while it was summarized; nothing was stored");
}

/** Whether what is given now is what was written then. */
function isRepeat(
	stored: Entry,
	{ summary, firstKeptEntryId, tokensBefore, details }: CompactRequest,
): boolean {
	const given = { type: "compaction", summary, firstKeptEntryId, tokensBefore };
	if (!sameContent(given, stored)) return false;
	if (details === undefined || equalJson(details, stored.details)) return true;
	// Lists of files may have been put beside the caller's own details.
	const { details: kept } = stored;
	if (summary !== undefined || !isRecord(details) || !isRecord(kept)) return false;
	return Object.keys(details).every((field) => equalJson(details[field], kept[field]));
}

interface Cut {
	readonly kind: "cut";
	/** Null keeps nothing. */
	readonly firstKept: string | null;
	readonly toSummarize: readonly PlannedEntry[];
	readonly turnPrefix: readonly PlannedEntry[];
	readonly previous?: number;
}

/** Where to cut what the summarizer is to sum up. */
function plannedCut(view: LogView, { firstKeptEntryId, keepRecentTokens }: CompactRequest): Cut | Refusal {
	if (firstKeptEntryId === undefined) {
		const plan = planCompaction(view, keepRecentTokens);
		return plan === undefined ? nothingToCompact : { ...plan, kind: "cut", firstKept: plan.firstKeptEntryId };
	}
	const plan = planCompactionAt(view, firstKeptEntryId);
	if (plan === undefined) return nothingToCompact;
	if (plan !== "elsewhere") return { ...plan, kind: "cut", firstKept: firstKeptEntryId };
	const known = firstKeptEntryId !== null && view.seqOf(firstKeptEntryId) !== undefined;
	return known
		? refuse(
				"unprocessable",
				`The entry ${firstKeptEntryId} is not in the live context, so it cannot be kept`,
			)
		: refuse("not_found", `The session has no entry ${firstKeptEntryId} (firstKeptEntryId)`);
}

/** Whether a compaction that keeps from the cut on would hide just what was summed up. */
function stillHidden(view: LogView, cut: Cut): boolean {
	const plan = planCompactionAt(view, cut.firstKept);
	if (plan === undefined || plan === "elsewhere") return false;
	const summedUp = [...cut.toSummarize, ...cut.turnPrefix];
	return (
		plan.previous === cut.previous &&
		plan.toSummarize.length === summedUp.length &&
		plan.toSummarize.every(({ seq, edit }, at) => {
			const other = summedUp[at];
			return seq === other?.seq && edit?.seq === other.edit?.seq;
		})
	);
}

type Summary = Pick<MadeSummary, "text" | "usage"> & { readonly details?: unknown };

/** The caller's own details count before the lists of files. */
function withDetails({ text, usage, details }: MadeSummary, given: unknown): Summary {
	const own = isRecord(given) ? { ...details, ...given } : (given ?? details);
	return { text, details: own, ...(usage && { usage }) };
}

function compactionEntry(
	view: LogView,
	{ timestamp, newId }: Draft,
	firstKeptEntryId: string | null,
	{ text, details, usage }: Summary,
	tokensBefore = liveContextTokens(view),
): FixedEntry {
	return {
		type: "compaction",
		id: newId(),
		timestamp,
		summary: text,
		firstKeptEntryId,
		tokensBefore,
		...(details !== undefined && { details }),
		...(usage && { usage }),
	};
}

function compacted(view: LogView, { last, line, replayed }: PlannedEntries): Outcome<Compacted> {
	return done({ entry: line, entryId: view.id(last), seq: last }, versionAt(view, last), replayed);
}
