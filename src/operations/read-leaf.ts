import { type Call, logOf } from "./call.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { deletedSession, noSuchSession } from "./refusal.ts";
import { versionOf } from "./version.ts";

export interface LeafAnswer {
	readonly leafId: string | null;
	readonly seq: number;
}

/** Where the leaf is; the log's index is not read for it. */
export async function readLeaf(call: Call, id: string): Promise<Outcome<LeafAnswer>> {
	if (call.shared !== undefined) {
		const opened = await openSession(call, id);
		if (opened.kind === "refused") return opened;
		return done({ leafId: opened.view.head, seq: opened.view.length }, versionOf(opened.view));
	}
	const tip = await call.log.tip(call.scope, logOf(call, id));
	if (tip.kind === "gone") return deletedSession;
	if (tip.kind === "absent") return noSuchSession;
	return done({ leafId: tip.head, seq: tip.length }, { seq: tip.length, commit: tip.commit });
}
