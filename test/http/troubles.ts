import { expect } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { expectSame } from "../session/pi.ts";
import { imported, inPi } from "./files-and-pi.ts";
import { World } from "./world.ts";

export const at = "2026-01-01T00:00:00.000Z";
export const header = { type: "session", version: 3, id: "troubled", timestamp: at, cwd: "/work" };

/** Entries one below the other, unless they say otherwise. */
export function chain(...entries: readonly object[]): Entry[] {
	let parentId: string | null = null;
	return entries.map((given, place) => {
		const entry = { id: `e${place}`, parentId, timestamp: at, ...given } as unknown as Entry;
		parentId = entry.id;
		return entry;
	});
}

/** Every read answers, none with 500, and the session is in the list. */
export async function expectSound(world: World, session: string): Promise<void> {
	const { leafId } = (await world.get(`${session}/leaf`)).body;
	const reads = [
		"",
		"/entries",
		"/branch?include=siblings",
		"/context",
		"/context?format=llm",
		"/context?view=entries",
		"/context?view=projection",
		"/tree",
		"/tree?labeled=true&q=a",
		"/labels",
		"/stats",
		"/fork-points",
		"/export",
		"/export?format=log",
		"/children",
		...(leafId === null ? [] : [`/entries/${leafId}`, `/navigation?targetId=${leafId}`]),
	];
	for (const path of reads) {
		const reply = await world.get(`${session}${path}`);
		expect([path, reply.status, reply.status === 200 ? "" : reply.text]).toEqual([path, 200, ""]);
	}
	expect([200, 422]).toContain((await world.get(`${session}/compaction-plan?keepRecentTokens=1`)).status);
	const { sessions } = (await world.get("/v1/sessions?limit=200")).body;
	const id = session.split("/").at(-1);
	expect(sessions.map((one: { id: string }) => one.id)).toContain(id);
}

/** The context at the leaf, and the tree, are pi's on the session's export. */
export async function expectAsInPi(world: World, session: string): Promise<void> {
	const reference = await inPi(world, session);
	const { messages, thinkingLevel } = (await world.get(`${session}/context`)).body;
	const expected = reference.buildSessionContext();
	expectSame(
		{ messages, thinkingLevel },
		{ messages: expected.messages, thinkingLevel: expected.thinkingLevel },
	);
	const { nodes } = (await world.get(`${session}/tree`)).body;
	// The export ends with a mark where the leaf isn't its last entry.
	const written = reference.getEntries().filter(({ customType }: Entry) => customType !== "leaflog.leaf");
	expect(nodes).toHaveLength(written.length);
}

export async function troubled(entries: readonly object[]) {
	const world = new World();
	const session = await imported(world, header, entries);
	await expectSound(world, session);
	return { world, session };
}

export const message = (role: string, content: unknown, more: object = {}) => ({
	type: "message",
	message: { role, content, timestamp: 1_767_225_600_000, ...more },
});
export const label = (targetId: string, name: string, more: object = {}) => ({
	type: "label",
	targetId,
	label: name,
	...more,
});
