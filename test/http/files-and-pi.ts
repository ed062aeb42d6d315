import type { Entry } from "../../src/session/entry.ts";
import { piSession } from "../session/pi.ts";
import type { Reply, World } from "./world.ts";

/** A session of these entries, taken in as a file with all its faults; its address. */
export async function imported(world: World, header: object, entries: readonly object[]): Promise<string> {
	const file = [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("");
	return importedFile(world, file);
}

let imports = 0;

/** The same of a file's text or bytes. */
export async function importedFile(world: World, file: string | Uint8Array): Promise<string> {
	const reply = await importFile(world, file, "repair=true");
	if (reply.status !== 201) throw new Error(reply.text);
	return `/v1/sessions/${reply.body.session.id}`;
}

export function importFile(world: World, file: string | Uint8Array, query: string): Promise<Reply> {
	const path = `/v1/sessions/import?id=imported-${++imports}&${query}`;
	return world.call("POST", path, file, { "Content-Type": "application/x-ndjson" });
}

/** All entries of a session, in log order, `leaf` entries included. */
export async function storedEntries(world: World, session: string): Promise<Entry[]> {
	const entries: Entry[] = [];
	for (let after = 0; ; ) {
		const { status, text, body } = await world.get(`${session}/entries?limit=1000&after=${after}`);
		if (status !== 200) throw new Error(text);
		entries.push(...body.entries);
		if (body.nextCursor === undefined) return entries;
		after = body.nextCursor;
	}
}

/** The session as pi opens its export, at the leaf that the session has. */
export async function inPi(world: World, session: string): Promise<ReturnType<typeof piSession>> {
	const { text } = await world.get(`${session}/export`);
	const [header, ...entries] = text
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	const { leafId } = (await world.get(`${session}/leaf`)).body;
	return piSession(header, entries, leafId);
}

/** The number in an id's place that random numbers pick, of these entries. */
export function pick(entries: readonly Entry[], number: number): string {
	return entries[number % entries.length]?.id ?? "";
}
