import type { Session } from "../../schemas/session.ts";
import type { LogView, NewRecord } from "../log/log.ts";
import type { SessionInfoEntry } from "../session/entry.ts";
import { branchedRecords, planBranchedSession } from "../session/fork.ts";
import { newHeader } from "../session/header.ts";
import { sanitizeName } from "../session/name.ts";
import { recordOf } from "../session/record.ts";
import type { Call } from "./call.ts";
import { nameTooLong } from "./incoming-entries.ts";
import { idFor, type MadeSession, makeSession, replayOr } from "./make-session.ts";
import { newEntryId } from "./new-id.ts";
import { openSession } from "./open-session.ts";
import type { Outcome } from "./outcome.ts";
import { refuse } from "./refusal.ts";
import { holds, type Precondition } from "./version.ts";

export interface BranchedSessionRequest {
	/** The session to take the path from. */
	readonly source: string;
	/** Where the path ends. */
	readonly leafId: string;
	readonly id?: string;
	readonly cwd?: string;
	readonly name?: string;
	readonly key?: string;
	/** Of the source. */
	readonly ifMatch?: Precondition;
}

/** Makes a session of the path to an entry of another one: the same entry ids, labels taken out and put at the end. */
export async function createBranchedSession(
	call: Call,
	request: BranchedSessionRequest,
): Promise<Outcome<Session>> {
	const long = nameTooLong(request.name, call.limits);
	if (long) return refuse("payload_too_large", long, [{ path: "name", message: long }]);
	const opened = await openSession(call, request.source, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;

	const target = {
		id: idFor(call, request),
		isSame: (made: MadeSession) => isRepeat(made, request),
		...(request.key !== undefined && { key: request.key }),
	};
	if (!holds(request.ifMatch, view.length)) {
		return replayOr(call, target, refuse("precondition_failed", `The session's version is ${view.length}`));
	}
	const plan = planBranchedSession(view, request.leafId);
	if (plan.kind === "problem") {
		const { kind, detail } = plan.problem;
		return replayOr(call, target, refuse(kind, detail, [{ path: "leafId", message: detail }]));
	}
	const seqs = plan.kept.map(({ seq }) => seq);
	const most = call.limits.madeSessionBytes;
	if (seqs.reduce((sum, seq) => sum + view.byteLength(seq), 0) > most) {
		return refuse("payload_too_large", `A session that is made from another has at most ${most} bytes`);
	}
	const lines = await view.bodies(seqs);
	const records = branchedRecords(view, plan, lines, () =>
		newEntryId(call.random, (id) => view.seqOf(id) !== undefined),
	);
	return makeSession(call, {
		...target,
		header: newHeader({
			id: target.id,
			timestamp: new Date(call.clock.now()).toISOString(),
			cwd: request.cwd ?? cwdOf(view),
			parentSession: request.source,
		}),
		records: [...records, ...nameRecord(call, records, request.name)],
		request: { by: "createBranchedSession", leafId: request.leafId },
	});
}

function cwdOf(view: LogView): string {
	return typeof view.genesis.cwd === "string" ? view.genesis.cwd : "/";
}

/** The entry for a name of the new session's own. */
function nameRecord(call: Call, records: readonly NewRecord[], name: string | undefined): NewRecord[] {
	if (name === undefined) return [];
	const taken = new Set(records.map(({ id }) => id));
	const entry: SessionInfoEntry = {
		type: "session_info",
		id: newEntryId(call.random, (id) => taken.has(id)),
		parentId: records.at(-1)?.id ?? null,
		timestamp: new Date(call.clock.now()).toISOString(),
		name: sanitizeName(name),
	};
	return [recordOf(entry)];
}

/** Whether every field that is given now equals what was stored then. */
function isRepeat({ view, length, request }: MadeSession, given: BranchedSessionRequest): boolean {
	if (request.by !== "createBranchedSession" || request.leafId !== given.leafId) return false;
	const { genesis } = view;
	if (genesis.parentSession !== given.source) return false;
	if (given.id !== undefined && given.id !== genesis.id) return false;
	if (given.cwd !== undefined && given.cwd !== genesis.cwd) return false;
	if (given.name === undefined) return true;
	if (length === 0 || view.kind(length) !== "session_info") return false;
	return sanitizeName(given.name) === (view.meta(length).n ?? "");
}
