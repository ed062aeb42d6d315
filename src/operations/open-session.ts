import type { LogName, LogView, ReadOutcome } from "../log/log.ts";
import { type Call, logOf } from "./call.ts";
import { pathView } from "./path-view.ts";
import { deletedSession, noSuchSession, type Refusal } from "./refusal.ts";

export type Opened = Refusal | { readonly kind: "ok"; readonly view: LogView };

/**
 * The newest state of a session, or of the part of it that the caller was given a share of. `bodies` says that the
 * entries' lines will be wanted too.
 */
export async function openSession(call: Call, id: string, want?: "index" | "bodies"): Promise<Opened> {
	const log = readableLog(call, id);
	return log === undefined ? noSuchSession : openedOf(call, await call.log.read(call.scope, log, want));
}

/** The log to read for a session: the caller's own, or the one that a share is of. Undefined where it is of another. */
export function readableLog(call: Call, id: string): LogName | undefined {
	const { shared } = call;
	if (shared === undefined) return logOf(call, id);
	return shared.session === id ? { namespace: shared.namespace, id } : undefined;
}

/** What the caller may see of what was read. */
export function openedOf({ shared }: Call, outcome: ReadOutcome): Opened {
	if (outcome.kind !== "ok") return outcome.kind === "gone" ? deletedSession : noSuchSession;
	if (shared?.leafId === undefined) return outcome;
	const view = pathView(outcome.view, shared.leafId);
	return view === undefined ? noSuchSession : { kind: "ok", view };
}
