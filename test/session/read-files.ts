import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { entryOf } from "../../src/session/record.ts";
import { read } from "./files.ts";
import { pi } from "./pi.ts";
import type { RandomSession } from "./random-session.ts";

const folder = mkdtempSync(join(tmpdir(), "leaflog-read-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What pi makes of a file: its records, migrated. */
export function piReads(file: Uint8Array): Entry[] {
	const path = join(folder, "session.jsonl");
	writeFileSync(path, file);
	const entries = pi.loadEntriesFromFile(path);
	pi.migrateSessionEntries(entries);
	return entries;
}

/** Records with ids by their place, where a migration made them up. */
export function withPlaces(entries: readonly Entry[]): unknown[] {
	const places = new Map(entries.map((entry, place) => [entry.id, `#${place}`]));
	const placed = (id: unknown) => (typeof id === "string" ? (places.get(id) ?? id) : id);
	return entries.map((entry) => ({
		...entry,
		id: placed(entry.id),
		parentId: placed(entry.parentId),
		...("firstKeptEntryId" in entry ? { firstKeptEntryId: placed(entry.firstKeptEntryId) } : {}),
	}));
}

export function sessionOf(file: Uint8Array, options: object = {}) {
	const result = read(file, options);
	if (result.kind !== "session") throw new Error(JSON.stringify(result.problems));
	return { ...result, entries: result.records.map((record) => entryOf(record.bytes)) };
}

export function problemsOf(file: Uint8Array) {
	const result = read(file);
	if (result.kind !== "invalid") throw new Error("nothing wrong");
	return result.problems;
}

export const header = {
	type: "session",
	version: 3,
	id: "s",
	timestamp: "2025-01-01T00:00:00.000Z",
	cwd: "/",
};
export const at = "2025-01-01T00:00:00.000Z";
export const custom = (id: unknown, parentId: unknown, more: object = {}) => ({
	type: "custom",
	id,
	parentId,
	timestamp: at,
	customType: "x",
	...more,
});

/** The same session as version 1 had it: no ids, and compactions that count. */
export function asVersion1({ entries }: RandomSession, places: readonly number[]): object[] {
	return entries.map((entry, at) => {
		const { id: _id, parentId: _parentId, firstKeptEntryId: _kept, ...rest } = entry;
		if (rest.type !== "compaction") return rest;
		return { ...rest, firstKeptEntryIndex: (places[at % places.length] ?? 0) % (entries.length + 3) };
	});
}
