import { type ContextPlan, type PlannedEntry, planContext } from "./context-plan.ts";
import { contextTokens, isVisible, type OutlineEntry, outline } from "./outline.ts";
import type { SessionIndex } from "./session-index.ts";

/** Tokens kept after a compaction, and kept free for the next response, unless asked otherwise. */
export const defaultKeepRecentTokens = 20_000;
export const defaultReserveTokens = 16_384;

export interface CompactionPlan {
	readonly firstKeptEntryId: string;
	readonly tokensBefore: number;
	/** The entries whose messages go into the summary, in order. */
	readonly toSummarize: readonly PlannedEntry[];
	/** The cut is inside a turn: the entries of its beginning, which get a summary of their own. */
	readonly turnPrefix: readonly PlannedEntry[];
	readonly isSplitTurn: boolean;
	/** The compaction whose summary is to be carried on. */
	readonly previous?: number;
}

/**
 * Where to cut the live context so that about `keepRecentTokens` stay, and what is to be summarized.
 * Undefined where there is nothing to compact: the branch ends in a compaction, or all of it would be kept.
 */
export function planCompaction(
	index: SessionIndex,
	keepRecentTokens = defaultKeepRecentTokens,
	from?: string | null,
): CompactionPlan | undefined {
	const plan = planContext(index, from);
	const last = plan?.path.at(-1);
	if (plan === undefined || last === undefined || index.kind(last) === "compaction") return undefined;
	const entries = outline(index, plan);
	const previous = previousIn(entries);
	const start = previous === undefined ? 0 : 1;
	const cut = cutPoint(index, entries, start, keepRecentTokens);
	const kept = entries[cut.place];
	if (kept === undefined) return undefined;
	const toSummarize = entries.slice(start, cut.turnStart ?? cut.place).filter(isSummarizable);
	const turnPrefix =
		cut.turnStart === undefined ? [] : entries.slice(cut.turnStart, cut.place).filter(isSummarizable);
	if (toSummarize.length === 0 && turnPrefix.length === 0) return undefined;
	return {
		firstKeptEntryId: index.id(kept.seq),
		tokensBefore: contextTokens(index, plan, entries),
		toSummarize,
		turnPrefix,
		isSplitTurn: cut.turnStart !== undefined,
		...(previous === undefined ? {} : { previous }),
	};
}

/**
 * What is to be summarized where the live context shall be kept from a given entry on (null: nothing of it), all in
 * one summary. `elsewhere`: the entry isn't in the live context. Undefined where there is nothing to summarize.
 */
export function planCompactionAt(
	index: SessionIndex,
	firstKeptEntryId: string | null,
): Omit<CompactionPlan, "firstKeptEntryId"> | "elsewhere" | undefined {
	const plan = planContext(index);
	if (plan === undefined) return undefined;
	const entries = outline(index, plan);
	const previous = previousIn(entries);
	const start = previous === undefined ? 0 : 1;
	const place =
		firstKeptEntryId === null
			? entries.length
			: entries.findIndex(({ seq }) => index.id(seq) === firstKeptEntryId);
	if (place < 0) return "elsewhere";
	const toSummarize = entries.slice(start, place).filter(isSummarizable);
	if (toSummarize.length === 0) return undefined;
	return {
		tokensBefore: contextTokens(index, plan, entries),
		toSummarize,
		turnPrefix: [],
		isSplitTurn: false,
		...(previous === undefined ? {} : { previous }),
	};
}

/** The compaction that a context begins with. An older one in the kept range gives nothing. */
function previousIn(entries: readonly OutlineEntry[]): number | undefined {
	const first = entries[0];
	return first?.kind === "compaction" && first.messages.length > 0 ? first.seq : undefined;
}

function isSummarizable(entry: OutlineEntry): boolean {
	return entry.kind !== "compaction" && entry.messages.some((message) => message.role !== "system");
}

/** Tokens of the live context, or of that of `from`; 0 where there is no such entry. */
export function liveContextTokens(index: SessionIndex, from?: string | null): number {
	const plan: ContextPlan | undefined = planContext(index, from);
	return plan === undefined ? 0 : contextTokens(index, plan);
}

const startsTurn = new Set(["user", "bashExecution", "custom", "branchSummary", "compactionSummary"]);
const cutsAt = new Set([...startsTurn, "assistant"]);

function has(entry: OutlineEntry | undefined, roles: ReadonlySet<string>): boolean {
	if (entry === undefined || entry.kind === "compaction") return false;
	return entry.messages.some((message) => roles.has(message.role));
}

function tokensOfEntry(entry: OutlineEntry | undefined): number {
	return entry?.messages.reduce((sum, message) => sum + message.tokens, 0) ?? 0;
}

interface Cut {
	/** The first kept entry. */
	readonly place: number;
	/** Where the turn begins that the cut splits. */
	readonly turnStart?: number;
}

/**
 * From the end back until the estimates reach what is to be kept; from there the next place where a cut is allowed,
 * which is never at a tool result or a system message; then back over entries that show nothing.
 */
function cutPoint(index: SessionIndex, entries: readonly OutlineEntry[], start: number, keep: number): Cut {
	const allowed: number[] = [];
	for (let place = start; place < entries.length; place++)
		if (has(entries[place], cutsAt)) allowed.push(place);
	const [first] = allowed;
	if (first === undefined) return { place: start };
	let place = first;
	let tokens = 0;
	for (let at = entries.length - 1; at >= start; at--) {
		const size = tokensOfEntry(entries[at]);
		if (size === 0) continue;
		tokens += size;
		if (tokens < keep) continue;
		place = allowed.find((candidate) => candidate >= at) ?? allowed.at(-1) ?? first;
		if (onlyOmittedAttemptsFollow(index, entries, place)) place++;
		break;
	}
	while (place > start && isSilent(entries[place - 1])) place--;
	if (has(entries[place], startsTurn)) return { place };
	for (let at = place; at >= start; at--) if (has(entries[at], startsTurn)) return { place, turnStart: at };
	return { place };
}

function isSilent(entry: OutlineEntry | undefined): boolean {
	return entry !== undefined && entry.kind !== "compaction" && entry.messages.length === 0;
}

/**
 * True where nothing is visible after a place but what edits took out, an assistant's failed attempt among it: then
 * the cut may go behind the place. An edit in there that changes something before the place forbids it.
 */
function onlyOmittedAttemptsFollow(
	index: SessionIndex,
	entries: readonly OutlineEntry[],
	place: number,
): boolean {
	const suffix = entries.slice(place + 1);
	const shows = (entry: OutlineEntry) => entry.kind !== "context_edit" && isVisible(index, entry.seq);
	const omitted = (entry: OutlineEntry) => shows(entry) && entry.messages.length === 0;
	if (!suffix.some((entry) => entry.kind === "m.assistant" && omitted(entry))) return false;
	if (!suffix.every((entry) => entry.kind !== "compaction" && (!shows(entry) || omitted(entry))))
		return false;
	const omittedIds = new Set(suffix.filter(omitted).map((entry) => index.id(entry.seq)));
	return !suffix.some((entry) => {
		if (entry.kind !== "context_edit") return false;
		const meta = index.meta(entry.seq);
		return meta.o !== 1 && !omittedIds.has(typeof meta.t === "string" ? meta.t : "");
	});
}
