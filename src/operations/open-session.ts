import type { LogView } from "../log/log.ts";
import { type Call, logOf } from "./call.ts";
import { pathView } from "./path-view.ts";
import { deletedSession, noSuchSession, type Refusal } from "./refusal.ts";

export type Opened = Refusal | { readonly kind: "ok"; readonly view: LogView };

/**
 * The newest state of a session, or of the part of it that the caller was given a share of. `bodies` says that the
 * entries' lines will be wanted too.
 */
export async function openSession(call: Call, id: string, want?: "index" | "bodies"): Promise<Opened> {
	const { shared } = call;
	const name = shared === undefined ? logOf(call, id) : { namespace: shared.namespace, id };
	if (shared !== undefined && shared.session !== id) return noSuchSession;
	const outcome = await call.log.read(call.scope, name, want);
	if (outcome.kind !== "ok") return outcome.kind === "gone" ? deletedSession : noSuchSession;
	if (shared?.leafId === undefined) return outcome;
	const view = pathView(outcome.view, shared.leafId);
	return view === undefined ? noSuchSession : { kind: "ok", view };
}
