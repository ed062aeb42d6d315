import { isRecord, type JsonRecord, messageOf } from "./entry.ts";

/**
 * Brings the entries of older files to version 3, one after the other in file order.
 * Version 1 had no ids: entries get them in order, each below the one before, and a compaction that told the place of
 * its first kept entry among the file's records (the header is number 0) gets that entry's id.
 * Version 2 called the role `custom` `hookMessage`.
 */
export class Migration {
	readonly #version: number;
	readonly #newId: () => string;
	/** The ids of the records that were read, by their place; undefined where a record is no entry. */
	readonly #idsByPlace: (string | undefined)[] = [];
	#previous: string | null = null;

	/** `newId` gives another id each time. */
	constructor(version: number, newId: () => string) {
		this.#version = version;
		this.#newId = newId;
	}

	/** Counts a record that is no entry: a header, or a value that is no object. */
	skip(): void {
		this.#idsByPlace.push(undefined);
	}

	/**
	 * The entry as version 3 has it; the same object where nothing had to change. `counts` is false for one that
	 * a reader of version 1 did not see, so that it has no place.
	 */
	migrate(entry: JsonRecord, counts = true): JsonRecord {
		const renamed = this.#version < 3 ? withCustomRole(entry) : entry;
		if (this.#version >= 2) return renamed;
		const id = this.#newId();
		if (counts) this.#idsByPlace.push(id);
		const { type, id: _id, parentId: _parentId, ...rest } = renamed;
		const placed = { type, id, parentId: this.#previous, ...this.#withFirstKeptId(type, rest) };
		this.#previous = id;
		return placed;
	}

	#withFirstKeptId(type: unknown, fields: JsonRecord): JsonRecord {
		const { firstKeptEntryIndex: place, ...rest } = fields;
		if (type !== "compaction" || typeof place !== "number") return fields;
		const firstKeptEntryId = this.#idsByPlace[place];
		return firstKeptEntryId === undefined ? rest : { ...rest, firstKeptEntryId };
	}
}

function withCustomRole(entry: JsonRecord): JsonRecord {
	const message = entry.type === "message" ? messageOf(entry) : undefined;
	if (!isRecord(message) || message.role !== "hookMessage") return entry;
	return { ...entry, message: { ...message, role: "custom" } };
}
