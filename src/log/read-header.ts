import type { ObjectStore } from "../store/object-store.ts";
import { type Header, headerAllowance, parseHeader, type Tombstone } from "./commit.ts";
import { Corrupt } from "./errors.ts";
import { commitKey } from "./keys.ts";

/**
 * The header of commit n; undefined where there is no such object. One GET, and another one where the header is
 * longer than headers mostly are.
 * @throws Corrupt, StoreUnavailable
 */
export async function readHeader(
	store: ObjectStore,
	prefix: string,
	n: number,
): Promise<Header | Tombstone | undefined> {
	const key = commitKey(prefix, n);
	for (let length = headerAllowance; ; ) {
		const found = await store.get(key, { range: { offset: 0, length } });
		if (found.kind !== "found") return undefined;
		const parsed = parseHeader(key, n, found.bytes);
		if (parsed) return parsed.header;
		if (found.bytes.length >= found.size) throw new Corrupt(key, "is cut short");
		length = found.size;
	}
}
