import { ancestors } from "./ancestors.ts";
import { type Bodies, plannedMessages } from "./context.ts";
import { planPath } from "./context-plan.ts";
import { type Entry, epochOf, type JsonRecord } from "./entry.ts";
import type { IndexOverlay, SessionIndex } from "./session-index.ts";
import { getCurrentSystemMessage } from "./system-prompt.ts";

export type Checkpoint =
	| { readonly kind: "known"; readonly message: JsonRecord | undefined }
	| { readonly kind: "bodies"; readonly seqs: readonly number[] };

/**
 * The system message that a compaction below `parent` (0: a root) carries: the replay of the context's system
 * messages there, with the compaction's time. Needs the bodies of just those entries that declare something.
 */
export function checkpoint(
	overlay: IndexOverlay,
	parent: number,
	timestamp: string,
	bodies: Bodies,
): Checkpoint {
	const plan = planPath(overlay, contextPath(overlay, parent));
	const declaring = plan.entries.filter(
		(planned) => planned.gives === "messages" && overlay.meta(planned.seq).y !== undefined,
	);
	const known = new Map<number, Entry>();
	const missing: number[] = [];
	for (const { seq } of declaring) {
		const entry = overlay.entry(seq) ?? bodies.get(seq);
		if (entry === undefined) missing.push(seq);
		else known.set(seq, entry);
	}
	if (missing.length > 0) return { kind: "bodies", seqs: missing };
	const messages = declaring.flatMap((planned) => plannedMessages({ ...planned, edit: undefined }, known));
	const message = getCurrentSystemMessage(messages);
	if (message === undefined) return { kind: "known", message };
	return { kind: "known", message: { ...message, timestamp: epochOf(timestamp) } };
}

/** The end of the path of an entry (0: none) that its context is made of, root first. The rest can't matter. */
function contextPath(index: SessionIndex, leaf: number): number[] {
	const path: number[] = [];
	let compaction: number | undefined;
	let kept: number | undefined;
	for (const seq of ancestors(index, leaf)) {
		path.push(seq);
		if (compaction === undefined && index.kind(seq) === "compaction") {
			compaction = seq;
			const firstKept = index.meta(seq).f;
			kept = typeof firstKept === "string" ? index.seqOf(firstKept) : undefined;
			if (kept === undefined) break;
		}
		if (seq === kept) break;
	}
	return path.reverse();
}
