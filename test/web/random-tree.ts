import fc from "fast-check";
import { type Entry, grown } from "../../web/tree/grow.ts";
import { type Tree, treeOf } from "../../web/tree/tree.ts";

export const emptyTree: Tree = treeOf({ nodes: [], roots: [], leafId: null, seq: 0 });

/** A user's or assistant's message; `minute` is its time. */
export function said(id: string, parentId: string | null, role = "user", minute = 0): Entry {
	const timestamp = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
	return { type: "message", id, parentId, timestamp, message: { role, content: `text of ${id}` } };
}

/** Trees of up to 60 messages of any shape; the leaf is anywhere. */
export const randomTree: fc.Arbitrary<Tree> = fc
	.array(fc.record({ parent: fc.nat(), role: fc.constantFrom("user", "assistant", "toolResult") }), {
		minLength: 1,
		maxLength: 60,
	})
	.chain((plan) =>
		fc.nat(plan.length - 1).map((leaf) => {
			const entries = plan.map(({ parent, role }, at) => {
				const above = parent % (at + 1);
				return said(`e${at}`, above === at ? null : `e${above}`, role, at);
			});
			return { ...grown(emptyTree, entries), leafId: `e${leaf}` };
		}),
	);
