import type { Tree, TreeNode } from "../client/src/index.ts";
import { cut, plain, widthOf } from "./plain.ts";

/** Runs of so many entries without branch, label or leaf are folded. */
const longRun = 4;

/** Columns that indentation may take where nothing says how many there are. */
const widestIndent = 60;

export interface PictureOptions {
	readonly fold?: boolean;
	/** Lines are cut to so many columns. */
	readonly columns?: number | undefined;
}

/**
 * The tree as lines of text. Branches are indented, paths are not, and of a deep indentation only the innermost levels
 * are drawn, so that depth is no danger.
 */
export function* treePicture(tree: Tree, options: PictureOptions = {}): Generator<string> {
	const { columns = Number.POSITIVE_INFINITY } = options;
	const widest = Math.max(6, Math.min(widestIndent, Math.floor(columns / 2)));
	const nodes = new Map(tree.nodes.map((node) => [node.id as string, node]));
	const live = pathTo(nodes, tree.leafId);
	const stack: Place[] = [];
	const push = (ids: readonly string[], prefix: string) => {
		for (const [at, id] of [...ids.entries()].reverse()) {
			const last = at === ids.length - 1;
			stack.push(
				ids.length === 1
					? { id, first: prefix, rest: prefix }
					: {
							id,
							first: innermost(`${prefix}${last ? "└─ " : "├─ "}`, widest),
							rest: innermost(`${prefix}${last ? "   " : "│  "}`, widest),
						},
			);
		}
	};
	push(tree.roots, "");
	for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
		let node = nodes.get(place.id);
		if (node === undefined) continue;
		yield place.first + describe(node, tree.leafId, live, columns - place.first.length);
		const run = options.fold ? runAfter(nodes, node, tree.leafId) : [];
		if (run.length >= longRun) {
			yield cut(`${place.rest}  ⋯ ${run.length} entries`, columns);
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

/** The end of a prefix; a mark stands for the levels before it. */
function innermost(prefix: string, widest: number): string {
	return prefix.length <= widest ? prefix : `… ${prefix.slice(prefix.length - widest + 2)}`;
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

/** Of a line that is too long the text is cut, not the label and the mark of the leaf. */
function describe(node: TreeNode, leafId: string | null, live: ReadonlySet<string>, columns: number): string {
	const mark = node.id === leafId ? "●" : live.has(node.id) ? "•" : " ";
	const label = node.label === undefined ? "" : ` [${plain(node.label)}]`;
	const end = `${label}${node.id === leafId ? "  ← leaf" : ""}`;
	const text = `${mark} ${plain(node.id)} ${plain(node.role ?? node.type)}: ${plain(node.preview)}`;
	return cut(cut(text, Math.max(24, columns - widthOf(end))) + end, columns);
}
