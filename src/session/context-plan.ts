import { pathTo } from "./branch.ts";
import { stringOf } from "./entry.ts";
import { roleOfKind } from "./kind.ts";
import type { SessionIndex } from "./session-index.ts";

export interface ContextModel {
	readonly provider?: string;
	readonly modelId?: string;
}

/** One entry of a context. */
export interface PlannedEntry {
	readonly seq: number;
	/** The context edit that counts for it. */
	readonly edit?: { readonly seq: number; readonly omits: boolean };
	/** It gives messages; `none`: it never does, or is edited out, or is an older compaction. */
	readonly gives: "messages" | "none";
}

/** What the context of a leaf consists of, as far as the index tells. */
export interface ContextPlan {
	/** The whole path, root first. */
	readonly path: readonly number[];
	/** The context entries, in order: the latest compaction of the path first, if there is one. */
	readonly entries: readonly PlannedEntry[];
	readonly thinkingLevel: string;
	readonly model: ContextModel | null;
}

/** The plan of an empty context. */
const emptyPlan: ContextPlan = { path: [], entries: [], thinkingLevel: "off", model: null };

/** Plans the context of `from`, or of the leaf where it is undefined. Undefined where no entry has that id. */
export function planContext(index: SessionIndex, from?: string | null): ContextPlan | undefined {
	const id = from === undefined ? index.head : from;
	if (id === null) return emptyPlan;
	const seq = index.seqOf(id);
	return seq === undefined ? undefined : planPath(index, pathTo(index, seq));
}

/** Plans the context of a path, root first. */
export function planPath(index: SessionIndex, path: readonly number[]): ContextPlan {
	const selected = contextEntries(index, path);
	const edits = latestEdits(index, selected);
	const entries = selected.map((seq, place): PlannedEntry => {
		const edit = edits.get(index.id(seq));
		const visible = givesMessages(index, seq, place) && edit?.omits !== true;
		return { seq, ...(edit === undefined ? {} : { edit }), gives: visible ? "messages" : "none" };
	});
	return { path, entries, thinkingLevel: thinkingLevel(index, path), model: model(index, path) };
}

/** The latest compaction, what it kept but for system messages, and all after it; or the whole path. */
function contextEntries(index: SessionIndex, path: readonly number[]): readonly number[] {
	const place = path.findLastIndex((seq) => index.kind(seq) === "compaction");
	const compaction = path[place];
	if (compaction === undefined) return path;
	const kept = stringOf(index.meta(compaction).f);
	const keptSeq = kept === undefined ? undefined : index.seqOf(kept);
	const start = keptSeq === undefined ? -1 : path.indexOf(keptSeq);
	const tail = start < 0 ? [] : path.slice(start, place);
	return [compaction, ...tail.filter((seq) => index.kind(seq) !== "m.system"), ...path.slice(place + 1)];
}

function latestEdits(
	index: SessionIndex,
	selected: readonly number[],
): Map<string, { seq: number; omits: boolean }> {
	const edits = new Map<string, { seq: number; omits: boolean }>();
	for (const seq of selected) {
		if (index.kind(seq) !== "context_edit") continue;
		const meta = index.meta(seq);
		const target = stringOf(meta.t);
		if (target !== undefined) edits.set(target, { seq, omits: meta.o === 1 });
	}
	return edits;
}

function givesMessages(index: SessionIndex, seq: number, place: number): boolean {
	const kind = index.kind(seq);
	if (kind === "compaction") return place === 0;
	if (kind === "branch_summary") return index.meta(seq).k !== undefined;
	return kind === "custom_message" || roleOfKind(kind) !== undefined;
}

/** The last change of the path, "off" where there is none. */
function thinkingLevel(index: SessionIndex, path: readonly number[]): string {
	for (let place = path.length - 1; place >= 0; place--) {
		const seq = path[place] ?? 0;
		if (index.kind(seq) !== "thinking_level_change") continue;
		const level = stringOf(index.meta(seq).h);
		if (level !== undefined) return level;
	}
	return "off";
}

/** That of the last model change or assistant message of the path. */
function model(index: SessionIndex, path: readonly number[]): ContextModel | null {
	for (let place = path.length - 1; place >= 0; place--) {
		const seq = path[place] ?? 0;
		const kind = index.kind(seq);
		if (kind !== "model_change" && kind !== "m.assistant") continue;
		const named = index.meta(seq).m;
		const [provider, modelId] = Array.isArray(named) ? named.map(stringOf) : [];
		return {
			...(provider === undefined ? {} : { provider }),
			...(modelId === undefined ? {} : { modelId }),
		};
	}
	return null;
}

/** The seqs whose bodies a view of the context needs, in order. `entries` needs them all. */
export function neededSeqs(plan: ContextPlan, view: "messages" | "entries" | "projection"): number[] {
	if (view === "entries") return plan.entries.map((planned) => planned.seq);
	const needed = new Set<number>();
	for (const planned of plan.entries) {
		if (planned.gives === "none") continue;
		needed.add(planned.seq);
		if (planned.edit !== undefined) needed.add(planned.edit.seq);
	}
	return [...needed].sort((one, other) => one - other);
}
