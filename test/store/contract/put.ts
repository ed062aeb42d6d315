import { describe, expect } from "vitest";
import { sameBytes, string, type TestInPlace, text } from "./place.ts";

export function describePut(test: TestInPlace): void {
	describe("put", () => {
		test("a new key: created, with the etag that get and list tell", async (at) => {
			const outcome = await at.store.put(at.key("a"), text("hello"), { ifAbsent: true });
			const found = await at.found("a");
			const { objects } = await at.store.list(at.prefix);
			expect(outcome).toEqual({ kind: "created", etag: found.etag });
			expect(objects.map(({ etag, size }) => ({ etag, size }))).toEqual([{ etag: found.etag, size: 5 }]);
		});

		test("create-only on a key that is taken: exists, and nothing changes", async (at) => {
			await at.create("a", text("first"));
			const before = await at.found("a");
			expect(await at.store.put(at.key("a"), text("second"), { ifAbsent: true })).toEqual({
				kind: "exists",
			});
			expect(await at.store.put(at.key("a"), text("first"), { ifAbsent: true })).toEqual({
				kind: "exists",
			});
			expect(await at.found("a")).toEqual(before);
		});

		test("create-only on a removed key: created again", async (at) => {
			await at.create("a", text("first"));
			await at.store.delete([at.key("a")]);
			await at.create("a", text("second"));
			expect(string((await at.found("a")).bytes)).toBe("second");
		});

		test("50 creations race: one winner, whose bytes are kept", async (at) => {
			const racers = Array.from({ length: 50 }, (_, index) => `racer ${index}`);
			const outcomes = await Promise.all(
				racers.map((racer) => at.store.put(at.key("a"), text(racer), { ifAbsent: true })),
			);
			const winners = racers.filter((_, index) => outcomes[index]!.kind === "created");
			expect(winners).toHaveLength(1);
			expect(outcomes.filter(({ kind }) => kind === "exists")).toHaveLength(49);
			expect(string((await at.found("a")).bytes)).toBe(winners[0]);
		});

		test("without a condition: overwrites, with another etag", async (at) => {
			await at.create("a", text("first"));
			const before = await at.found("a");
			const outcome = await at.store.put(at.key("a"), text("second, longer"));
			const after = await at.found("a");
			expect(outcome).toEqual({ kind: "created", etag: after.etag });
			expect(after.etag).not.toBe(before.etag);
			expect(string(after.bytes)).toBe("second, longer");
			expect(after.size).toBe(14);
		});

		test("a view into a larger buffer: only its bytes are stored", async (at) => {
			await at.create("a", text("0123456789").subarray(3, 6));
			expect(string((await at.found("a")).bytes)).toBe("345");
		});

		test("the caller's bytes change afterwards: what is stored doesn't", async (at) => {
			const bytes = text("hello");
			await at.create("a", bytes);
			bytes.fill(0);
			const first = await at.found("a");
			expect(string(first.bytes)).toBe("hello");
			first.bytes.fill(0);
			expect(string((await at.found("a")).bytes)).toBe("hello");
		});

		test("5 MB of all byte values: read back the same", async (at) => {
			const bytes = new Uint8Array(5_000_000).map((_, index) => (index * 7 + (index >> 8)) & 0xff);
			await at.create("a", bytes);
			const found = await at.found("a");
			expect(found.size).toBe(5_000_000);
			expect(sameBytes(found.bytes, bytes)).toBe(true);
			const slice = await at.found("a", { range: { offset: 4_999_000, length: 700 } });
			expect(sameBytes(slice.bytes, bytes.subarray(4_999_000, 4_999_700))).toBe(true);
		});

		test("an empty object: read back empty", async (at) => {
			await at.create("a", new Uint8Array(0));
			const found = await at.found("a");
			expect([found.bytes.length, found.size]).toEqual([0, 0]);
		});
	});
}
