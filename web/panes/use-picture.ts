import { useMemo, useRef } from "preact/hooks";
import { extended } from "../tree/extended.ts";
import { type Filter, shows } from "../tree/filters.ts";
import { type Layout, layout } from "../tree/layout.ts";
import type { Tree } from "../tree/tree.ts";

interface Drawn {
	readonly tree: Tree;
	readonly filter: Filter;
	readonly words: readonly string[];
	readonly folded: ReadonlySet<string>;
	readonly picture: Layout;
}

/** The picture of a tree; where only its end went on since the last one, only that is drawn anew. */
export function usePicture(
	tree: Tree,
	filter: Filter,
	words: readonly string[],
	folded: ReadonlySet<string>,
): Layout {
	const last = useRef<Drawn>(undefined);
	return useMemo(() => {
		const shown = (id: string) => shows(tree.nodes.get(id)!, filter, words);
		const before = last.current;
		const same = before?.filter === filter && before.words === words && before.folded === folded;
		const picture =
			(same ? extended(before.picture, before.tree, tree, shown, folded) : undefined) ??
			layout(tree, shown, folded);
		last.current = { tree, filter, words, folded, picture };
		return picture;
	}, [tree, filter, words, folded]);
}
