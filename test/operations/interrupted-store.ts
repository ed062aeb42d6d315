import { type ObjectStore, StoreUnavailable } from "../../src/store/object-store.ts";

/** A store, and what happens before each of its requests is sent. */
export function interrupted(store: ObjectStore, happens: (request: number) => Promise<void> | void) {
	let asked = 0;
	const before = async <T>(request: () => Promise<T>): Promise<T> => {
		await happens(asked++);
		return request();
	};
	const wrapped: ObjectStore = {
		put: (...given) => before(() => store.put(...given)),
		get: (...given) => before(() => store.get(...given)),
		list: (...given) => before(() => store.list(...given)),
		delete: (...given) => before(() => store.delete(...given)),
	};
	return { store: wrapped, asked: () => asked };
}

/** A process that dies before its request number `at` (from 0): nothing of it is sent from then on. */
export function killed(store: ObjectStore, at: number) {
	return interrupted(store, (request) => {
		if (request >= at) throw new StoreUnavailable("the process is gone");
	});
}
