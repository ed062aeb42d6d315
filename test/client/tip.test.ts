import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tipOf } from "../../client/src/tip.ts";
import { clientOf, says } from "./service.ts";

describe("the tip of a branch", () => {
	it("random trees: it is below the entry, has no child, and every step to it is the newest child", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), async (choices) => {
				const { leaflog } = clientOf();
				const session = leaflog.session((await leaflog.createSession()).id);
				const parents = choices.map((choice, at) =>
					choice % (at + 1) === at ? null : `e${choice % (at + 1)}`,
				);
				await session.append(parents.map((parentId, at) => says("hi", { id: `e${at}`, parentId })));
				const tree = await session.tree();
				for (const [at] of parents.entries()) {
					let expected = `e${at}`;
					for (let next = at; next >= 0; ) {
						expected = `e${next}`;
						next = parents.lastIndexOf(expected);
					}
					expect(tipOf(tree, `e${at}`)).toBe(expected);
				}
			}),
			{ seed: 20261202, numRuns: 25 },
		);
	});

	it("an entry that isn't there: refused", () => {
		expect(() => tipOf({ nodes: [] }, "none")).toThrow(RangeError);
	});
});
