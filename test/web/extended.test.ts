import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extended } from "../../web/tree/extended.ts";
import { type Filter, filters, shows } from "../../web/tree/filters.ts";
import { type Entry, grown } from "../../web/tree/grow.ts";
import { withChanges } from "../../web/tree/layered-map.ts";
import { type Layout, layout } from "../../web/tree/layout.ts";
import type { Tree } from "../../web/tree/tree.ts";
import { emptyTree, randomTree, said } from "./random-tree.ts";

describe("a map in layers", () => {
	it("any changes: the same as those of one map, also in order", () => {
		const entries = fc.array(fc.tuple(fc.nat(2000), fc.nat()), { maxLength: 400 });
		fc.assert(
			fc.property(entries, fc.array(entries, { maxLength: 8 }), (first, changes) => {
				const expected = new Map(first);
				let map: ReadonlyMap<number, number> = new Map(first);
				for (const change of changes) {
					const before = [...map];
					const next = withChanges(map, new Map(change));
					expect([...map]).toEqual(before);
					for (const [key, value] of change) expected.set(key, value);
					map = next;
				}
				expect([...map]).toEqual([...expected]);
				expect([[...map.keys()], [...map.values()], map.size]).toEqual([
					[...expected.keys()],
					[...expected.values()],
					expected.size,
				]);
				for (const key of [...expected.keys(), -1])
					expect([map.has(key), map.get(key)]).toEqual([expected.has(key), expected.get(key)]);
				let seen = 0;
				map.forEach((value, key) => {
					seen += expected.get(key) === value ? 1 : 0;
				});
				expect(seen).toBe(expected.size);
			}),
		);
	});
});

const plain = ({ rowOf, parents, families, ...rest }: Layout) => ({
	...rest,
	rowOf: new Map(rowOf),
	parents: new Map(parents),
	families: new Map(families),
});

/** What is appended: below the leaf, or below any entry; messages, calls of tools, labels, moves of the leaf. */
const appended = fc.record({
	kind: fc.constantFrom("user", "assistant", "call", "toolResult", "label", "leaf"),
	below: fc.option(fc.nat(), { freq: 4 }),
});

function appendedTo(tree: Tree, plan: { kind: string; below: number | null }, at: number): Entry {
	const ids = [...tree.nodes.keys()];
	const some = ids[(plan.below ?? 0) % ids.length]!;
	const entry = said(`new${at}`, plan.below === null ? tree.leafId : some, "user", 100 + at);
	if (plan.kind === "leaf") return { ...entry, type: "leaf", targetId: some, message: undefined };
	if (plan.kind === "label")
		return { ...entry, type: "label", targetId: some, label: "here", message: undefined };
	if (plan.kind === "call")
		return { ...entry, message: { role: "assistant", content: [{ type: "toolCall" }] } };
	return { ...entry, message: { role: plan.kind, content: "more text" } };
}

describe("a picture that is extended", () => {
	it("whatever is appended: is the one drawn anew, or is not there", () => {
		let taken = 0;
		fc.assert(
			fc.property(
				randomTree,
				fc.array(appended, { minLength: 1, maxLength: 6 }),
				fc.constantFrom<Filter>(...filters),
				fc.constantFrom([], ["text"], ["more"], ["here"]),
				fc.array(fc.nat(59), { maxLength: 3 }),
				(before, plan, filter, words, folds) => {
					const shownIn = (tree: Tree) => (id: string) => shows(tree.nodes.get(id)!, filter, words);
					const folded = new Set(folds.map((at) => `e${at}`));
					let [tree, picture] = [before, layout(before, shownIn(before), folded)];
					plan.forEach((one, at) => {
						const next = grown(tree, [appendedTo(tree, one, at)]);
						const expected = layout(next, shownIn(next), folded);
						const quick = extended(picture, tree, next, shownIn(next), folded);
						if (quick !== undefined) {
							taken++;
							expect(plain(quick)).toEqual(plain(expected));
						}
						[tree, picture] = [next, quick ?? expected];
					});
				},
			),
			{ numRuns: 1000 },
		);
		expect(taken).toBeGreaterThan(100);
	});

	it("a conversation that goes on: only its new entries are looked at, however long it is", () => {
		const count = 3000;
		const entries = Array.from({ length: count }, (_, at) => said(`e${at}`, at === 0 ? null : `e${at - 1}`));
		let tree = grown(emptyTree, entries);
		let picture = layout(tree, () => true);
		let asked = 0;
		const shown = () => {
			asked++;
			return true;
		};
		for (let at = count; at < count + 1000; at++) {
			const next = grown(tree, [said(`e${at}`, `e${at - 1}`)]);
			const quick = extended(picture, tree, next, shown, new Set());
			expect(quick).toBeDefined();
			[tree, picture] = [next, quick!];
		}
		expect(asked).toBe(2000);
		expect(plain(picture)).toEqual(plain(layout(tree, () => true)));
	});
});
