import type { Issue } from "../../schemas/error.ts";
import type { Session } from "../../schemas/session.ts";
import type { NewRecord } from "../log/log.ts";
import type { FixedEntry, NewEntry, SessionHeader } from "../session/entry.ts";
import { equalJson } from "../session/equal-json.ts";
import { sanitizeName } from "../session/name.ts";
import { IndexOverlay } from "../session/session-index.ts";
import type { Call } from "./call.ts";
import { allSame } from "./earlier-request.ts";
import { fixEntries, incomingEntries, metadataTooLarge, nameTooLong } from "./incoming-entries.ts";
import { idFor, type MadeSession, makeSession, replayOr, unmetPrecondition } from "./make-session.ts";
import type { Outcome } from "./outcome.ts";
import { type Ground, placeRecords } from "./place-records.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { Precondition } from "./version.ts";

export interface CreateSessionRequest {
	readonly id?: string;
	readonly cwd?: string;
	readonly name?: string;
	readonly parentSession?: string;
	readonly metadata?: { readonly [key: string]: unknown };
	readonly entries?: readonly unknown[];
	readonly key?: string;
	readonly ifMatch?: Precondition;
}

/** Creates a session with all that it shall hold: the entries, then one for its name. */
export async function createSession(call: Call, request: CreateSessionRequest): Promise<Outcome<Session>> {
	const large = tooLargeField(call, request);
	if (large) return refuse("payload_too_large", large.message, [large]);
	const incoming = incomingEntries(request.entries ?? [], call.limits);
	if (incoming.kind === "refused") return incoming;

	const id = idFor(call, request);
	const isSame = (made: MadeSession) => isRepeat(made, request, incoming.entries);
	const target = { id, isSame, ...(request.key !== undefined && { key: request.key }) };
	const unmet = unmetPrecondition(request.ifMatch);
	if (unmet) return replayOr(call, target, unmet);

	const placed = await placeOnNothing(call, incoming.entries, request.name);
	if (placed.kind === "refused") return replayOr(call, target, placed);
	return makeSession(call, {
		...target,
		header: headerOf(call, id, request),
		records: placed.records,
		request: { by: "createSession", entries: incoming.entries.length },
	});
}

function tooLargeField(call: Call, { name, metadata, cwd }: CreateSessionRequest): Issue | undefined {
	const { limits } = call;
	const longCwd = (cwd?.length ?? 0) > limits.cwdCharacters;
	const findings: readonly [string, string | undefined][] = [
		["name", nameTooLong(name, limits)],
		["metadata", metadataTooLarge(metadata, limits)],
		["cwd", longCwd ? `A working directory has at most ${limits.cwdCharacters} characters` : undefined],
	];
	for (const [path, message] of findings) if (message !== undefined) return { path, message };
	return undefined;
}

/** The first line of a new session. */
export function headerOf(
	call: Call,
	id: string,
	fields: Pick<CreateSessionRequest, "cwd" | "parentSession" | "metadata">,
): SessionHeader {
	return {
		type: "session",
		version: 3,
		id,
		timestamp: new Date(call.clock.now()).toISOString(),
		cwd: fields.cwd ?? "/",
		...(fields.parentSession !== undefined && { parentSession: fields.parentSession }),
		...(fields.metadata !== undefined && { metadata: fields.metadata }),
	};
}

const nothing: Ground = Object.assign(new IndexOverlay(), {
	bodies: async () => new Map<number, Uint8Array>(),
});

async function placeOnNothing(
	call: Call,
	entries: readonly NewEntry[],
	name: string | undefined,
): Promise<Refusal | { readonly kind: "placed"; readonly records: readonly NewRecord[] }> {
	const named = name !== undefined && (sanitizeName(name) !== "" || entries.some(isName));
	const all: NewEntry[] = named ? [...entries, { type: "session_info", name }] : [...entries];
	const fixed: readonly FixedEntry[] = fixEntries(call, all, () => false);
	return placeRecords(nothing, fixed, { pathOf: (at, field) => ["entries", at, field].join(".") });
}

function isName(entry: NewEntry): boolean {
	return entry.type === "session_info";
}

/** Whether every field that is given now equals what was stored then. */
async function isRepeat(
	{ view, length, request }: MadeSession,
	given: CreateSessionRequest,
	entries: readonly NewEntry[],
): Promise<boolean> {
	const count = request.entries;
	if (request.by !== "createSession" || typeof count !== "number") return false;
	const { genesis } = view;
	for (const field of ["id", "cwd", "parentSession"] as const) {
		if (given[field] !== undefined && given[field] !== genesis[field]) return false;
	}
	if (given.metadata !== undefined && !equalJson(given.metadata, genesis.metadata)) return false;
	if (given.name !== undefined && sanitizeName(given.name) !== nameAt(view, count, length)) return false;
	if (given.entries === undefined) return true;
	if (entries.length !== count) return false;
	const seqs = Array.from({ length: count }, (_, at) => at + 1);
	return allSame(view, entries, seqs);
}

/** The name that followed the entries, "" where none did. */
function nameAt(view: MadeSession["view"], entries: number, length: number): unknown {
	return length > entries ? (view.meta(length).n ?? "") : "";
}
