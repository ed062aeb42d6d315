import type { treeSchema } from "../../schemas/branch.ts";

export type TreeAnswer = (typeof treeSchema)["_output"];
export type TreeNode = TreeAnswer["nodes"][number];

/** All branches of a session, as they were at `seq`. Nodes stand in log order; `leaf` entries are none. */
export interface Tree {
	readonly nodes: ReadonlyMap<string, TreeNode>;
	readonly roots: readonly string[];
	readonly leafId: string | null;
	readonly seq: number;
}

/** The answer of `GET /v1/sessions/{id}/tree`, ready to be asked by id. */
export function treeOf({ nodes, roots, leafId, seq }: TreeAnswer): Tree {
	return { nodes: new Map(nodes.map((node) => [node.id, node])), roots, leafId, seq };
}

/** The ids from the root to an entry, root first; empty where the entry is not there. Safe against cycles. */
export function pathTo(tree: Tree, id: string | null): string[] {
	const path: string[] = [];
	const seen = new Set<string>();
	for (let at = id; at !== null && !seen.has(at); ) {
		const node = tree.nodes.get(at);
		if (node === undefined) break;
		seen.add(at);
		path.push(at);
		at = node.parentId;
	}
	return path.reverse();
}

/** The deepest entry that is on the paths of both; null where they share none. */
export function commonAncestor(tree: Tree, one: string | null, other: string | null): string | null {
	const [left, right] = [pathTo(tree, one), pathTo(tree, other)];
	let shared = 0;
	while (shared < left.length && left[shared] === right[shared]) shared++;
	return shared === 0 ? null : left[shared - 1]!;
}

/** Two branches from where they part: what each has below their common ancestor. */
export interface Parting {
	readonly ancestor: string | null;
	readonly left: readonly string[];
	readonly right: readonly string[];
}

export function parting(tree: Tree, left: string | null, right: string | null): Parting {
	const ancestor = commonAncestor(tree, left, right);
	const below = (id: string | null) => {
		const path = pathTo(tree, id);
		return ancestor === null ? path : path.slice(path.indexOf(ancestor) + 1);
	};
	return { ancestor, left: below(left), right: below(right) };
}

/** All children of an entry's parent, in tree order, itself included; the roots for a root. */
export function siblingsOf(tree: Tree, id: string): readonly string[] {
	const parent = tree.nodes.get(id)?.parentId;
	const family = parent == null ? undefined : tree.nodes.get(parent)?.children;
	return family ?? tree.roots;
}
