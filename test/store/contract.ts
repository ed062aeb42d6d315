import { describe, expect, it } from "vitest";
import { probePrefix, probeStore } from "../../src/store/capability.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { describeDelete } from "./contract/delete.ts";
import { describeGet } from "./contract/get.ts";
import { describeList } from "./contract/list.ts";
import { Place, type TestInPlace } from "./contract/place.ts";
import { describePut } from "./contract/put.ts";

/**
 * What every backend owes the log (src/store/object-store.ts), checked against a real one. `open` gives the
 * store under test; each test keeps to a prefix of its own, so the bucket may hold other things.
 */
export function describeObjectStore(name: string, open: () => ObjectStore | Promise<ObjectStore>): void {
	const test: TestInPlace = (title, check, timeout = 60_000) =>
		it(
			title,
			async () => {
				const place = new Place(await open());
				try {
					await check(place);
				} finally {
					await place.clear();
				}
			},
			timeout,
		);

	describe(`object store ${name}`, () => {
		describePut(test);
		describeGet(test);
		describeList(test);
		describeDelete(test);
		test("capability probe: ready, and nothing of it stays", async ({ store }) => {
			const name = crypto.randomUUID();
			const sleep = (milliseconds: number) => new Promise<void>((wake) => setTimeout(wake, milliseconds));
			expect(await probeStore(store, { name, sleep })).toEqual({ kind: "ready" });
			expect((await store.list(probePrefix + name)).objects).toEqual([]);
		});
	});
}
