import type { Session } from "../../schemas/session.ts";
import type { LogView } from "../log/log.ts";
import { planFork, selectedText } from "../session/fork.ts";
import { entryOf, recordAt } from "../session/record.ts";
import { branchOff, type FromSource } from "./branch-off.ts";
import type { Call } from "./call.ts";
import type { Outcome } from "./outcome.ts";
import { refusalOfProblem } from "./place-records.ts";
import { refuse } from "./refusal.ts";
import { takeBranch } from "./take-branch.ts";

export interface ForkRequest extends FromSource {
	readonly entryId: string;
	readonly position: "before" | "at";
}

export interface Forked {
	readonly session: Session;
	/** The text of the user message that the fork was made before. */
	readonly selectedText?: string;
}

/** Makes a session of the path to an entry, or to what is before a user message. */
export async function forkSession(call: Call, request: ForkRequest): Promise<Outcome<Forked>> {
	const { entryId, position, ...from } = request;
	const outcome = await branchOff(call, {
		...from,
		request: { by: "forkSession", entryId, position },
		take: (view) => {
			const plan = planFork(view, entryId, position);
			return plan.kind === "problem" ? refusalOfProblem(plan.problem) : takeBranch(call, view, plan.leafId);
		},
	});
	if (outcome.kind === "refused") return outcome;
	const { session, source } = outcome.value;
	const text = await selectedTextOf(source, entryId, position);
	return { ...outcome, value: { session, ...(text !== undefined && { selectedText: text }) } };
}

async function selectedTextOf(
	view: LogView,
	entryId: string,
	position: "before" | "at",
): Promise<string | undefined> {
	const plan = planFork(view, entryId, position);
	const seq = plan.kind === "fork" ? plan.textSeq : undefined;
	if (seq === undefined) return undefined;
	const line = (await view.bodies([seq])).get(seq);
	return line && selectedText(entryOf(line));
}

/** Makes a session of the path to the leaf. */
export async function cloneSession(call: Call, from: FromSource): Promise<Outcome<Forked>> {
	const outcome = await branchOff(call, {
		...from,
		request: { by: "cloneSession" },
		take: (view) =>
			view.head === null
				? refuse("unprocessable", "The session has no leaf, so there is nothing to clone")
				: takeBranch(call, view, view.head),
	});
	if (outcome.kind === "refused") return outcome;
	return { ...outcome, value: { session: outcome.value.session } };
}

/** Makes a session of the whole tree: every entry of every branch as it is, the leaf where it is. */
export async function copySession(call: Call, from: FromSource): Promise<Outcome<Session>> {
	const outcome = await branchOff(call, {
		...from,
		request: { by: "copySession" },
		take: (view) => {
			const seqs = Array.from({ length: view.length }, (_, at) => at + 1);
			const lineOf = (lines: ReadonlyMap<number, Uint8Array>, seq: number) => {
				const line = lines.get(seq);
				if (line === undefined) throw new Error(`the log gave no line for entry ${seq}`);
				return recordAt(view, seq, line);
			};
			return { kind: "taken", seqs, records: (lines) => seqs.map((seq) => lineOf(lines, seq)) };
		},
	});
	return outcome.kind === "refused" ? outcome : { ...outcome, value: outcome.value.session };
}
