import type { Session } from "../../schemas/session.ts";

/** What the catalogue knows of a session: all that a list shows, and what it is sorted by. Never changed. */
export interface Card {
	readonly session: Session;
	/** Number of the newest commit of the session's log when this was so. */
	readonly commit: number;
	/** Epoch ms; 0 where the text is no date. */
	readonly created: number;
	readonly modified: number;
}

export function cardOf(session: Session, commit: number): Card {
	return { session, commit, created: epochOf(session.timestamp), modified: epochOf(session.modified) };
}

/** The text of a card: a JSON array, its last elements left out where they are null. */
export function encodeCard({ session, commit }: Card): string {
	const fields: unknown[] = [
		session.id,
		session.seq,
		commit,
		shortTime(session.timestamp),
		session.cwd,
		session.entryCount,
		session.messageCount,
		shortTime(session.modified),
		session.leafId,
		session.name ?? null,
		session.firstMessage ?? null,
		session.parentSession ?? null,
		session.metadata ?? null,
	];
	while (fields.at(-1) === null) fields.pop();
	return JSON.stringify(fields);
}

/** The card of a text that was parsed already. @throws TypeError where it is none */
export function cardOfFields(fields: unknown): Card {
	if (!Array.isArray(fields)) throw new TypeError("a card is an array");
	const [
		id,
		seq,
		commit,
		timestamp,
		cwd,
		entryCount,
		messageCount,
		modified,
		leafId,
		name,
		firstMessage,
		parent,
		metadata,
	] = fields;
	if (typeof id !== "string" || typeof seq !== "number") throw new TypeError("a card has an id and a seq");
	const session: Session = {
		id,
		version: 3,
		timestamp: longTime(timestamp),
		cwd,
		...(isThere(parent) && { parentSession: parent }),
		...(isThere(name) && { name }),
		leafId: leafId ?? null,
		entryCount,
		messageCount,
		...(isThere(firstMessage) && { firstMessage }),
		modified: longTime(modified),
		seq,
		...(isThere(metadata) && { metadata }),
	};
	return cardOf(session, commit);
}

function isThere(value: unknown): boolean {
	return value !== null && value !== undefined;
}

/** Epoch ms where that gives the same text again. */
function shortTime(time: string): number | string {
	const epoch = Date.parse(time);
	return Number.isNaN(epoch) || new Date(epoch).toISOString() !== time ? time : epoch;
}

function longTime(time: unknown): string {
	return typeof time === "number" ? new Date(time).toISOString() : String(time);
}

function epochOf(time: string): number {
	const epoch = Date.parse(time);
	return Number.isNaN(epoch) ? 0 : epoch;
}
