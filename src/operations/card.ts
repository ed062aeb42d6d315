import type { Session } from "../../schemas/session.ts";

/** What stands in a card's line; null for what the session hasn't, or left out at the end. */
type Fields = readonly [
	id: string,
	seq: number,
	commit: number,
	timestamp: string | number,
	modified: string | number,
	cwd: string,
	entryCount: number,
	messageCount: number,
	leafId?: string | null,
	name?: string | null,
	firstMessage?: string | null,
	parentSession?: string | null,
	metadata?: Session["metadata"] | null,
];

/**
 * What the catalogue knows of a session: all that a list shows, and what it is sorted by. Never changed. Its text is
 * kept as it is stored, and the session is only made of it where it is shown: thousands of cards are read and written
 * again for each one that changes.
 */
export class Card {
	readonly id: string;
	readonly seq: number;
	/** Number of the newest commit of the session's log when this was so. */
	readonly commit: number;
	/** Epoch ms; 0 where the text is no date. */
	readonly created: number;
	readonly modified: number;
	/** A JSON array, its last elements left out where they are null. */
	readonly line: string;
	readonly #fields: Fields;
	#session: Session | undefined;

	/** @throws TypeError where `fields`, which are those of the line, are no card's */
	constructor(line: string, fields: unknown) {
		if (!Array.isArray(fields)) throw new TypeError("a card is an array");
		const [id, seq, commit, timestamp, modified] = fields;
		if (typeof id !== "string" || typeof seq !== "number" || typeof commit !== "number") {
			throw new TypeError("a card has an id, a seq and a commit");
		}
		this.line = line;
		this.id = id;
		this.seq = seq;
		this.commit = commit;
		this.created = epochOf(timestamp);
		this.modified = epochOf(modified);
		// What follows was written by `of`, and a checksum has guarded it since.
		this.#fields = fields as unknown as Fields;
	}

	/** The card of a session, `commit` being the newest of its log. */
	static of(session: Session, commit: number): Card {
		const fields: unknown[] = [
			session.id,
			session.seq,
			commit,
			shortTime(session.timestamp),
			shortTime(session.modified),
			session.cwd,
			session.entryCount,
			session.messageCount,
			session.leafId,
			session.name ?? null,
			session.firstMessage ?? null,
			session.parentSession ?? null,
			session.metadata ?? null,
		];
		while (fields.at(-1) === null) fields.pop();
		return new Card(JSON.stringify(fields), fields);
	}

	get session(): Session {
		this.#session ??= this.#describe();
		return this.#session;
	}

	get cwd(): string {
		return this.#fields[5];
	}
	get name(): string {
		return this.#fields[9] ?? "";
	}
	get firstMessage(): string {
		return this.#fields[10] ?? "";
	}
	get parentSession(): string | undefined {
		return this.#fields[11] ?? undefined;
	}

	#describe(): Session {
		const [
			id,
			seq,
			,
			timestamp,
			modified,
			cwd,
			entryCount,
			messageCount,
			leafId,
			name,
			first,
			parent,
			metadata,
		] = this.#fields;
		return {
			id,
			version: 3,
			timestamp: longTime(timestamp),
			cwd,
			...(isThere(parent) && { parentSession: parent }),
			...(isThere(name) && { name }),
			leafId: leafId ?? null,
			entryCount,
			messageCount,
			...(isThere(first) && { firstMessage: first }),
			modified: longTime(modified),
			seq,
			...(isThere(metadata) && { metadata }),
		};
	}
}

function isThere<T>(value: T | null | undefined): value is T {
	return value !== null && value !== undefined;
}

/** Epoch ms where that gives the same text again. */
function shortTime(time: string): number | string {
	const epoch = Date.parse(time);
	return Number.isNaN(epoch) || new Date(epoch).toISOString() !== time ? time : epoch;
}

function longTime(time: string | number): string {
	return typeof time === "number" ? new Date(time).toISOString() : time;
}

function epochOf(time: unknown): number {
	if (typeof time === "number") return time;
	const epoch = Date.parse(String(time));
	return Number.isNaN(epoch) ? 0 : epoch;
}
