import { type ObjectStore, StoreUnavailable } from "../store/object-store.ts";
import { gatherBodies } from "./body-region.ts";
import type { DerivedPrefix } from "./derive-header.ts";
import { Corrupt } from "./errors.ts";
import { commitKey, commitNumber } from "./keys.ts";
import type { LogIndex } from "./log-index.ts";
import { readHeader } from "./read-header.ts";

export interface Restoration {
	readonly prefix: string;
	/** The whole index. */
	readonly index: LogIndex;
	/** The damaged object's commit. */
	readonly n: number;
	/** The newest commit that the check knows. */
	readonly newest: number;
	readonly derived: DerivedPrefix;
	readonly mayWrite: boolean;
}

export interface Restored {
	readonly outcome: "repairable" | "repaired" | "lost" | "unclear";
	/** Records whose bodies are nowhere any more. */
	readonly lost: readonly number[];
}

/**
 * Puts a damaged or missing object together again, and writes it where that is wanted and the log has not ended.
 * In the place of bodies that are lost stays what was found there, or spaces: reading them is an error as before.
 * @throws StoreUnavailable
 */
export async function restoreObject(store: ObjectStore, what: Restoration): Promise<Restored> {
	const { prefix, index, n, derived } = what;
	const key = commitKey(prefix, n);
	const found = await store.get(key);
	const damaged = found.kind === "found" ? found.bytes : undefined;
	const { bytes: bodies, lost } = await gatherBodies(store, prefix, index, n, damaged);
	const bytes = new Uint8Array(derived.headerLine.length + derived.index.length + bodies.length);
	bytes.set(derived.headerLine);
	bytes.set(derived.index, derived.headerLine.length);
	bytes.set(bodies, derived.headerLine.length + derived.index.length);
	if (damaged && isSame(damaged, bytes)) return { outcome: lost.length > 0 ? "lost" : "unclear", lost };
	if (!what.mayWrite) return { outcome: "repairable", lost };
	// What has ended is not brought back.
	if (await hasEnded(store, prefix, what.newest)) return { outcome: "unclear", lost };
	const put = await store.put(key, bytes, { ifAbsent: damaged === undefined });
	if (put.kind === "unknown") throw new StoreUnavailable(`${key}: may or may not have been repaired`);
	const written = await store.get(key);
	const isRepaired = written.kind === "found" && isSame(written.bytes, bytes);
	return { outcome: isRepaired ? "repaired" : "unclear", lost };
}

async function hasEnded(store: ObjectStore, prefix: string, newest: number): Promise<boolean> {
	const { objects } = await store.list(prefix, { limit: 1 });
	const top = objects[0] && commitNumber(objects[0].key);
	const numbers = top === undefined || top === newest ? [0] : [0, top];
	for (const n of numbers) {
		try {
			if ((await readHeader(store, prefix, n))?.kind === "tombstone") return true;
		} catch (error) {
			if (!(error instanceof Corrupt)) throw error;
		}
	}
	return false;
}

export function isSame(left: Uint8Array, right: Uint8Array): boolean {
	return left.length === right.length && left.every((byte, k) => byte === right[k]);
}
