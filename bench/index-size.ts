import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { headerAllowance, parseHeader } from "../src/log/commit.ts";
import { commitKey, logPrefix } from "../src/log/keys.ts";
import type { ObjectStore } from "../src/store/object-store.ts";
import type { Stage } from "./growth.ts";
import { LeaflogInstance, session } from "./leaflog-design.ts";
import { bytes, table } from "./table.ts";
import { VirtualTime } from "./virtual-time.ts";

/** What the index of a session takes. */
export interface IndexSize {
	readonly entries: number;
	/** Bytes an entry in the bucket: its index record and its commit's line, in one copy. */
	readonly stored: number;
	/** The same without what the caller chose: ids of tool calls, and usage numbers. */
	readonly own: number;
	/** Memory, bytes: objects of the heap, and buffers. */
	readonly heap: number;
	readonly buffers: number;
}

/** Opens the session cold and sees what it keeps, once the garbage is collected. */
export async function measureIndex(stage: Stage): Promise<IndexSize> {
	setFlagsFromString("--expose-gc");
	const collect = runInNewContext("gc") as () => void;
	const memory = async () => {
		// Twice, with a turn in between: buffers are freed by finalizers.
		for (let turn = 0; turn < 2; turn++) {
			collect();
			await new Promise((resolve) => setImmediate(resolve));
		}
		return process.memoryUsage();
	};
	const before = await memory();
	const instance = new LeaflogInstance(new VirtualTime());
	const outcome = await instance.log.read({ store: stage.leaflog }, session, "index");
	if (outcome.kind !== "ok") throw new Error(outcome.kind);
	const after = await memory();
	const { view } = outcome;
	const stored = await storedIndex(stage.leaflog, view.commit);
	let callers = 0;
	for (let seq = 1; seq <= view.length; seq++) {
		const { c, u } = view.meta(seq);
		if (c !== undefined) callers += JSON.stringify({ c }).length - 1;
		if (u !== undefined) callers += JSON.stringify({ u }).length - 1;
	}
	return {
		entries: stage.entries,
		stored: stored / stage.entries,
		own: (stored - callers) / stage.entries,
		heap: after.heapUsed - before.heapUsed,
		buffers: after.arrayBuffers - before.arrayBuffers,
	};
}

/** Bytes of the whole index: what the objects of the cover hold. */
async function storedIndex(store: ObjectStore, newest: number): Promise<number> {
	const prefix = logPrefix(session);
	let sum = 0;
	for (let n = newest; n >= 0; ) {
		const key = commitKey(prefix, n);
		const found = await store.get(key, { range: { offset: 0, length: headerAllowance } });
		const header = found.kind === "found" ? parseHeader(key, n, found.bytes)?.header : undefined;
		if (header?.kind !== "live") throw new Error(`no commit at ${key}`);
		sum += header.indexLength;
		n -= header.indexCarried;
	}
	return sum;
}

/** A table of them. */
export function indexTable(sizes: readonly IndexSize[]): string {
	return table(sizes, [
		{ title: "entries", cell: ({ entries }) => entries },
		{ title: "stored, bytes an entry", cell: ({ stored }) => stored },
		{ title: "without ids of calls and usage", cell: ({ own }) => own },
		{ title: "memory, objects", cell: ({ heap }) => bytes(heap) },
		{ title: "buffers", cell: ({ buffers }) => bytes(buffers) },
		{ title: "bytes an entry", cell: ({ entries, heap, buffers }) => (heap + buffers) / entries },
	]);
}
