import { type ObjectStore, StoreUnavailable } from "./object-store.ts";

/** Whether a store keeps what the port promises, as far as a moment can tell. */
export type Capability = { readonly kind: "ready" } | { readonly kind: "unfit"; readonly why: string };

/** Where the probe leaves its object for a moment. No log and no snapshot has its key below it. */
export const probePrefix = "~probe/";

const attempts = 4;

/**
 * Tries on an object of its own what every append relies on: that a second creation of a key is refused, and that
 * a new object is read and listed at once. Removes the object again. Five requests. `name` makes the object's key
 * unlike that of any other probe; `sleep` waits so many milliseconds.
 * Throws {@link StoreUnavailable} when the store gives no clear answer.
 */
export async function probeStore(
	store: ObjectStore,
	parts: { readonly name: string; readonly sleep: (milliseconds: number) => Promise<void> },
): Promise<Capability> {
	const key = `${probePrefix}${parts.name}`;
	try {
		return await probe(store, key, parts.sleep);
	} finally {
		// What stays behind where this fails too is a few bytes under a prefix that nobody reads.
		await store.delete([key]).catch(() => {});
	}
}

async function probe(
	store: ObjectStore,
	key: string,
	sleep: (milliseconds: number) => Promise<void>,
): Promise<Capability> {
	const first = new TextEncoder().encode("first");
	await createClearly(store, key, first, sleep);
	const second = await createClearly(store, key, new TextEncoder().encode("second"), sleep);
	if (second === "created") {
		return unfit(
			"it ignores If-None-Match: a second creation of one key replaced the first instead of being refused. " +
				"Without conditional writes acknowledged entries would be lost",
		);
	}
	const found = await store.get(key);
	if (found.kind !== "found" || String(found.bytes) !== String(first)) {
		return unfit("an object that was just created isn't read back as it was written");
	}
	const { objects } = await store.list(key, { limit: 1 });
	if (objects[0]?.key !== key) return unfit("an object that was just created isn't listed");
	return { kind: "ready" };
}

/** Creates the object; where it is unclear whether that worked, tries again after a second (R2's limit a key). */
async function createClearly(
	store: ObjectStore,
	key: string,
	bytes: Uint8Array,
	sleep: (milliseconds: number) => Promise<void>,
): Promise<"created" | "exists"> {
	for (let attempt = 1; ; attempt++) {
		const outcome = await store.put(key, bytes, { ifAbsent: true });
		if (outcome.kind !== "unknown") return outcome.kind;
		if (attempt === attempts) {
			throw new StoreUnavailable("The object store gave no clear answer to a write", {
				cause: outcome.cause,
			});
		}
		await sleep(1100);
	}
}

function unfit(problem: string): Capability {
	return { kind: "unfit", why: `The object store can't hold sessions: ${problem}.` };
}
