import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grown } from "../../web/tree/grow.ts";
import { layout, sibling, sideBranches } from "../../web/tree/layout.ts";
import { pathTo, type Tree, treeOf } from "../../web/tree/tree.ts";
import { emptyTree, randomTree, said } from "./random-tree.ts";

/** The picture as text: a row a line, a lane a column. */
function drawn(
	tree: Tree,
	folded: readonly string[] = [],
	shown: (id: string) => boolean = () => true,
): string[] {
	return layout(tree, shown, new Set(folded)).rows.map(({ id, lane, joins, live, folded }) => {
		const left = "|".repeat(lane === 0 ? 0 : lane - 1) + (lane === 0 ? "" : joins ? "\\" : "|");
		return `${left}${live ? "*" : "o"} ${id}${folded > 0 ? ` +${folded}` : ""}`;
	});
}

const tree = grown(emptyTree, [
	said("q1", null),
	said("a1", "q1", "assistant", 1),
	said("q2", "a1", "user", 2),
	said("a2", "q2", "assistant", 3),
	said("q3", "a1", "user", 4),
	said("a3", "q3", "assistant", 5),
	said("a4", "q3", "assistant", 6),
]);

describe("layout", () => {
	it("the live path: straight down, the others beside it before it goes on", () => {
		expect(drawn(tree)).toEqual(["* q1", "* a1", "\\o q2", "|o a2", "* q3", "\\o a3", "* a4"]);
	});

	it("a leaf elsewhere: that path is the straight one", () => {
		expect(drawn({ ...tree, leafId: "a2" })).toEqual([
			"* q1",
			"* a1",
			"\\o q3",
			"|\\o a3",
			"|o a4",
			"* q2",
			"* a2",
		]);
	});

	it("a folded entry: hides all below, and says how many", () => {
		expect(drawn(tree, ["q3", "q2"])).toEqual(["* q1", "* a1", "\\o q2 +1", "* q3 +2"]);
	});

	it("entries that are not shown: their children hang below the nearest shown ancestor", () => {
		expect(drawn(tree, [], (id) => id.startsWith("q"))).toEqual(["* q1", "\\o q2", "* q3"]);
	});

	it("the side branches: all that begin a branch which isn't the live one and have something to fold", () => {
		const picture = layout(tree, () => true);
		expect(sideBranches(picture, new Set(pathTo(tree, tree.leafId)))).toEqual(["q2"]);
	});

	it("siblings: in tree order, none beyond the ends", () => {
		const picture = layout(tree, () => true);
		expect([sibling(picture, "q2", 1), sibling(picture, "q3", -1), sibling(picture, "q3", 1)]).toEqual([
			"q3",
			"q2",
			undefined,
		]);
	});

	it("any tree: each shown entry has one row below its parent's, and each line leads from a parent to a child", () => {
		fc.assert(
			fc.property(randomTree, fc.func(fc.boolean()), (tree, shown) => {
				const { rows, parents, rowOf, families } = layout(tree, shown);
				const expected = [...tree.nodes.keys()].filter((id) => shown(id));
				expect(rows.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
				/** Whose line goes down each lane at this row. */
				const lines: (string | undefined)[] = [];
				for (const { id, lane, joins, up, down, live, downLive } of rows) {
					const above =
						pathTo(tree, id)
							.slice(0, -1)
							.findLast((ancestor) => shown(ancestor)) ?? null;
					expect(parents.get(id)).toBe(above);
					if (above !== null) expect(rowOf.get(above)).toBeLessThan(rowOf.get(id)!);
					expect(joins || up).toBe(above !== null);
					if (joins || up) expect(lines[joins ? lane - 1 : lane]).toBe(above);
					for (let left = 0; left < lane; left++) expect(lines[left]).toBeDefined();
					if (live) expect(lane).toBe(0);
					expect(down).toBe(families.has(id));
					const goesOn = (families.get(id) ?? []).some((child) => pathTo(tree, tree.leafId).includes(child));
					expect(downLive).toBe(goesOn);
					lines[lane] = down ? id : undefined;
				}
			}),
		);
	});

	it("100,000 entries below each other, or beside each other: a row each", () => {
		const ids = Array.from({ length: 100_000 }, (_, at) => `e${at}`);
		const node = { type: "message", role: "user", timestamp: "", preview: "" };
		const of = (parentOf: (at: number) => number | null, childrenOf: (at: number) => string[]) =>
			treeOf({
				nodes: ids.map((id, at) => {
					const parent = parentOf(at);
					return { ...node, id, parentId: parent === null ? null : ids[parent]!, children: childrenOf(at) };
				}),
				roots: ["e0"],
				leafId: "e99999",
				seq: ids.length,
			});
		const deep = of(
			(at) => (at === 0 ? null : at - 1),
			(at) => ids.slice(at + 1, at + 2),
		);
		const wide = of(
			(at) => (at === 0 ? null : 0),
			(at) => (at === 0 ? ids.slice(1) : []),
		);
		for (const [tree, lane] of [
			[deep, 0],
			[wide, 1],
		] as const) {
			const { rows } = layout(tree, () => true);
			expect([rows.length, rows[50_000]]).toMatchObject([100_000, { lane }]);
			expect(rows.at(-1)).toMatchObject({ id: "e99999", lane: 0, live: true });
		}
	}, 120_000);
});
