import type { Tree } from "./api.ts";

/**
 * Where the branch through an entry goes on to: from child to newest child, down to one that has none. That is where
 * a branch arrow leads, since its reader wants the whole conversation and not the message alone.
 * @throws RangeError where the tree has no such entry
 */
export function tipOf(tree: Pick<Tree, "nodes">, entryId: string): string {
	const nodes = new Map(tree.nodes.map((node) => [node.id, node]));
	if (!nodes.has(entryId)) throw new RangeError(`The tree has no entry ${entryId}`);
	const seen = new Set<string>();
	let tip = entryId;
	for (let next: string | undefined = entryId; next !== undefined && !seen.has(next); ) {
		seen.add(next);
		tip = next;
		next = nodes.get(next)?.children.at(-1);
	}
	return tip;
}
