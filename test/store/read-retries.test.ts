import { describe, expect, it } from "vitest";
import { type ObjectStore, StoreUnavailable } from "../../src/store/object-store.ts";
import { ReadRetries } from "../../src/store/read-retries.ts";

/** A store that fails `failures` times with `problem`, then answers. */
function failing(failures: number, problem: Error) {
	const sent: string[] = [];
	const answer = async <T>(kind: string, value: T): Promise<T> => {
		sent.push(kind);
		if (sent.length <= failures) throw problem;
		return value;
	};
	const store: ObjectStore = {
		put: () => answer("put", { kind: "unknown", cause: problem }),
		get: () => answer("get", { kind: "absent" }),
		list: () => answer("list", { objects: [], truncated: false }),
		delete: () => answer("delete", undefined),
	};
	return { store, sent };
}

function retrying(store: ObjectStore, random = () => 0.5) {
	const waits: number[] = [];
	const sleep = async (milliseconds: number) => void waits.push(milliseconds);
	return { store: new ReadRetries(store, { sleep, random }), waits };
}

const unavailable = new StoreUnavailable("503");

describe("read retries", () => {
	it("get, list and delete: repeated until answered", async () => {
		for (const send of [
			(store: ObjectStore) => store.get("a"),
			(store: ObjectStore) => store.list("a"),
			(store: ObjectStore) => store.delete(["a"]),
		]) {
			const { store, sent } = failing(3, unavailable);
			await send(retrying(store).store);
			expect(sent).toHaveLength(4);
		}
	});

	it("no answer to four attempts: thrown, after no more", async () => {
		const { store, sent } = failing(99, unavailable);
		await expect(retrying(store).store.get("a")).rejects.toBe(unavailable);
		expect(sent).toHaveLength(4);
	});

	it("waits: a random part of a bound that doubles up to a second", async () => {
		const { store, sent } = failing(99, unavailable);
		const waits: number[] = [];
		const patient = new ReadRetries(store, {
			sleep: async (milliseconds) => void waits.push(milliseconds),
			random: () => 0.5,
			attempts: 8,
		});
		await expect(patient.list("a")).rejects.toBe(unavailable);
		expect(waits).toEqual([25, 50, 100, 200, 400, 500, 500]);
		expect(sent).toHaveLength(8);
		const none = retrying(failing(1, unavailable).store, () => 0);
		await none.store.get("a");
		expect(none.waits).toEqual([0]);
	});

	it("any other error: thrown at once", async () => {
		const surprise = new TypeError("bug");
		const { store, sent } = failing(1, surprise);
		await expect(retrying(store).store.get("a")).rejects.toBe(surprise);
		expect(sent).toHaveLength(1);
	});

	it("put: sent once, whatever is answered", async () => {
		const doubtful = failing(0, unavailable);
		expect((await retrying(doubtful.store).store.put("a", new Uint8Array())).kind).toBe("unknown");
		expect(doubtful.sent).toEqual(["put"]);
		const broken = failing(1, unavailable);
		await expect(retrying(broken.store).store.put("a", new Uint8Array())).rejects.toBe(unavailable);
		expect(broken.sent).toEqual(["put"]);
	});
});
