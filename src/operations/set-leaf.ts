import type { NewEntry } from "../session/entry.ts";
import { writeEntries } from "./append-entries.ts";
import type { Call } from "./call.ts";
import { soughtBy } from "./earlier-request.ts";
import { done, type Outcome } from "./outcome.ts";
import type { Precondition } from "./version.ts";

export interface SetLeafRequest {
	readonly id: string;
	/** Where the leaf shall be; null: before the first entry. */
	readonly targetId: string | null;
	readonly key?: string;
	readonly ifMatch?: Precondition;
}

export interface LeafMoved {
	readonly leafId: string | null;
	readonly seq: number;
	/** The line of the `leaf` entry, where one was written. */
	readonly entry?: Uint8Array;
}

/**
 * Moves the leaf by a `leaf` entry. Where it is there already nothing is written, unless the request has a key, which
 * must leave its mark.
 */
export async function setLeaf(call: Call, request: SetLeafRequest): Promise<Outcome<LeafMoved>> {
	const { id, targetId, key, ifMatch } = request;
	const entry: NewEntry = { type: "leaf", targetId };
	const outcome = await writeEntries(call, {
		id,
		sought: soughtBy(call.random, key, [entry]),
		...(ifMatch && { ifMatch }),
		...(key === undefined && { idle: (view) => view.head === targetId }),
	});
	if (outcome.kind === "refused") return outcome;
	const { leafId, seq, entries } = outcome.value;
	const line = entries.first[0];
	return done({ leafId, seq, ...(line && { entry: line }) }, outcome.version, outcome.replayed);
}
