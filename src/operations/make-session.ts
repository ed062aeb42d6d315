import type { Session } from "../../schemas/session.ts";
import type { JsonObject, LogView, NewRecord } from "../log/log.ts";
import { isRecord, type SessionHeader } from "../session/entry.ts";
import { type Call, logOf } from "./call.ts";
import { describeEarlier, describeSession, genesisMeta } from "./describe-session.ts";
import { derivedSessionId, newSessionId } from "./new-id.ts";
import { done, type Outcome } from "./outcome.ts";
import { deletedSession, type Refusal, refuse } from "./refusal.ts";
import { randomTag, tagOfKey } from "./request-tag.ts";
import { listSession } from "./tell-catalogue.ts";
import { unavailable } from "./unavailable.ts";
import { type Precondition, versionAt } from "./version.ts";

/** A session that is made whole, in one commit, or not at all. */
export interface NewSession {
	readonly header: SessionHeader;
	/** The header's line, where it is not to be made. */
	readonly headerLine?: Uint8Array;
	readonly records: readonly NewRecord[];
	/** What tells a repeat of the request from another one, beyond what the session holds. */
	readonly request: JsonObject;
	readonly key?: string;
	/** Whether a session that this key has made is what is asked for now. */
	readonly isSame: (made: MadeSession) => Promise<boolean> | boolean;
}

/** A session as its first commit left it. */
export interface MadeSession {
	readonly view: LogView;
	/** Entries that it was made with: those with a `seq` up to this. */
	readonly length: number;
	/** `NewSession.request` of whoever made it. */
	readonly request: { readonly [field: string]: unknown };
}

/** The id of a session to be made: the client's choice, else what follows from the key, else a new one. */
export function idFor(call: Call, wanted: { readonly id?: string; readonly key?: string }): string {
	if (wanted.id !== undefined) return wanted.id;
	return wanted.key === undefined
		? newSessionId(call.clock, call.random)
		: derivedSessionId(call.namespace, wanted.key);
}

/** Creates a session, or finds that the same request has created it. It is in the caller's lists before it is answered. */
export async function makeSession(call: Call, session: NewSession): Promise<Outcome<Session>> {
	const { id } = session.header;
	call.catalogue.prepare(call.scope, call.namespace, id);
	const tag = session.key === undefined ? undefined : tagOfKey(session.key);
	const bytes = session.headerLine ?? new TextEncoder().encode(JSON.stringify(session.header));
	const outcome = await call.log.create(call.scope, logOf(call, id), {
		tag: tag ?? randomTag(call.random),
		genesis: {
			meta: { ...genesisMeta(session.header), ...(tag && { request: { ...session.request, tag } }) },
			bytes,
		},
		records: session.records,
	});
	if (outcome.kind === "gone") return deletedSession;
	if (outcome.kind === "unavailable") return unavailable(outcome.reason);
	if (outcome.kind === "exists") return repeated(call, session, outcome.view);
	const { view } = outcome;
	return (await listSession(call, view)) ?? done(await describeSession(view), versionAt(view, view.length));
}

/** A request that is not to be met unless it was met before: what it was answered then, or the refusal. */
export async function replayOr(
	call: Call,
	session: Pick<NewSession, "key" | "isSame"> & { readonly id: string },
	refusal: Refusal,
): Promise<Outcome<Session>> {
	if (session.key === undefined) return refusal;
	const outcome = await call.log.read(call.scope, logOf(call, session.id));
	if (outcome.kind === "gone") return deletedSession;
	if (outcome.kind === "absent") return refusal;
	const answer = await repeated(call, session, outcome.view);
	return answer.kind === "refused" ? refusal : answer;
}

async function repeated(
	call: Call,
	session: Pick<NewSession, "key" | "isSame">,
	view: LogView,
): Promise<Outcome<Session>> {
	const request = view.genesis.request;
	if (session.key === undefined || !isRecord(request) || request.tag !== tagOfKey(session.key)) {
		return refuse("conflict", "There is a session with this id already");
	}
	const made: MadeSession = { view, length: madeLength(view), request };
	if (!(await session.isSame(made))) {
		return refuse("conflict", "This key is known with another content");
	}
	const answer = await describeEarlier(view, made.length);
	return (await listSession(call, view)) ?? done(answer, versionAt(view, made.length), true);
}

/** Number of entries in the first commit. */
function madeLength(view: LogView): number {
	let length = 0;
	while (length < view.length && view.commitOf(length + 1) === 0) length++;
	return length;
}

/** 412 for a session that cannot have a version yet. */
export function unmetPrecondition(ifMatch: Precondition | undefined): Refusal | undefined {
	if (ifMatch === undefined) return undefined;
	return refuse("precondition_failed", "The session does not exist yet, so it has no version to match");
}
