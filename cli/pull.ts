import type { Leaflog, Session } from "../client/src/index.ts";
import { pathFor, readSessionFile, sessionFiles, sessionIdOf, stampOf, writeWhole } from "./pi-files.ts";
import { compare, entriesOf, reasonOf, type SyncOptions, type SyncResult } from "./push.ts";
import { SyncState } from "./sync-state.ts";

/** Writes what is new in a service's sessions to a folder of session files. Can be interrupted and repeated. */
export async function pull(
	leaflog: Leaflog,
	options: SyncOptions & { readonly cwd?: string },
): Promise<SyncResult[]> {
	const { folder } = options;
	const state = await SyncState.open(folder, options.service);
	const places = new Map<string, string>();
	for (const path of await sessionFiles(folder)) {
		const id = state.get(path)?.session ?? (await sessionIdOf(`${folder}/${path}`));
		if (id !== undefined) places.set(id, path);
	}
	const sessions: Session[] = [];
	for await (const session of leaflog.sessions({ limit: 200, ...(options.cwd && { cwd: options.cwd }) })) {
		sessions.push(session);
	}
	const results: SyncResult[] = [];
	for (const session of sessions) {
		const path = places.get(session.id) ?? pathFor(session);
		const result = await pullSession(leaflog, { folder, state, path }, session);
		results.push(result);
		options.onProgress?.(results.length, sessions.length, result);
	}
	return results;
}

async function pullSession(
	leaflog: Leaflog,
	place: { readonly folder: string; readonly state: SyncState; readonly path: string },
	{ id, seq }: Session,
): Promise<SyncResult> {
	const { folder, state, path } = place;
	const full = `${folder}/${path}`;
	const stamp = await stampOf(full);
	const known = state.get(path);
	const untouched = stamp && known?.size === stamp.size && known.modified === stamp.modified;
	if (untouched && known.session === id && known.seq >= seq) {
		return { path, session: id, outcome: "unchanged", entries: 0 };
	}
	try {
		let before = 0;
		if (stamp !== undefined) {
			const conflict = await conflictWith(leaflog, full, id);
			if (typeof conflict === "string") {
				return { path, session: id, outcome: "conflict", entries: 0, detail: conflict };
			}
			before = conflict;
		}
		const response = await leaflog.connection.respond("exportSession", { path: { id } });
		const text = await response.text();
		const version = Number(/^(?:W\/)?"(\d+)/.exec(response.headers.get("ETag") ?? "")?.[1] ?? seq);
		await writeWhole(full, text);
		const written = await stampOf(full);
		if (written) await state.set(path, { ...written, session: id, seq: version });
		const entries = text.split("\n").length - 2 - before;
		return { path, session: id, outcome: stamp ? "updated" : "created", entries: Math.max(0, entries) };
	} catch (error) {
		if (error instanceof Error && error.name === "Unreachable") throw error;
		return { path, session: id, outcome: "failed", entries: 0, detail: reasonOf(error) };
	}
}

/** What would be lost of a file; otherwise how many entries it has. */
async function conflictWith(leaflog: Leaflog, path: string, id: string): Promise<string | number> {
	const file = await readSessionFile(path);
	const stored = (await entriesOf(leaflog, id)) ?? [];
	// Files of old versions have no ids to compare by; what was imported from them is all there.
	if (file.version < 3) return "the file has an old format: open it in pi once, or move it away";
	const { fresh, changed } = compare(file.entries, stored);
	if (changed.length > 0) return `entry ${changed[0]} is another one here`;
	if (fresh.length > 0) return `the file has ${fresh.length} entries that were not pushed yet`;
	return file.entries.length;
}
