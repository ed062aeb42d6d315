import { type Call, logOf } from "./call.ts";
import { openSession } from "./open-session.ts";

/**
 * Number of a session's newest commit, or null where there is none: all that it takes to tell that nothing changed.
 * A deleted session's is another one than any answer about it named.
 */
export async function newestCommit(call: Call, id: string): Promise<number | null> {
	if (call.shared !== undefined) {
		const opened = await openSession(call, id);
		return opened.kind === "ok" ? opened.view.commit : null;
	}
	return call.log.newestCommit(call.scope, logOf(call, id));
}
