import type { Entry, SessionClient } from "../client/src/index.ts";

/** What is wrong with a session, as far as its log tells; nothing where it is sound. */
export interface SessionCheck {
	readonly session: string;
	/** Entries of the log, `leaf` entries included. */
	readonly seq: number;
	readonly problems: readonly string[];
	readonly entries: readonly Entry[];
}

/** Problems that are told of each session; more of them are only counted. */
const told = 20;

/**
 * Reads a session's log, puts its tree together without the service's help, and compares what the service says of the
 * session with that. Goes on reading while others append.
 */
export async function checkSession(client: SessionClient): Promise<SessionCheck> {
	const entries: Entry[] = [];
	for (;;) {
		for await (const entry of client.allEntries({ after: entries.length, limit: 1000 })) entries.push(entry);
		const [session, branch] = [await client.get(), await client.branch()];
		// Somebody appended since the log was read: there is more to read.
		if (session.seq > entries.length || branch.seq > entries.length) continue;
		const problems = [
			...faultsOf(entries),
			...difference("seq", session.seq, entries.length),
			...difference("leafId", session.leafId, leafOf(entries)),
			...difference("entryCount", session.entryCount, entries.filter(({ type }) => type !== "leaf").length),
			...difference("messageCount", session.messageCount, entries.filter(isMessage).length),
			...difference("branch", branch.entries.map(({ id }) => id).join(" "), pathOf(entries).join(" ")),
		];
		const more = problems.length > told ? [`and ${problems.length - told} more`] : [];
		return {
			session: client.id,
			seq: entries.length,
			problems: [...problems.slice(0, told), ...more],
			entries,
		};
	}
}

const isMessage = ({ type }: Entry) => type === "message";

function difference(what: string, said: unknown, found: unknown): string[] {
	return said === found ? [] : [`${what} is said to be ${said}, but the log gives ${found}`];
}

/** Ids that are there twice, parents and targets that aren't, and circles. */
export function faultsOf(entries: readonly Entry[]): string[] {
	const places = new Map<string, number>();
	const faults: string[] = [];
	for (const [at, { id }] of entries.entries()) {
		const first = places.get(id);
		if (first !== undefined) faults.push(`entry ${at + 1} has the id ${id} of entry ${first}`);
		else places.set(id, at + 1);
	}
	for (const [at, entry] of entries.entries()) {
		const named = [entry.parentId, entry.type === "leaf" ? entry.targetId : null];
		for (const id of named) {
			if (id !== null && id !== undefined && !places.has(id))
				faults.push(`entry ${at + 1} (${entry.id}) names ${id}, which is not there`);
		}
	}
	return [...faults, ...circlesOf(entries)];
}

/** Entries from which no root is reached. */
function circlesOf(entries: readonly Entry[]): string[] {
	const parents = new Map(entries.map(({ id, parentId }) => [id as string, parentId]));
	const sound = new Set<string>();
	const faults: string[] = [];
	for (const { id: start } of entries) {
		const way = new Set<string>();
		let id: string | null | undefined = start;
		while (typeof id === "string" && !sound.has(id) && !way.has(id)) {
			way.add(id);
			id = parents.get(id);
		}
		if (typeof id === "string" && way.has(id)) faults.push(`entry ${id} is its own ancestor`);
		for (const one of way) sound.add(one);
	}
	return faults;
}

function leafOf(entries: readonly Entry[]): string | null {
	const last = entries.at(-1);
	if (last === undefined) return null;
	return last.type === "leaf" ? (last.targetId ?? null) : last.id;
}

function pathOf(entries: readonly Entry[]): string[] {
	const byId = new Map(entries.map((entry) => [entry.id as string, entry]));
	const path = new Set<string>();
	for (let id = leafOf(entries); id !== null && !path.has(id); id = byId.get(id)?.parentId ?? null)
		path.add(id);
	return [...path].filter((id) => byId.get(id)?.type !== "leaf").reverse();
}
