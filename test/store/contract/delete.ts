import { describe, expect } from "vitest";
import type { TestInPlace } from "./place.ts";

export function describeDelete(test: TestInPlace): void {
	describe("delete", () => {
		test("no keys, absent keys, present ones among them: no error, only those are gone", async (at) => {
			await at.createAll(["a", "b", "ab"]);
			await at.store.delete([]);
			await at.store.delete([at.key("nothing"), at.key("a"), at.key("nor this")]);
			await at.store.delete([at.key("a")]);
			expect(await at.names()).toEqual(["ab", "b"]);
		});

		test("1101 objects: listed once and in order by pages of 1000 and of 300, then removed at once", async (at) => {
			const names = Array.from({ length: 1101 }, (_, index) => String((index * 607) % 1101).padStart(5, "0"));
			await at.createAll([...names, "stays"]);
			const sorted = [...names.sort(), "stays"];
			for (const limit of [undefined, 300]) {
				const pages = await at.pages(limit);
				expect(pages.flat()).toEqual(sorted);
				expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(limit ?? 1000);
			}
			await at.store.delete(names.map((name) => at.key(name)));
			expect(await at.names()).toEqual(["stays"]);
		}, 240_000);
	});
}
