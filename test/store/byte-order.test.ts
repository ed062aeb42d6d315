import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareBytes } from "../../src/store/byte-order.ts";
import { SortedKeys } from "../../src/store/sorted-keys.ts";

/** Few characters, so that keys share beginnings: one of each UTF-8 length, and those that UTF-16 misplaces. */
const key = fc.string({ unit: fc.constantFrom("a", "b", "/", "é", "\uff5a", "\u{1f600}"), maxLength: 6 });

describe("byte order", () => {
	it("two keys: as their UTF-8 bytes", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (left, right) => {
				const expected = Buffer.compare(Buffer.from(left), Buffer.from(right));
				expect(Math.sign(compareBytes(left, right))).toBe(expected);
			}),
			{ seed: 1, numRuns: 2000 },
		);
		fc.assert(
			fc.property(key, key, (left, right) => {
				const expected = Buffer.compare(Buffer.from(left), Buffer.from(right));
				expect(Math.sign(compareBytes(left, right))).toBe(expected);
			}),
			{ seed: 2, numRuns: 2000 },
		);
	});
});

describe("sorted keys", () => {
	const step = fc.oneof(
		fc.record({ add: fc.array(key, { maxLength: 40 }) }),
		fc.record({ remove: key }),
		fc.record({ prefix: key, after: fc.option(key, { nil: undefined }) }),
	);

	it("any additions, removals and reads: what sorting and filtering gives", () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
				const sorted = new SortedKeys();
				const reference = new Set<string>();
				for (const step of steps) {
					if ("add" in step) {
						for (const added of step.add) {
							if (!reference.has(added)) sorted.add(added);
							reference.add(added);
						}
					} else if ("remove" in step) {
						reference.delete(step.remove);
						sorted.retain((kept) => reference.has(kept));
					} else {
						const { prefix, after } = step;
						const expected = [...reference]
							.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
							.filter((kept) => kept.startsWith(prefix))
							.filter(
								(kept) => after === undefined || Buffer.compare(Buffer.from(kept), Buffer.from(after)) > 0,
							);
						expect([...sorted.from(prefix, after)]).toEqual(expected);
					}
				}
			}),
			{ seed: 3, numRuns: 500 },
		);
	});
});
