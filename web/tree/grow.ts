import { withChanges } from "./layered-map.ts";
import { previewOf } from "./preview.ts";
import type { Tree, TreeNode } from "./tree.ts";

/** An entry of the log, of whatever type, as the API shows it. */
export interface Entry {
	readonly type: string;
	readonly id: string;
	readonly parentId: string | null;
	readonly timestamp: string;
	readonly [field: string]: unknown;
}

/** The tree after these entries were appended, in log order; those up to `tree.seq` must not be among them. */
export function grown(tree: Tree, entries: readonly Entry[]): Tree {
	if (entries.length === 0) return tree;
	const nodes = new ChangedNodes(tree.nodes);
	let { roots, leafId } = tree;
	for (const entry of entries) {
		if (entry.type === "leaf") {
			leafId = textOf(entry.targetId) ?? null;
			continue;
		}
		leafId = entry.id;
		const parent = entry.parentId === null ? undefined : nodes.get(entry.parentId);
		if (parent === undefined) roots = placed(roots, entry, nodes);
		else nodes.set(parent.id, { ...parent, children: placed(parent.children, entry, nodes) });
		nodes.set(entry.id, nodeOf(entry));
		if (entry.type === "label") label(nodes, entry);
	}
	return { nodes: withChanges(tree.nodes, nodes.changes), roots, leafId, seq: tree.seq + entries.length };
}

/** The nodes as they become, with those that differ apart. */
class ChangedNodes {
	readonly changes = new Map<string, TreeNode>();
	readonly #before: ReadonlyMap<string, TreeNode>;

	constructor(before: ReadonlyMap<string, TreeNode>) {
		this.#before = before;
	}

	get(id: string): TreeNode | undefined {
		return this.changes.get(id) ?? this.#before.get(id);
	}

	set(id: string, node: TreeNode): void {
		this.changes.set(id, node);
	}
}

function nodeOf(entry: Entry): TreeNode {
	const message = recordOf(entry.message);
	const role = entry.type === "message" ? textOf(message?.role) : undefined;
	const toolCallId = role === "toolResult" ? textOf(message?.toolCallId) : undefined;
	return {
		id: entry.id,
		parentId: entry.parentId,
		type: entry.type,
		...(role !== undefined && { role }),
		...(toolCallId !== undefined && { toolCallId }),
		timestamp: entry.timestamp,
		preview: previewOf(entry),
		children: [],
	};
}

/** Children stand by timestamp, equal or unreadable ones in log order. */
function placed(family: readonly string[], entry: Entry, nodes: ChangedNodes): string[] {
	const time = Date.parse(entry.timestamp);
	let at = family.length;
	while (at > 0 && Date.parse(nodes.get(family[at - 1]!)?.timestamp ?? "") > time) at--;
	return [...family.slice(0, at), entry.id, ...family.slice(at)];
}

function label(nodes: ChangedNodes, entry: Entry): void {
	const target = nodes.get(textOf(entry.targetId) ?? "");
	if (target === undefined) return;
	const { label: _, labelTimestamp: __, ...plain } = target;
	const text = textOf(entry.label) ?? "";
	const marked = { ...plain, label: text, labelTimestamp: entry.timestamp };
	nodes.set(target.id, text.trim() === "" ? plain : marked);
}

function textOf(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

function recordOf(value: unknown): { readonly [field: string]: unknown } | undefined {
	return typeof value === "object" && value !== null ? (value as { [field: string]: unknown }) : undefined;
}
