import { describe, expect, it } from "vitest";
import { ConnectionLimit } from "../../src/store/connection-limit.ts";
import { type GetOutcome, type ObjectStore, StoreUnavailable } from "../../src/store/object-store.ts";

/** A store that answers each request only when told to, and knows which are under way. */
function held() {
	const underWay = new Map<string, { answer: () => void; fail: () => void }>();
	const started: string[] = [];
	const hold = <T>(name: string, value: T): Promise<T> => {
		started.push(name);
		return new Promise<T>((resolve, reject) => {
			const end = (settle: () => void) => () => {
				underWay.delete(name);
				settle();
			};
			underWay.set(name, {
				answer: end(() => resolve(value)),
				fail: end(() => reject(new StoreUnavailable("busy"))),
			});
		});
	};
	const store: ObjectStore = {
		put: (key) => hold(key, { kind: "exists" }),
		get: (key) => hold<GetOutcome>(key, { kind: "absent" }),
		list: (prefix) => hold(prefix, { objects: [], truncated: false }),
		delete: (keys) => hold(keys[0]!, undefined),
	};
	return { store, underWay, started };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("connection limit", () => {
	it("20 requests at once: never more than 6 under way, first come first served, all answered", async () => {
		const { store, underWay, started } = held();
		const limited = new ConnectionLimit(store);
		const names = Array.from({ length: 20 }, (_, index) => `r${index}`);
		const answers = Promise.all(names.map((name) => limited.get(name)));
		let most = 0;
		for (let turn = 0; turn < 20; turn++) {
			await settle();
			most = Math.max(most, underWay.size);
			const [, first] = [...underWay][turn % underWay.size]!;
			first.answer();
		}
		expect(await answers).toHaveLength(20);
		expect(most).toBe(6);
		expect(started).toEqual(names);
	});

	it("all kinds share the connections, and a failed request gives its own back", async () => {
		const { store, underWay, started } = held();
		const limited = new ConnectionLimit(store, 1);
		const failed = expect(limited.get("a")).rejects.toBeInstanceOf(StoreUnavailable);
		const others = [limited.put("b", new Uint8Array()), limited.list("c"), limited.delete(["d"])];
		await settle();
		expect(started).toEqual(["a"]);
		underWay.get("a")!.fail();
		await failed;
		for (const name of ["b", "c", "d"]) {
			await settle();
			expect([...underWay.keys()]).toEqual([name]);
			underWay.get(name)!.answer();
		}
		await Promise.all(others);
	});

	it("two instances: each has its own connections", async () => {
		const { store, underWay } = held();
		const answers = [new ConnectionLimit(store, 1).get("a"), new ConnectionLimit(store, 1).get("b")];
		await settle();
		expect(underWay.size).toBe(2);
		for (const request of [...underWay.values()]) request.answer();
		await Promise.all(answers);
	});
});
