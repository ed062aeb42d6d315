import { type Label, labels } from "../session/labels.ts";
import { type SessionTree, sessionTree, type TreeFilter } from "../session/tree.ts";
import type { Call } from "./call.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { versionOf } from "./version.ts";

export interface TreeAnswer extends SessionTree {
	readonly leafId: string | null;
	readonly seq: number;
}

/** All branches of a session, flat; a filter leaves what matches, and its ancestors. */
export async function readTree(call: Call, id: string, filter: TreeFilter): Promise<Outcome<TreeAnswer>> {
	const opened = await openSession(call, id);
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	return done({ ...sessionTree(view, filter), leafId: view.head, seq: view.length }, versionOf(view));
}

export interface LabelsAnswer {
	readonly labels: readonly Label[];
	readonly seq: number;
}

/** The labels that hold now, of all branches. */
export async function listLabels(call: Call, id: string): Promise<Outcome<LabelsAnswer>> {
	const opened = await openSession(call, id);
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	return done({ labels: [...labels(view).values()], seq: view.length }, versionOf(view));
}
