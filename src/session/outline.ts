import type { ContextPlan, PlannedEntry } from "./context-plan.ts";
import { isRecord } from "./entry.ts";
import { isMessageKind, roleOfKind } from "./kind.ts";
import type { SessionIndex } from "./session-index.ts";
import type { Meta } from "./summary.ts";
import { replayedTokens, type SystemDigest } from "./system-digest.ts";
import { unpackUsage } from "./usage.ts";

/** What a context entry gives the model, without its text. */
export interface OutlineEntry extends PlannedEntry {
	readonly kind: string;
	readonly messages: readonly OutlineMessage[];
}

export interface OutlineMessage {
	readonly role: string;
	/** Estimated, edits applied. */
	readonly tokens: number;
}

/** The outline of each entry of a context, in order. */
export function outline(index: SessionIndex, plan: ContextPlan): OutlineEntry[] {
	return plan.entries.map((planned) => {
		const kind = index.kind(planned.seq);
		const messages = planned.gives === "none" ? [] : outlineMessages(index, planned, kind);
		return { ...planned, kind, messages };
	});
}

function outlineMessages(index: SessionIndex, planned: PlannedEntry, kind: string): OutlineMessage[] {
	const meta = index.meta(planned.seq);
	if (kind === "compaction") {
		const summary = { role: "compactionSummary", tokens: tokens(meta.k) };
		const system = digestOf(meta);
		return system === undefined ? [summary] : [{ role: "system", tokens: system.k }, summary];
	}
	const role = contextRole(kind);
	return role === undefined ? [] : [{ role, tokens: editedTokens(index, role, meta, planned.edit?.seq) }];
}

/** The role of the message that an entry of this kind gives, but for compactions. */
export function contextRole(kind: string): string | undefined {
	if (kind === "custom_message") return "custom";
	if (kind === "branch_summary") return "branchSummary";
	return roleOfKind(kind);
}

const editable = new Set(["user", "assistant", "toolResult", "custom"]);

/** Estimated tokens of an entry's message, with the content of an edit where it has one. */
export function editedTokens(
	index: SessionIndex,
	role: string,
	meta: Meta,
	editSeq: number | undefined,
): number {
	if (editSeq === undefined || !editable.has(role)) return tokens(meta.k);
	const edit = index.meta(editSeq);
	return tokens(role === "assistant" ? (edit.ka ?? edit.k) : edit.k);
}

function tokens(value: unknown): number {
	return typeof value === "number" ? value : 0;
}

function digestOf(meta: Meta): SystemDigest | undefined {
	return isRecord(meta.y) ? (meta.y as SystemDigest) : undefined;
}

/** True where the entry by itself gives messages, whatever edits and its place in the context make of it. */
export function isVisible(index: SessionIndex, seq: number): boolean {
	const kind = index.kind(seq);
	if (kind === "branch_summary") return index.meta(seq).k !== undefined;
	return kind === "compaction" || kind === "custom_message" || (isMessageKind(kind) && kind !== "m");
}

/**
 * Tokens of a context: what the last response reported, plus estimates of what follows it. Where there is no such
 * report, or it is older than the path's last edit or compaction: estimates of all, system messages replayed.
 */
export function contextTokens(
	index: SessionIndex,
	plan: ContextPlan,
	entries: readonly OutlineEntry[] = outline(index, plan),
): number {
	return reportedTokens(index, plan, entries) ?? estimatedTokens(index, entries);
}

function reportedTokens(
	index: SessionIndex,
	plan: ContextPlan,
	entries: readonly OutlineEntry[],
): number | undefined {
	const changes = (seq: number) => index.kind(seq) === "context_edit" || index.kind(seq) === "compaction";
	const lastChange = plan.path.findLastIndex(changes);
	let trailing = 0;
	for (let place = entries.length - 1; place >= 0; place--) {
		const entry = entries[place];
		if (entry === undefined) break;
		const reported = entry.messages.length > 0 ? responseTokens(index, entry) : 0;
		if (reported > 0) {
			return plan.path.lastIndexOf(entry.seq) > lastChange ? reported + trailing : undefined;
		}
		for (const message of entry.messages) trailing += message.tokens;
	}
	return undefined;
}

/** Context tokens that an assistant message reports; 0 where it isn't one, or failed. */
function responseTokens(index: SessionIndex, entry: OutlineEntry): number {
	if (entry.kind !== "m.assistant") return 0;
	const meta = index.meta(entry.seq);
	if (meta.s === "aborted" || meta.s === "error") return 0;
	return unpackUsage(meta.u)?.contextTokens ?? 0;
}

function estimatedTokens(index: SessionIndex, entries: readonly OutlineEntry[]): number {
	const digests: SystemDigest[] = [];
	let sum = 0;
	for (const entry of entries) {
		for (const message of entry.messages) {
			if (message.role !== "system") sum += message.tokens;
			else digests.push(digestOf(index.meta(entry.seq)) ?? { k: message.tokens });
		}
	}
	return replayedTokens(digests) + sum;
}
