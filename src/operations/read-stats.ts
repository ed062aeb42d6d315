import { type SessionStats, sessionStats } from "../session/stats.ts";
import type { Call } from "./call.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { versionOf } from "./version.ts";

export interface StatsAnswer extends SessionStats {
	readonly seq: number;
}

/** Totals over all branches. Reads the index alone. */
export async function readStats(call: Call, id: string): Promise<Outcome<StatsAnswer>> {
	const opened = await openSession(call, id);
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	return done({ ...sessionStats(view), seq: view.length }, versionOf(view));
}
