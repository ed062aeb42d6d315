import type { Session } from "../../schemas/session.ts";
import type { JsonObject, LogView, NewRecord } from "../log/log.ts";
import { equalJson } from "../session/equal-json.ts";
import { newHeader } from "../session/header.ts";
import type { Call } from "./call.ts";
import { idFor, type MadeSession, makeSession, replayOr } from "./make-session.ts";
import { openSession } from "./open-session.ts";
import type { Outcome } from "./outcome.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { holds, type Precondition } from "./version.ts";

/** What every request says that makes a session from another one. */
export interface FromSource {
	/** The session to take from. */
	readonly source: string;
	readonly id?: string;
	/** The source's unless given. */
	readonly cwd?: string;
	readonly key?: string;
	/** Of the source. */
	readonly ifMatch?: Precondition;
}

export interface BranchOff extends FromSource {
	/** What is asked for, beside the id and the working directory: a repeat of the key must say the same. */
	readonly request: JsonObject;
	/** What the new session shall hold. */
	readonly take: (view: LogView) => Taken | Refusal | Promise<Taken | Refusal>;
}

export interface Taken {
	readonly kind: "taken";
	/** Entries of the source whose lines are needed. */
	readonly seqs: readonly number[];
	readonly records: (lines: ReadonlyMap<number, Uint8Array>) => readonly NewRecord[];
}

/** A session made from another, and the other as it was seen. */
export type BranchedOff = Outcome<{ readonly session: Session; readonly source: LogView }>;

/**
 * Makes a session of what another one holds, whole or not at all. Costs the reads and one PUT, and one for the lists.
 */
export async function branchOff(call: Call, given: BranchOff): Promise<BranchedOff> {
	// The other namespace's session is no parent here: this namespace may have one with the same id.
	const from = call.shared ? { ...given, request: { ...given.request, shared: given.source } } : given;
	const most = call.limits.cwdCharacters;
	if ((from.cwd?.length ?? 0) > most) {
		const message = `A working directory has at most ${most} characters`;
		return refuse("payload_too_large", message, [{ path: "cwd", message }]);
	}
	const opened = await openSession(call, from.source, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const outcome = await takenFrom(call, from, view);
	return outcome.kind === "refused"
		? outcome
		: { ...outcome, value: { session: outcome.value, source: view } };
}

async function takenFrom(call: Call, from: BranchOff, view: LogView): Promise<Outcome<Session>> {
	const target = {
		id: idFor(call, from),
		isSame: (made: MadeSession) => isRepeat(made, from, call.shared === undefined ? from.source : undefined),
		...(from.key !== undefined && { key: from.key }),
	};
	if (!holds(from.ifMatch, view.length)) {
		return replayOr(call, target, refuse("precondition_failed", `The session's version is ${view.length}`));
	}
	const taken = await from.take(view);
	if (taken.kind === "refused") return replayOr(call, target, taken);
	const most = call.limits.madeSessionBytes;
	const bytes = taken.seqs.reduce((sum, seq) => sum + view.byteLength(seq), 0);
	if (bytes > most) {
		const refusal = refuse(
			"payload_too_large",
			`A session that is made from another has at most ${most} bytes`,
		);
		return replayOr(call, target, refusal);
	}
	if (call.readPlace && !(await call.readPlace.take(bytes))) {
		return refuse("contention", "Other large sessions are being made; nothing was stored");
	}
	const records = taken.records(await linesOf(view, taken.seqs));
	const { sessionEntries } = call.limits;
	if (records.length > sessionEntries) {
		return refuse("payload_too_large", `A session holds at most ${sessionEntries} entries`);
	}
	return makeSession(call, {
		...target,
		header: newHeader({
			id: target.id,
			timestamp: new Date(call.clock.now()).toISOString(),
			cwd: from.cwd ?? cwdOf(view),
			...(call.shared === undefined && { parentSession: from.source }),
		}),
		records,
		request: from.request,
	});
}

/** Bytes of lines that are asked for at a time. */
const waveBytes = 4 * 1024 * 1024;

async function linesOf(view: LogView, seqs: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>> {
	const lines = new Map<number, Uint8Array>();
	let wave: number[] = [];
	let bytes = 0;
	const read = async () => {
		for (const [seq, line] of await view.bodies(wave)) lines.set(seq, line);
		wave = [];
		bytes = 0;
	};
	for (const seq of seqs) {
		wave.push(seq);
		bytes += view.byteLength(seq);
		if (bytes >= waveBytes) await read();
	}
	await read();
	return lines;
}

function cwdOf(view: LogView): string {
	return typeof view.genesis.cwd === "string" ? view.genesis.cwd : "/";
}

/** Whether every field that is given now equals what was given or stored then. */
function isRepeat({ view, request }: MadeSession, given: BranchOff, parent: string | undefined): boolean {
	const { genesis } = view;
	return (
		genesis.parentSession === parent &&
		(given.id === undefined || given.id === genesis.id) &&
		(given.cwd === undefined || given.cwd === genesis.cwd) &&
		Object.entries(given.request).every(([field, value]) => equalJson(value, request[field]))
	);
}
