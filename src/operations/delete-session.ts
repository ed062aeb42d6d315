import type { LogView } from "../log/log.ts";
import { type Call, logOf } from "./call.ts";
import { deletedSession, noSuchSession, type Refusal, refuse } from "./refusal.ts";
import { unavailable } from "./unavailable.ts";
import { holds, type Precondition } from "./version.ts";

/** Ends a session for ever. Its content leaves the bucket later. */
export async function deleteSession(
	call: Call,
	request: { readonly id: string; readonly ifMatch?: Precondition },
): Promise<Refusal | { readonly kind: "deleted" }> {
	call.catalogue.prepare(call.scope, call.namespace, request.id);
	const { ifMatch } = request;
	const mayEnd = (view: LogView) => ifMatch === undefined || holds(ifMatch, view.length);
	const outcome = await call.log.endIf(call.scope, logOf(call, request.id), mayEnd);
	if (outcome.kind === "refused") {
		return refuse("precondition_failed", `The session's version is ${outcome.view.length}`);
	}
	if (outcome.kind === "absent") return noSuchSession;
	if (outcome.kind === "unavailable") return unavailable(outcome.reason);
	// A repeat of a deletion that was not listed before its answer was lost brings that along.
	const remove = outcome.kind === "gone" ? "removeAgain" : "remove";
	const unlisted = await call.catalogue[remove](call.scope, call.namespace, request.id);
	if (unlisted.kind === "unavailable") return unavailable("indeterminate");
	return outcome.kind === "gone" ? deletedSession : { kind: "deleted" };
}
