import { ancestors } from "./ancestors.ts";
import type { AppendProblem } from "./append.ts";
import { type Entry, type FixedEntry, messageOf } from "./entry.ts";
import type { SessionIndex } from "./session-index.ts";
import { contentText } from "./text.ts";
import { treeParent } from "./tree-shape.ts";

/** What a navigation to a target does, as the index tells. */
export type Navigation =
	/** The target is the leaf: nothing happens. */
	| { readonly kind: "stay"; readonly leafId: string }
	| NavigationMove
	| { readonly kind: "problem"; readonly problem: AppendProblem };

export interface NavigationMove {
	readonly kind: "move";
	readonly oldLeafId: string | null;
	readonly newLeafId: string | null;
	readonly targetId: string;
	/** The deepest entry on both paths, or null. */
	readonly commonAncestorId: string | null;
	/** What is left behind: from below the common ancestor to the old leaf, root first. */
	readonly toSummarize: readonly number[];
	/** The entry whose text goes to the editor, see `editorText`. */
	readonly editorSeq?: number;
}

/** Plans a navigation from the leaf to a target. */
export function planNavigation(index: SessionIndex, targetId: string): Navigation {
	const target = index.seqOf(targetId);
	if (target === undefined) {
		const detail = `The session has no entry ${targetId} (targetId)`;
		return { kind: "problem", problem: { kind: "not_found", field: "targetId", detail } };
	}
	const kind = index.kind(target);
	if (kind === "leaf") {
		const detail = `The leaf cannot be a leaf entry, and ${targetId} is one`;
		return { kind: "problem", problem: { kind: "unprocessable", detail } };
	}
	if (targetId === index.head) return { kind: "stay", leafId: targetId };
	const editable = kind === "m.user" || kind === "custom_message";
	const parent = editable ? treeParent(index, target) : target;
	const left = leftBehind(index, target);
	return {
		kind: "move",
		oldLeafId: index.head,
		newLeafId: parent === 0 ? null : index.id(parent),
		targetId,
		commonAncestorId: left.ancestor === 0 ? null : index.id(left.ancestor),
		toSummarize: left.seqs,
		...(editable ? { editorSeq: target } : {}),
	};
}

/** The entries between the leaf and its deepest common ancestor (0: none) with a target, root first. */
function leftBehind(index: SessionIndex, target: number): { ancestor: number; seqs: number[] } {
	const head = index.head === null ? undefined : index.seqOf(index.head);
	if (head === undefined) return { ancestor: 0, seqs: [] };
	const targetPath = new Set(ancestors(index, target));
	const seqs: number[] = [];
	let ancestor = 0;
	for (const seq of ancestors(index, head)) {
		if (targetPath.has(seq)) {
			ancestor = seq;
			break;
		}
		seqs.push(seq);
	}
	return { ancestor, seqs: seqs.reverse() };
}

/** What a user message or custom message puts back into the editor: its text blocks, with nothing between them. */
export function editorText(entry: Entry): string {
	const content = entry.type === "message" ? messageOf(entry)?.content : entry.content;
	return contentText(content, "");
}

export interface BranchSummary {
	readonly text: string;
	readonly details?: unknown;
	readonly usage?: unknown;
	readonly fromHook?: boolean;
}

/**
 * The entries that a navigation writes, in order: the summary of what is left behind, hanging at the new leaf, or a
 * `leaf` entry; then the label, on the summary or else on the target. Empty where the leaf stays where it is.
 * `newId` gives an id of its own each time.
 */
export function navigationEntries(
	move: NavigationMove,
	options: {
		readonly timestamp: string;
		readonly newId: () => string;
		readonly summary?: BranchSummary;
		readonly label?: string;
	},
): FixedEntry[] {
	const { timestamp, newId, summary, label } = options;
	const entries: FixedEntry[] = [];
	if (summary !== undefined && summary.text !== "") {
		const { text, ...rest } = summary;
		entries.push({
			type: "branch_summary",
			id: newId(),
			parentId: move.newLeafId,
			timestamp,
			fromId: move.oldLeafId ?? "root",
			summary: text,
			...rest,
		});
	} else if (move.newLeafId !== move.oldLeafId) {
		entries.push({ type: "leaf", id: newId(), timestamp, targetId: move.newLeafId });
	}
	if (label !== undefined && label.trim() !== "") {
		const [summaryEntry] = entries.filter((entry) => entry.type === "branch_summary");
		entries.push({
			type: "label",
			id: newId(),
			timestamp,
			targetId: summaryEntry?.id ?? move.targetId,
			label,
		});
	}
	return entries;
}
