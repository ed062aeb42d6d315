/** A node of the tree that pi makes. */
export interface PiNode {
	readonly entry: { readonly id: string };
	readonly children: readonly PiNode[];
	readonly label?: string;
	readonly labelTimestamp?: string;
}

interface Node {
	readonly id: string;
	readonly children: readonly string[];
	readonly label?: string;
	readonly labelTimestamp?: string;
}

/** pi's tree laid flat: what each node shows, by id, in the order of a walk. */
export function flat(roots: readonly PiNode[]): object[] {
	const found: object[] = [];
	const stack = [...roots].reverse();
	for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
		const { entry, label, labelTimestamp, children } = node;
		found.push({ id: entry.id, label, labelTimestamp, children: children.map((child) => child.entry.id) });
		stack.push(...[...children].reverse());
	}
	return found;
}

/** Our tree in the same form. */
export function walked(tree: {
	readonly roots: readonly string[];
	readonly nodes: readonly Node[];
}): object[] {
	const byId = new Map(tree.nodes.map((node) => [node.id, node]));
	const found: object[] = [];
	const stack = [...tree.roots].reverse();
	for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
		const { label, labelTimestamp, children } = byId.get(id) as Node;
		found.push({ id, label, labelTimestamp, children });
		stack.push(...[...children].reverse());
	}
	return found;
}
