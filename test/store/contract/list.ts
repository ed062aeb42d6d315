import { describe, expect } from "vitest";
import { bytesOrder, string, type TestInPlace, text } from "./place.ts";

export function describeList(test: TestInPlace): void {
	describe("list", () => {
		test("nothing there: an empty last page", async (at) => {
			expect(await at.store.list(at.prefix)).toEqual({ objects: [], truncated: false });
			expect(await at.store.list(at.prefix, { limit: 1 })).toEqual({ objects: [], truncated: false });
		});

		test("order: by UTF-8 bytes, of whatever characters", async (at) => {
			const names = [..."Aa~ +%&=?#;:@!$'()*,_.-/\\|^{}[]\"<>`", "é", "߿", "ｚ", "\u{10348}", "\u{1f600}"];
			const keys = names.flatMap((name) => [`${name}x`, `x${name}`, `x${name}x`]);
			await at.createAll(keys);
			const expected = [...new Set(keys)].sort((left, right) => bytesOrder(left, right));
			expect(await at.names()).toEqual(expected);
		});

		test("odd characters: the key that was put is the key that is read and removed", async (at) => {
			const names = ["a b", "a+b", "a%20b", "a%2Bb", "a~b", "a//b", "ü/ß", "\u{1f600}", "a&b=c?d#e", "'\"<>"];
			await at.createAll(names);
			for (const name of names) expect(string((await at.found(name)).bytes)).toBe(name);
			await at.store.delete(names.slice(1).map((name) => at.key(name)));
			expect(await at.names()).toEqual(["a b"]);
		});

		test("a prefix: only the keys that begin with it", async (at) => {
			await at.createAll(["a", "a/", "a/1", "a/1/2", "a0", "b"]);
			expect(await at.names("a/")).toEqual(["a/", "a/1", "a/1/2"]);
			expect(await at.names("a/1")).toEqual(["a/1", "a/1/2"]);
			expect(await at.names("c")).toEqual([]);
		});

		test("limit 1: the first key, and whether more follow", async (at) => {
			await at.createAll(["b", "a"]);
			const first = await at.store.list(at.prefix, { limit: 1 });
			expect([first.objects.map(({ key }) => key), first.truncated]).toEqual([[at.key("a")], true]);
			const second = await at.store.list(at.prefix, { limit: 1, after: at.key("a") });
			expect([second.objects.map(({ key }) => key), second.truncated]).toEqual([[at.key("b")], false]);
		});

		test("after: only later keys, be it one that exists, a gap, before or behind the prefix", async (at) => {
			await at.createAll(["p/1", "p/3", "p/5", "q"]);
			expect(await at.names("p/", at.key("p/1"))).toEqual(["p/3", "p/5"]);
			expect(await at.names("p/", at.key("p/2"))).toEqual(["p/3", "p/5"]);
			expect(await at.names("p/", at.key("a"))).toEqual(["p/1", "p/3", "p/5"]);
			expect(await at.names("p/", at.key("p/5"))).toEqual([]);
			expect(await at.names("p/", at.key("z"))).toEqual([]);
		});

		test("exactly as many as the limit: the last page", async (at) => {
			await at.createAll(["a", "b", "c"]);
			const page = await at.store.list(at.prefix, { limit: 3 });
			expect([page.objects.length, page.truncated]).toEqual([3, false]);
		});

		test("reads after writes: each object is listed and read as soon as it was created, and gone as soon as removed", async (at) => {
			for (let index = 0; index < 20; index++) {
				const name = String(99 - index);
				await at.create(name, text(name));
				const { objects } = await at.store.list(at.prefix, { limit: 1 });
				expect(objects[0]?.key).toBe(at.key(name));
				expect(string((await at.found(name)).bytes)).toBe(name);
			}
			await at.store.delete([at.key("80")]);
			expect((await at.store.list(at.prefix, { limit: 1 })).objects[0]?.key).toBe(at.key("81"));
			expect(await at.store.get(at.key("80"))).toEqual({ kind: "absent" });
		});
	});
}
