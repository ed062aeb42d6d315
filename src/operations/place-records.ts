import type { LogView, NewRecord } from "../log/log.ts";
import { type AppendProblem, placeEntries } from "../session/append.ts";
import type { Entry, FixedEntry } from "../session/entry.ts";
import { entryOf, recordOf } from "../session/record.ts";
import type { SessionIndex } from "../session/session-index.ts";
import { type Refusal, refuse } from "./refusal.ts";

export type PlacedRecords =
	| Refusal
	| {
			readonly kind: "placed";
			/** One for each entry, and the `leaf` entry that puts the leaf back, if asked for. */
			readonly records: readonly NewRecord[];
	  };

/** Where entries are to be placed: on a log, or on nothing. */
export type Ground = SessionIndex & Pick<LogView, "bodies">;

/** Places entries at the end of what there is. `pathOf` leads to an entry in the client's body. */
export async function placeRecords(
	ground: Ground,
	entries: readonly FixedEntry[],
	options: {
		readonly keepLeaf?: { readonly id: string; readonly timestamp: string };
		readonly pathOf?: (at: number, field: string) => string;
	} = {},
): Promise<PlacedRecords> {
	const bodies = new Map<number, Entry>();
	for (;;) {
		const placement = placeEntries(ground, entries, {
			bodies,
			...(options.keepLeaf && { keepLeaf: options.keepLeaf }),
		});
		if (placement.kind === "problem") return refusalOf(placement.problem, placement.at, options.pathOf);
		if (placement.kind === "placed") {
			const { entries: placed, leafEntry } = placement;
			const all: readonly Entry[] = leafEntry ? [...placed, leafEntry] : placed;
			return { kind: "placed", records: all.map((entry) => recordOf(entry)) };
		}
		for (const [seq, line] of await ground.bodies(placement.seqs)) bodies.set(seq, entryOf(line));
	}
}

/** A problem with a field of a request that brings no entries. */
export function refusalOfProblem(problem: AppendProblem): Refusal {
	return refusalOf(problem, 0);
}

function refusalOf(
	problem: AppendProblem,
	at: number,
	pathOf: (at: number, field: string) => string = (_at, field) => field,
): Refusal {
	const field = problem.kind === "not_found" ? problem.field : problem.kind === "conflict" ? "id" : "";
	return refuse(problem.kind, problem.detail, [{ path: pathOf(at, field), message: problem.detail }]);
}
