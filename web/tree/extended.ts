import { withChanges } from "./layered-map.ts";
import type { Layout, Row } from "./layout.ts";
import type { Tree } from "./tree.ts";

/**
 * The picture after a conversation went on where it was: the same as `layout` draws of `after`, at the price of the
 * new rows alone. `picture` is that of `before`, drawn with the same `shown` and folds. Undefined where more than the
 * end changed, and all has to be drawn anew.
 */
export function extended(
	picture: Layout,
	before: Tree,
	after: Tree,
	shown: (id: string) => boolean,
	foldedIds: ReadonlySet<string>,
): Layout | undefined {
	const added = continuation(before, after);
	const last = picture.rows.at(-1);
	if (added === undefined || last === undefined || last.id !== picture.leaf) return undefined;
	if (last.children > 0 || foldedIds.has(last.id)) return undefined;
	// What an entry is can depend on whether something follows it.
	const tip = before.leafId!;
	if (shown(tip) !== picture.parents.has(tip)) return undefined;
	const fresh = added.filter(shown);
	if (fresh.length === 0) return picture;

	const chain = [last.id, ...fresh];
	const drawn = chain.map((id, at): Row => {
		const more = at < chain.length - 1;
		const row = at === 0 ? last : { ...last, id, joins: false, up: true, live: true };
		return { ...row, down: more, downLive: more, children: more ? 1 : 0 };
	});
	const first = picture.rows.length;
	return {
		rows: picture.rows.slice(0, -1).concat(drawn),
		rowOf: withChanges(picture.rowOf, new Map(fresh.map((id, at) => [id, first + at]))),
		parents: withChanges(picture.parents, new Map(fresh.map((id, at) => [id, chain[at]!]))),
		families: withChanges(picture.families, new Map(fresh.map((id, at) => [chain[at]!, [id]]))),
		leaf: fresh.at(-1)!,
	};
}

/** The new entries where they are the old leaf's only children, each below the one before, down to the new leaf. */
function continuation(before: Tree, after: Tree): string[] | undefined {
	if (before.leafId === null || before.nodes.get(before.leafId)?.children.length !== 0) return undefined;
	const count = after.nodes.size - before.nodes.size;
	const added: string[] = [];
	let at = after.leafId;
	while (at !== null && at !== before.leafId && added.length < count) {
		const node = after.nodes.get(at);
		// A label may change what an older entry is.
		if (node === undefined || before.nodes.has(at) || node.type === "label") return undefined;
		added.push(at);
		at = node.parentId;
	}
	return at === before.leafId && added.length === count ? added.reverse() : undefined;
}
