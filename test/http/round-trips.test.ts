import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { expectSame, fixture, fixtureNames, pi } from "../session/pi.ts";
import { randomSession } from "../session/random-session.ts";
import { imported, importedFile, importFile, inPi, pick, storedEntries } from "./files-and-pi.ts";
import { World } from "./world.ts";

/** What a client sees of a session but for its id and its place in the log. */
async function seen(world: World, session: string) {
	const { nodes, roots, leafId } = (await world.get(`${session}/tree`)).body;
	const { labels } = (await world.get(`${session}/labels`)).body;
	const { messages, thinkingLevel, model } = (await world.get(`${session}/context`)).body;
	const { name, messageCount, firstMessage, modified } = (await world.get(session)).body;
	return {
		nodes,
		roots,
		leafId,
		labels,
		messages,
		thinkingLevel,
		model,
		name,
		messageCount,
		firstMessage,
		modified,
	};
}

describe("export, then import", () => {
	it("random sessions, the leaf anywhere: the same tree, labels, leaf and context, and no repair", async () => {
		let elsewhere = 0;
		const cases = fc.sample(fc.tuple(randomSession(50), fc.nat(99), fc.boolean()), { seed: 41, numRuns: 50 });
		for (const [{ header, entries }, leaf, nowhere] of cases) {
			const world = new World();
			const session = await imported(world, header, entries);
			const targetId = nowhere && leaf % 5 === 0 ? null : pick(entries, leaf);
			if (entries.length > 0) await world.put(`${session}/leaf`, { targetId });
			const file = (await world.get(`${session}/export`)).text;
			const reply = await importFile(world, file, "repair=false");
			expect([reply.status, reply.body.errors]).toEqual([201, undefined]);
			const again = `/v1/sessions/${reply.body.session.id}`;
			expectSame(await seen(world, again), await seen(world, session));
			// And what is exported then is the same file, but for its id.
			const lines = (await world.get(`${again}/export`)).text.split("\n").slice(1);
			const same = file.split("\n").slice(1);
			const withoutMark = (all: string[]) => all.filter((line) => !line.includes('"leaflog.leaf"'));
			expect(withoutMark(lines)).toEqual(withoutMark(same));
			if (entries.length > 0 && entries.at(-1)?.id !== targetId) elsewhere++;
		}
		expect(elsewhere).toBeGreaterThan(20);
	});
});

describe("import, then export", () => {
	it("random sessions, the leaf anywhere: pi opens the file at the same leaf with the same context", async () => {
		const cases = fc.sample(fc.tuple(randomSession(50), fc.nat(99)), { seed: 42, numRuns: 30 });
		for (const [{ header, entries }, leaf] of cases) {
			if (entries.length === 0) continue;
			const world = new World();
			const session = await imported(world, header, entries);
			await world.put(`${session}/leaf`, { targetId: pick(entries, leaf) });
			const [first, ...lines] = (await world.get(`${session}/export`)).text.trimEnd().split("\n");
			const parsed = [first, ...lines].map((line) => JSON.parse(line ?? ""));
			// As pi opens a file: its leaf is the last entry.
			const opened = pi.SessionManager.inMemory("/work", undefined, parsed);
			const context = (await world.get(`${session}/context`)).body;
			const { messages, thinkingLevel } = opened.buildSessionContext();
			expectSame(
				{ messages, thinkingLevel },
				{ messages: context.messages, thinkingLevel: context.thinkingLevel },
			);
			const last: Entry = opened.getLeafEntry();
			expect(last.customType === "leaflog.leaf" ? last.parentId : last.id).toBe(context.leafId);
		}
	});

	for (const name of fixtureNames) {
		it(`${name}: entry lines that need no migration are unchanged, byte for byte`, async () => {
			const world = new World();
			const bytes = fixture(name);
			const session = await importedFile(world, bytes);
			const exported = (await world.get(`${session}/export`)).text.trimEnd().split("\n").slice(1);
			const given = new TextDecoder().decode(bytes).trimEnd().split("\n");
			const version = (JSON.parse(given[0] ?? "") as { version?: number }).version ?? 1;
			if (version === 3) expect(exported).toEqual(given.slice(1));
			const stored = await storedEntries(world, session);
			expect(stored).toHaveLength(exported.length);
			const reference = await inPi(world, session);
			expectSame(
				(await world.get(`${session}/context`)).body.messages,
				reference.buildSessionContext().messages,
			);
		});
	}
});
