import { type Call, logOf } from "./call.ts";
import { done, type Outcome } from "./outcome.ts";
import { deletedSession, noSuchSession } from "./refusal.ts";

export interface LeafAnswer {
	readonly leafId: string | null;
	readonly seq: number;
}

/** Where the leaf is; the log's index is not read for it. */
export async function readLeaf(call: Call, id: string): Promise<Outcome<LeafAnswer>> {
	const tip = await call.log.tip(call.scope, logOf(call, id));
	if (tip.kind === "gone") return deletedSession;
	if (tip.kind === "absent") return noSuchSession;
	return done({ leafId: tip.head, seq: tip.length }, { seq: tip.length, commit: tip.commit });
}
