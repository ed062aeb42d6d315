import { forkPoints, selectedText } from "../session/fork.ts";
import { entryOf } from "../session/record.ts";
import type { Call } from "./call.ts";
import { type Lines, readLines } from "./entry-lines.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { versionOf } from "./version.ts";

export interface ForkPointsAnswer {
	/** JSON texts of `{entryId, text, timestamp}`, in log order. */
	readonly points: Lines;
	readonly seq: number;
}

const encoder = new TextEncoder();

/** The user messages of all branches that have text. */
export async function listForkPoints(call: Call, id: string): Promise<Outcome<ForkPointsAnswer>> {
	const opened = await openSession(call, id, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const points = await readLines(view, forkPoints(view), (seq, line) => {
		const text = selectedText(entryOf(line));
		if (text === "") return undefined;
		return encoder.encode(JSON.stringify({ entryId: view.id(seq), text, timestamp: view.time(seq) }));
	});
	return done({ points, seq: view.length }, versionOf(view));
}
