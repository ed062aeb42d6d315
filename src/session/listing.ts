import { limits } from "../../schemas/limits.ts";
import { type Entry, epochOf, type JsonRecord, messageOf, numberOf } from "./entry.ts";
import { isMessageKind } from "./kind.ts";
import { sessionInfo } from "./name.ts";
import type { SessionIndex } from "./session-index.ts";
import { contentText, cutText } from "./text.ts";

/** What a list tells of a session, as far as its index tells. */
export interface SessionCard {
	readonly name?: string;
	readonly metadata?: JsonRecord;
	readonly leafId: string | null;
	/** Entries that aren't `leaf` entries. */
	readonly entryCount: number;
	/** Message entries of all branches. */
	readonly messageCount: number;
	/** The first user message with text: its body tells `firstMessage`. */
	readonly firstMessageSeq?: number;
	/** ISO 8601: the latest user or assistant message, else the creation. */
	readonly modified: string;
	readonly seq: number;
}

/** The card of a session that was created at `created` (ISO 8601). One pass; no body. */
export function sessionCard(index: SessionIndex, created: string): SessionCard {
	let entryCount = 0;
	let messageCount = 0;
	let firstMessageSeq: number | undefined;
	let latest = Number.NEGATIVE_INFINITY;
	for (let seq = 1; seq <= index.length; seq++) {
		const kind = index.kind(seq);
		if (kind !== "leaf") entryCount++;
		if (!isMessageKind(kind)) continue;
		messageCount++;
		if (kind === "m.user" && firstMessageSeq === undefined && index.meta(seq).e !== 1) firstMessageSeq = seq;
		if (kind === "m.user" || kind === "m.assistant") latest = Math.max(latest, activityTime(index, seq));
	}
	const modified = new Date(latest);
	return {
		...sessionInfo(index),
		leafId: index.head,
		entryCount,
		messageCount,
		...(firstMessageSeq === undefined ? {} : { firstMessageSeq }),
		modified: latest > 0 && !Number.isNaN(modified.getTime()) ? modified.toISOString() : created,
		seq: index.length,
	};
}

const mostMilliseconds = 8.64e15;

/** When a message was said, in epoch ms: by its own timestamp, else its entry's; -∞ where neither is a date. */
function activityTime(index: SessionIndex, seq: number): number {
	const meta = index.meta(seq);
	const base = epochOf(index.time(seq));
	const time = numberOf(meta.at) ?? base + (numberOf(meta.d) ?? 0);
	return Number.isNaN(time) || Math.abs(time) > mostMilliseconds ? Number.NEGATIVE_INFINITY : time;
}

/** A first message as lists show it: its text blocks with a space between them, cut, never inside a surrogate pair. */
export function firstMessage(entry: Entry): string {
	return cutText(contentText(messageOf(entry)?.content, " "), limits.firstMessageCharacters);
}
