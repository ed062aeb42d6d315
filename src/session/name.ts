import { isRecord, type JsonRecord, stringOf } from "./entry.ts";
import type { SessionIndex } from "./session-index.ts";

export interface SessionInfo {
	readonly name?: string;
	readonly metadata?: JsonRecord;
}

/**
 * The session's name, that of its last `session_info` in log order, none where that one is empty; and its metadata,
 * from the last one that brings any (null takes it away).
 */
export function sessionInfo(index: SessionIndex): SessionInfo {
	let name: string | undefined;
	let metadata: JsonRecord | undefined;
	let named = false;
	for (let seq = index.length; seq >= 1; seq--) {
		if (index.kind(seq) !== "session_info") continue;
		const meta = index.meta(seq);
		if (!named) name = stringOf(meta.n);
		named = true;
		if (meta.md === undefined) continue;
		if (isRecord(meta.md)) metadata = meta.md;
		break;
	}
	return { ...(name === undefined ? {} : { name }), ...(metadata === undefined ? {} : { metadata }) };
}

/** A name as it is stored: line breaks become one space, nothing around it. */
export function sanitizeName(name: string): string {
	return name.replace(/[\r\n]+/g, " ").trim();
}
