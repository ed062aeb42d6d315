import { stringOf } from "./entry.ts";
import type { SessionIndex } from "./session-index.ts";

export interface Label {
	readonly targetId: string;
	readonly label: string;
	/** That of the label entry. */
	readonly timestamp: string;
}

/**
 * The labels of a session by target, whatever branch they are on: the latest entry of a target wins, an empty one
 * clears. A label keeps its place while it is renamed, and goes to the end where it was cleared before.
 */
export function labels(index: SessionIndex): Map<string, Label> {
	const found = new Map<string, Label>();
	for (let seq = 1; seq <= index.length; seq++) {
		if (index.kind(seq) !== "label") continue;
		const meta = index.meta(seq);
		const targetId = stringOf(meta.t);
		const label = stringOf(meta.l);
		if (targetId === undefined) continue;
		if (label === undefined) found.delete(targetId);
		else found.set(targetId, { targetId, label, timestamp: index.time(seq) });
	}
	return found;
}

/** A label as it is stored: one that is only white space clears, as an empty one does. */
export function storedLabel(label: string): string {
	return label.trim() === "" ? "" : label;
}
