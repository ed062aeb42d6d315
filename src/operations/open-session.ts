import type { LogView } from "../log/log.ts";
import { type Call, logOf } from "./call.ts";
import { deletedSession, noSuchSession, type Refusal } from "./refusal.ts";

export type Opened = Refusal | { readonly kind: "ok"; readonly view: LogView };

/** The newest state of a session. `bodies` says that the entries' lines will be wanted too. */
export async function openSession(call: Call, id: string, want?: "index" | "bodies"): Promise<Opened> {
	const outcome = await call.log.read(call.scope, logOf(call, id), want);
	if (outcome.kind === "ok") return outcome;
	return outcome.kind === "gone" ? deletedSession : noSuchSession;
}
