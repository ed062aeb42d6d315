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

		test("more than 1000 keys at once: all gone", async (at) => {
			const names = Array.from({ length: 1101 }, (_, index) => `n${index}`);
			await at.createAll([...names, "stays"]);
			await at.store.delete(names.map((name) => at.key(name)));
			expect(await at.names()).toEqual(["stays"]);
		}, 120_000);
	});
}
