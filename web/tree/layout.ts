import { pathTo, type Tree } from "./tree.ts";

/**
 * One row of the picture. A branch keeps its lane as long as it goes on; at a fork the other branches come first,
 * each a lane further right, and the one that goes on comes last: the live one, else the newest. So the live path is
 * a straight line in lane 0, and at any row all lanes left of it hold a line that goes on below.
 */
export interface Row {
	readonly id: string;
	readonly lane: number;
	/** It begins a branch: its line comes from the lane left of it. */
	readonly joins: boolean;
	/** A line comes from above, or goes on below, in its own lane. */
	readonly up: boolean;
	readonly down: boolean;
	/** It is on the path to the leaf. */
	readonly live: boolean;
	/** The line that goes on below is part of that path; the line of lane 0 is, where it passes this row. */
	readonly downLive: boolean;
	readonly passesLive: boolean;
	/** Of its shown children. */
	readonly children: number;
	/** Shown entries that are folded away below it. */
	readonly folded: number;
}

export interface Layout {
	readonly rows: readonly Row[];
	readonly rowOf: ReadonlyMap<string, number>;
	/** The nearest shown ancestor of each shown entry; null for those without one. */
	readonly parents: ReadonlyMap<string, string | null>;
	/** The shown children of each, and the first ones under null, in tree order. */
	readonly families: ReadonlyMap<string | null, readonly string[]>;
	/** The nearest shown entry at or above the leaf. */
	readonly leaf: string | null;
}

/** Draws the shown entries; those between them are left out, and lines go past them. Linear in the tree's size. */
export function layout(
	tree: Tree,
	shown: (id: string) => boolean,
	foldedIds: ReadonlySet<string> = new Set(),
): Layout {
	const { parents, families, sizes } = shownFamilies(tree, shown);
	const path = pathTo(tree, tree.leafId);
	const live = new Set(path);
	const rows: Row[] = [];
	const rowOf = new Map<string, number>();
	const stack = (families.get(null) ?? []).map((id) => first(id)).reverse();
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		const { id, lane, joins, up, passesLive } = next;
		const family = families.get(id) ?? [];
		const open = !foldedIds.has(id) && family.length > 0;
		const onward = family.find((child) => live.has(child)) ?? family.at(-1);
		const downLive = open && live.has(onward!);
		const passesBelow = lane === 0 ? downLive : passesLive;
		rowOf.set(id, rows.length);
		rows.push({
			id,
			lane,
			joins,
			up,
			down: open,
			live: live.has(id),
			downLive,
			passesLive,
			children: family.length,
			folded: open || family.length === 0 ? 0 : sizes(id) - 1,
		});
		if (!open) continue;
		stack.push({ id: onward!, lane, joins: false, up: true, passesLive });
		for (let at = family.length - 1; at >= 0; at--) {
			const child = family[at]!;
			if (child !== onward)
				stack.push({ id: child, lane: lane + 1, joins: true, up: false, passesLive: passesBelow });
		}
	}
	return { rows, rowOf, parents, families, leaf: path.findLast((id) => parents.has(id)) ?? null };
}

interface Place extends Pick<Row, "id" | "lane" | "joins" | "up" | "passesLive"> {}

function first(id: string): Place {
	return { id, lane: 0, joins: false, up: false, passesLive: false };
}

/** Who is shown below whom; and of each, how many entries it holds: itself and all below. */
function shownFamilies(tree: Tree, shown: (id: string) => boolean) {
	const parents = new Map<string, string | null>();
	const families = new Map<string | null, string[]>();
	/** What is left to look at, the next one last; and beside each the nearest shown ancestor. */
	const ids = tree.roots.toReversed();
	const above: (string | null)[] = ids.map(() => null);
	// A tree has no more than its nodes, whatever its lists of children say.
	for (let left = tree.nodes.size; left > 0 && ids.length > 0; left--) {
		const id = ids.pop()!;
		let parent = above.pop()!;
		const children = tree.nodes.get(id)?.children ?? [];
		if (shown(id)) {
			parents.set(id, parent);
			const family = families.get(parent);
			if (family) family.push(id);
			else families.set(parent, [id]);
			parent = id;
		}
		for (let at = children.length - 1; at >= 0; at--) {
			ids.push(children[at]!);
			above.push(parent);
		}
	}
	let sizes: Map<string, number> | undefined;
	return {
		parents,
		families,
		sizes: (id: string) => {
			sizes ??= sizesOf(parents);
			return sizes.get(id)!;
		},
	};
}

/** `parents` holds them before their children. */
function sizesOf(parents: ReadonlyMap<string, string | null>): Map<string, number> {
	const sizes = new Map<string, number>();
	for (const [id, parent] of [...parents].reverse()) {
		const size = (sizes.get(id) ?? 0) + 1;
		sizes.set(id, size);
		if (parent !== null) sizes.set(parent, (sizes.get(parent) ?? 0) + size);
	}
	return sizes;
}

/** The next shown sibling, or the one before; undefined at the end. */
export function sibling({ parents, families }: Layout, id: string, step: 1 | -1): string | undefined {
	const family = families.get(parents.get(id) ?? null) ?? [];
	const at = family.indexOf(id);
	return at === -1 ? undefined : family[at + step];
}

/** True for an entry on the path to the leaf, whether it is drawn or not. */
export function isLive({ rows, rowOf }: Layout, tree: Tree, id: string): boolean {
	const row = rows[rowOf.get(id) ?? -1];
	return row === undefined ? pathTo(tree, tree.leafId).includes(id) : row.live;
}

/** Where the branches begin that are not the live one: fold these, and it alone is left. */
export function sideBranches({ families }: Layout, live: ReadonlySet<string>): string[] {
	return [...families].flatMap(([parent, family]) => {
		if (parent === null || family.length < 2) return [];
		const onward = family.find((child) => live.has(child)) ?? family.at(-1);
		return family.filter((id) => id !== onward && families.has(id));
	});
}
