import type { Tree, TreeNode } from "../client/src/index.ts";
import { plain } from "./plain.ts";

/** Runs of so many entries without branch, label or leaf are folded. */
const longRun = 4;

/** The tree as lines of text: branches are indented, paths are not, so that depth is no danger. */
export function* treePicture(tree: Tree, options: { readonly fold?: boolean } = {}): Generator<string> {
	const nodes = new Map(tree.nodes.map((node) => [node.id as string, node]));
	const live = pathTo(nodes, tree.leafId);
	const stack: Place[] = [];
	const push = (ids: readonly string[], prefix: string) => {
		for (const [at, id] of [...ids.entries()].reverse()) {
			const last = at === ids.length - 1;
			stack.push(
				ids.length === 1
					? { id, first: prefix, rest: prefix }
					: { id, first: `${prefix}${last ? "└─ " : "├─ "}`, rest: `${prefix}${last ? "   " : "│  "}` },
			);
		}
	};
	push(tree.roots, "");
	for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
		let node = nodes.get(place.id);
		if (node === undefined) continue;
		yield place.first + describe(node, tree.leafId, live);
		const run = options.fold ? runAfter(nodes, node, tree.leafId) : [];
		if (run.length >= longRun) {
			yield `${place.rest}  ⋯ ${run.length} entries`;
			node = run.at(-1) ?? node;
		}
		push(node.children, place.rest);
	}
}

interface Place {
	readonly id: string;
	/** What stands before the first line, and before all that follow. */
	readonly first: string;
	readonly rest: string;
}

/** The entries after one that have nothing to show but themselves. */
function runAfter(
	nodes: ReadonlyMap<string, TreeNode>,
	start: TreeNode,
	leafId: string | null,
): readonly TreeNode[] {
	const run: TreeNode[] = [];
	for (let node = start; node.children.length === 1; ) {
		const next = nodes.get(node.children[0] ?? "");
		if (next === undefined || next.children.length !== 1 || next.label !== undefined || next.id === leafId)
			break;
		run.push(next);
		node = next;
	}
	return run;
}

function pathTo(nodes: ReadonlyMap<string, TreeNode>, leafId: string | null): ReadonlySet<string> {
	const path = new Set<string>();
	for (let id = leafId; id !== null && !path.has(id); id = nodes.get(id)?.parentId ?? null) path.add(id);
	return path;
}

function describe(node: TreeNode, leafId: string | null, live: ReadonlySet<string>): string {
	const mark = node.id === leafId ? "●" : live.has(node.id) ? "•" : " ";
	const label = node.label === undefined ? "" : ` [${plain(node.label)}]`;
	const here = node.id === leafId ? "  ← leaf" : "";
	return `${mark} ${plain(node.id)} ${plain(node.role ?? node.type)}: ${plain(node.preview)}${label}${here}`;
}
