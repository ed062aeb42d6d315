import { ancestors } from "./ancestors.ts";
import type { SessionIndex } from "./session-index.ts";
import { treeParent } from "./tree-shape.ts";

/**
 * Where the result of a tool call belongs that was issued only off the current path: the assistant message that
 * issued it last, or the last of the results that follow on it. Undefined where the call is on the path, or nowhere.
 */
export function strandedToolCall(index: SessionIndex, callId: string): number | undefined {
	const head = index.head === null ? undefined : index.seqOf(index.head);
	if (head !== undefined) {
		for (const seq of ancestors(index, head)) if (issues(index, seq, callId)) return undefined;
	}
	for (let seq = index.length; seq >= 1; seq--) {
		if (issues(index, seq, callId)) return lastResultOf(index, seq);
	}
	return undefined;
}

function issues(index: SessionIndex, seq: number, callId: string): boolean {
	if (index.kind(seq) !== "m.assistant") return false;
	const calls = index.meta(seq).c;
	return Array.isArray(calls) && calls.includes(callId);
}

/** The end of the results that hang one below the other under an assistant message; itself where there is none. */
function lastResultOf(index: SessionIndex, assistant: number): number {
	let last = assistant;
	for (let seq = assistant + 1; seq <= index.length; seq++) {
		if (index.kind(seq) === "m.toolResult" && treeParent(index, seq) === last) last = seq;
	}
	return last;
}
