import { describe, expect, it } from "vitest";
import { StoreUnavailable } from "../../src/store/object-store.ts";
import { R2Store } from "../../src/store/r2.ts";

/** A bucket that answers as the real service does where the local one can't be made to. */
function store(answers: Partial<Record<keyof R2Bucket, (...parameters: never[]) => unknown>>) {
	const sent: string[] = [];
	const bucket = new Proxy(answers, {
		get:
			(target, method: keyof R2Bucket) =>
			async (...parameters: never[]) => {
				sent.push(method);
				return target[method]?.(...parameters);
			},
	});
	return { store: new R2Store(bucket as unknown as R2Bucket), sent };
}

const fails = (message: string) => () => {
	throw new Error(message);
};

const object = {
	key: "a",
	size: 3,
	etag: "e1",
	uploaded: new Date(5000),
};

describe("R2 store", () => {
	it("a put that throws: unknown, with the cause, sent once", async () => {
		for (const message of [
			"put: Reduce your concurrent request rate (10058)",
			"put: internal error (10001)",
		]) {
			const { store: r2, sent } = store({ put: fails(message) });
			for (const options of [undefined, { ifAbsent: true }]) {
				expect(await r2.put("a", new Uint8Array(1), options)).toMatchObject({
					kind: "unknown",
					cause: { message },
				});
			}
			expect(sent).toEqual(["put", "put"]);
		}
	});

	it("reads and deletions that throw: unavailable, with the cause", async () => {
		const failing = fails("internal error (10001)");
		const { store: r2 } = store({ get: failing, list: failing, delete: failing, head: failing });
		for (const request of [
			r2.get("a"),
			r2.get("a", { range: { offset: 5, length: 5 } }),
			r2.list("a"),
			r2.delete(["a"]),
		]) {
			const problem = await request.catch((problem: unknown) => problem);
			expect(problem).toBeInstanceOf(StoreUnavailable);
			expect(problem).toMatchObject({ cause: { message: "internal error (10001)" } });
		}
	});

	it("a body that breaks off: unavailable", async () => {
		const { store: r2 } = store({
			get: () => ({ ...object, body: {}, arrayBuffer: async () => fails("connection lost")() }),
		});
		await expect(r2.get("a")).rejects.toBeInstanceOf(StoreUnavailable);
	});

	it("a range read that throws though the object reaches there: unavailable", async () => {
		const { store: r2 } = store({ get: fails("internal error (10001)"), head: () => object });
		await expect(r2.get("a", { range: { offset: 2, length: 9 } })).rejects.toBeInstanceOf(StoreUnavailable);
		expect(await r2.get("a", { range: { offset: 3, length: 9 } })).toEqual({
			kind: "found",
			bytes: new Uint8Array(0),
			etag: "e1",
			size: 3,
			modified: 5000,
		});
	});

	it("a page cut short to nothing: asked on, until there are keys or the end", async () => {
		const pages = [
			{ objects: [], truncated: true, cursor: "c1" },
			{ objects: [], truncated: true, cursor: "c2" },
			{ objects: [object], truncated: true, cursor: "c3" },
		];
		const cursors: (string | undefined)[] = [];
		const { store: r2 } = store({
			list: ({ cursor }: R2ListOptions) => {
				cursors.push(cursor);
				return pages.shift();
			},
		});
		expect(await r2.list("a", { limit: 5 })).toEqual({
			objects: [{ key: "a", size: 3, etag: "e1", modified: 5000 }],
			truncated: true,
		});
		expect(cursors).toEqual([undefined, "c1", "c2"]);
	});

	it("2500 keys to delete: three requests of at most 1000", async () => {
		const sizes: number[] = [];
		const { store: r2 } = store({ delete: (keys: string[]) => sizes.push(keys.length) });
		await r2.delete(Array.from({ length: 2500 }, (_, index) => String(index)));
		expect(sizes).toEqual([1000, 1000, 500]);
	});
});
