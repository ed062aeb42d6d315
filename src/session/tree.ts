import { roleOfKind, typeOfKind } from "./kind.ts";
import { type Label, labels } from "./labels.ts";
import { preview } from "./preview.ts";
import type { SessionIndex } from "./session-index.ts";
import { childrenOf, treeParents } from "./tree-shape.ts";

export interface TreeNode {
	readonly id: string;
	readonly parentId: string | null;
	readonly type: string;
	readonly role?: string;
	readonly toolCallId?: string;
	readonly timestamp: string;
	readonly preview: string;
	readonly label?: string;
	readonly labelTimestamp?: string;
	readonly children: readonly string[];
}

export interface SessionTree {
	readonly roots: readonly string[];
	/** In log order. */
	readonly nodes: readonly TreeNode[];
}

export interface TreeFilter {
	/** Types of entries (`message`, `label` …). */
	readonly types?: readonly string[];
	/** Text in id, preview or label, whatever its case. */
	readonly q?: string;
	/** Only entries that have a label. */
	readonly labeled?: boolean;
}

/** The session's tree, flat. A filter leaves the entries that match and their ancestors. */
export function sessionTree(index: SessionIndex, filter: TreeFilter = {}): SessionTree {
	const parents = treeParents(index);
	const marks = labels(index);
	const shown = filtered(index, parents, marks, filter);
	const families = childrenOf(index, parents);
	const ids = (parent: number) =>
		(families.get(parent) ?? []).filter((seq) => shown[seq] === 1).map((seq) => index.id(seq));
	const nodes: TreeNode[] = [];
	for (let seq = 1; seq <= index.length; seq++) {
		if (shown[seq] === 1) nodes.push(nodeOf(index, seq, parents[seq] ?? 0, marks, ids(seq)));
	}
	return { roots: ids(0), nodes };
}

function nodeOf(
	index: SessionIndex,
	seq: number,
	parent: number,
	marks: ReadonlyMap<string, Label>,
	children: readonly string[],
): TreeNode {
	const id = index.id(seq);
	const kind = index.kind(seq);
	const meta = index.meta(seq);
	const role = roleOfKind(kind);
	const mark = marks.get(id);
	return {
		id,
		parentId: parent === 0 ? rootParent(index, seq) : index.id(parent),
		type: typeOfKind(kind),
		...(role === undefined ? {} : { role }),
		...(kind === "m.toolResult" && typeof meta.c === "string" ? { toolCallId: meta.c } : {}),
		timestamp: index.time(seq),
		preview: preview(kind, meta),
		...(mark === undefined ? {} : { label: mark.label, labelTimestamp: mark.timestamp }),
		children,
	};
}

/** A root's parent as it was given (it may name nothing, or itself), but not a `leaf` entry. */
function rootParent(index: SessionIndex, seq: number): string | null {
	return index.parentSeq(seq) === 0 ? index.parent(seq) : null;
}

/** 1 for each entry, by seq, that is in the tree: those that match the filter, and their ancestors. */
function filtered(
	index: SessionIndex,
	parents: Int32Array,
	marks: ReadonlyMap<string, Label>,
	filter: TreeFilter,
): Uint8Array {
	const shown = new Uint8Array(index.length + 1);
	const types = filter.types === undefined ? undefined : new Set(filter.types);
	const text = filter.q?.toLowerCase();
	for (let seq = 1; seq <= index.length; seq++) {
		const kind = index.kind(seq);
		if (kind === "leaf") continue;
		if (types !== undefined && !types.has(typeOfKind(kind))) continue;
		const id = index.id(seq);
		const mark = marks.get(id);
		if (filter.labeled === true && mark === undefined) continue;
		if (text !== undefined) {
			const texts = [id, mark?.label ?? "", preview(kind, index.meta(seq))];
			if (!texts.some((candidate) => candidate.toLowerCase().includes(text))) continue;
		}
		for (let at = seq; at !== 0 && shown[at] !== 1; at = parents[at] ?? 0) shown[at] = 1;
	}
	return shown;
}
