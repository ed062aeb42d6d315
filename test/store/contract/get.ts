import { describe, expect } from "vitest";
import { string, type TestInPlace, text } from "./place.ts";

export function describeGet(test: TestInPlace): void {
	describe("get", () => {
		test("a key that isn't there: absent, with range and etag too", async (at) => {
			await at.create("abc", text("x"));
			for (const key of [at.key("ab"), at.key("abcd"), at.key("")]) {
				expect(await at.store.get(key)).toEqual({ kind: "absent" });
				expect(await at.store.get(key, { range: { offset: 0, length: 10 } })).toEqual({ kind: "absent" });
			}
			const { etag } = await at.found("abc");
			expect(await at.store.get(at.key("ab"), { ifMatch: etag })).toEqual({ kind: "absent" });
		});

		const ranges: [title: string, offset: number, length: number, expected: string][] = [
			["inside", 2, 3, "234"],
			["one byte", 9, 1, "9"],
			["the whole", 0, 10, "0123456789"],
			["from the start, beyond the end", 0, 4096, "0123456789"],
			["beyond the end", 7, 100, "789"],
			["at the end", 10, 1, ""],
			["past the end", 1000, 50, ""],
		];
		for (const [title, offset, length, expected] of ranges) {
			test(`range ${title}: the bytes there are, with the whole size`, async (at) => {
				await at.create("a", text("0123456789"));
				const whole = await at.found("a");
				const found = await at.found("a", { range: { offset, length } });
				expect(string(found.bytes)).toBe(expected);
				expect(found.size).toBe(10);
				expect([found.etag, found.modified]).toEqual([whole.etag, whole.modified]);
			});
		}

		test("range of an empty object: no bytes", async (at) => {
			await at.create("a", new Uint8Array(0));
			const found = await at.found("a", { range: { offset: 0, length: 100 } });
			expect([found.bytes.length, found.size]).toEqual([0, 0]);
		});

		test("pinned to its etag: found; to another one: changed, whatever the range", async (at) => {
			await at.create("a", text("first"));
			const { etag } = await at.found("a");
			expect(string((await at.found("a", { ifMatch: etag })).bytes)).toBe("first");
			await at.store.put(at.key("a"), text("other"));
			for (const range of [undefined, { offset: 1, length: 2 }, { offset: 99, length: 2 }]) {
				expect(await at.store.get(at.key("a"), { ifMatch: etag, range })).toEqual({ kind: "changed" });
			}
			const now = await at.found("a");
			const pinned = await at.found("a", { ifMatch: now.etag, range: { offset: 1, length: 2 } });
			expect(string(pinned.bytes)).toBe("th");
			const past = await at.found("a", { ifMatch: now.etag, range: { offset: 50, length: 2 } });
			expect([past.bytes.length, past.size]).toEqual([0, 5]);
		});

		test("the time of the write is told alike by get and list, to the second", async (at) => {
			await at.create("a", text("x"));
			const { modified } = await at.found("a");
			const { objects } = await at.store.list(at.prefix);
			expect(Number.isSafeInteger(modified)).toBe(true);
			expect(Math.floor(objects[0]!.modified / 1000)).toBe(Math.floor(modified / 1000));
		});
	});
}
