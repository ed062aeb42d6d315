import type { LogView, NewRecord } from "../log/log.ts";
import type { SessionInfoEntry } from "../session/entry.ts";
import { branchedRecords, planBranchedSession } from "../session/fork.ts";
import { sanitizeName } from "../session/name.ts";
import { recordOf } from "../session/record.ts";
import type { Taken } from "./branch-off.ts";
import type { Call } from "./call.ts";
import { newEntryId } from "./new-id.ts";
import { refusalOfProblem } from "./place-records.ts";
import type { Refusal } from "./refusal.ts";

/** The path to an entry (null: nothing), its labels put at the end, and a name of the new session's own. */
export function takeBranch(call: Call, view: LogView, leafId: string | null, name?: string): Taken | Refusal {
	const plan = planBranchedSession(view, leafId);
	if (plan.kind === "problem") return refusalOfProblem(plan.problem);
	const newId = () => newEntryId(call.random, (id) => view.seqOf(id) !== undefined);
	return {
		kind: "taken",
		seqs: plan.kept.map(({ seq }) => seq),
		records: (lines) => named(call, branchedRecords(view, plan, lines, newId), name),
	};
}

function named(call: Call, records: readonly NewRecord[], name: string | undefined): readonly NewRecord[] {
	if (name === undefined) return records;
	const taken = new Set(records.map(({ id }) => id));
	const entry: SessionInfoEntry = {
		type: "session_info",
		id: newEntryId(call.random, (id) => taken.has(id)),
		parentId: records.at(-1)?.id ?? null,
		timestamp: new Date(call.clock.now()).toISOString(),
		name: sanitizeName(name),
	};
	return [...records, recordOf(entry)];
}
