import type { LogView } from "../log/log.ts";
import type { Call } from "./call.ts";
import { describeSession, idOf } from "./describe-session.ts";
import type { Refusal } from "./refusal.ts";
import { unavailable } from "./unavailable.ts";

/** Lists a session as it is now, before its creation or renaming is answered. The refusal says that it isn't yet. */
export async function listSession(call: Call, view: LogView): Promise<Refusal | undefined> {
	const sighting = { session: await describeSession(view), commit: view.commit };
	const outcome = await call.catalogue.record(call.scope, call.namespace, sighting);
	// Whatever the reason: the session itself is stored, so nobody may be told that nothing was.
	return outcome.kind === "done" ? undefined : unavailable("indeterminate");
}

/** Lets lists know what an append changed, some time after its answer, unless lists are kept up to date at once. */
export async function noteActivity(call: Call, view: LogView): Promise<void> {
	await call.catalogue.activity(call.after, call.namespace, {
		id: idOf(view),
		seq: view.length,
		commit: view.commit,
		describe: (known) => describeSession(view, known),
	});
}
