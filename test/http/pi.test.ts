import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { expectSame, pi, piSession } from "../session/pi.ts";
import { flat, walked } from "../session/pi-tree.ts";
import { randomSession } from "../session/random-session.ts";
import { Player, randomSteps } from "./random-operations.ts";
import { World } from "./world.ts";

/** Over HTTP, a session answers as pi does on the same entries, whichever instance is asked. */

interface Session {
	readonly path: string;
	readonly header: object;
	/** In log order, without `leaf` entries, as pi would find them in a file. */
	readonly entries: readonly Entry[];
	readonly leafId: string | null;
	/** Besides the leaf. */
	readonly leaves: readonly string[];
}

/** Asks two instances, and expects the same answer of both. */
async function same(instances: readonly World[], path: string) {
	const replies = await Promise.all(instances.map((instance) => instance.get(path)));
	const [first, ...others] = replies;
	if (first === undefined) throw new Error("nobody was asked");
	expect([path, first.status]).toEqual([path, 200]);
	for (const other of others) {
		if (other.text !== first.text) expect(other.body).toEqual(first.body);
		expect(other.headers.get("ETag")).toBe(first.headers.get("ETag"));
	}
	return first.body;
}

async function compare(instances: readonly World[], session: Session): Promise<void> {
	const { path, header, entries, leafId } = session;
	const reference = piSession(header, entries, leafId);
	const about = await same(instances, path);
	expect([about.name, about.leafId]).toEqual([reference.getSessionName(), leafId]);

	const tree = await same(instances, `${path}/tree`);
	expectSame(walked(tree), flat(reference.getTree()));
	const labels = new Map(
		(await same(instances, `${path}/labels`)).labels.map((label: Label) => [label.targetId, label.label]),
	);
	for (const { id } of entries) expect(labels.get(id)).toBe(reference.getLabel(id));

	await compareAt(instances, session, reference, undefined);
	for (const leaf of session.leaves) {
		reference.branch(leaf);
		await compareAt(instances, session, reference, leaf);
	}
	await compareExport(instances, session);
}

async function compareAt(
	instances: readonly World[],
	{ path }: Session,
	reference: ReturnType<typeof piSession>,
	leaf: string | undefined,
): Promise<void> {
	const from = leaf === undefined ? "" : `&from=${leaf}`;
	const branch = await same(instances, `${path}/branch?limit=100000${from}`);
	expectSame(branch.entries, reference.getBranch());

	const expected = reference.buildSessionProjection();
	const settings = { thinkingLevel: expected.thinkingLevel, model: expected.model };
	const context = async (query: string) => {
		const { thinkingLevel, model, ...rest } = await same(instances, `${path}/context?${query}${from}`);
		expectSame({ thinkingLevel, model }, settings);
		return rest;
	};
	expectSame((await context("view=messages")).messages, expected.messages);
	expectSame((await context("format=llm")).messages, pi.convertToLlm(expected.messages));
	const contextEntries = reference.buildContextEntries();
	expectSame((await context("view=entries")).entries, contextEntries);
	for (const format of ["agent", "llm"]) {
		if (leaf === undefined) {
			expectSame((await context(`view=entries&format=${format}`)).entries, contextEntries);
		}
		expectSame(
			(await context(`view=projection&format=${format}`)).projection,
			expected.entries.map(({ sourceEntry, messages }: PiProjected) => ({
				sourceEntryId: sourceEntry.id,
				messages: format === "llm" ? pi.convertToLlm(messages) : messages,
			})),
		);
	}
}

/** What is exported is, opened by pi, at the same leaf and gives the same context. */
async function compareExport(instances: readonly World[], { path }: Session): Promise<void> {
	const [reply] = await Promise.all(instances.map((instance) => instance.get(`${path}/export`)));
	const [header, ...entries] = (reply?.text ?? "")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	const opened = piSession(header, entries);
	const { messages } = await same(instances, `${path}/context`);
	expectSame(opened.buildSessionProjection().messages, messages);
}

interface Label {
	readonly targetId: string;
	readonly label: string;
}
interface PiProjected {
	readonly sourceEntry: Entry;
	readonly messages: readonly never[];
}
describe("over HTTP: as pi", () => {
	it("sessions made by 60 operations and more, on two instances, at every leaf", async () => {
		let leaves = 0;
		await fc.assert(
			fc.asyncProperty(randomSteps(60, 70), async (steps) => {
				const world = new World();
				const instances = [world, world.cold()];
				const path = await world.session([], { id: "played" });
				const player = new Player(path, instances);
				await player.play(steps);
				const log = await same([...instances, world.cold()], `${path}/entries?limit=1000`);
				expectSame(log.entries, player.entries);
				const tips = player.tips();
				leaves += tips.length;
				const header = JSON.parse((await world.get(`${path}/export?format=log`)).text.split("\n")[0] ?? "");
				await compare([world, world.cold()], {
					path,
					header,
					entries: player.entries.filter(({ type }) => type !== "leaf"),
					leafId: player.leafId,
					leaves: tips,
				});
			}),
			{ numRuns: 300, seed: 20_260_102 },
		);
		expect(leaves).toBeGreaterThan(300 * 3);
	}, 900_000);

	it("files in odd arrangements, imported and repaired", async () => {
		await fc.assert(
			fc.asyncProperty(randomSession(80), async ({ header, entries: odd }) => {
				const world = new World();
				const file = [header, ...odd].map((line) => JSON.stringify(line)).join("\n");
				const reply = await world.call("POST", "/v1/sessions/import?repair=true", file, {
					"Content-Type": "application/x-ndjson",
				});
				expect(reply.status).toBe(201);
				const path = `/v1/sessions/${reply.body.session.id}`;
				const log = await same([world, world.cold()], `${path}/entries?limit=1000`);
				const entries: Entry[] = log.entries;
				expect(entries).toHaveLength(odd.length);
				await compare([world, world.cold()], {
					path,
					header,
					entries,
					leafId: entries.at(-1)?.id ?? null,
					leaves: entries.filter((_, at) => at % 9 === 0).map(({ id }) => id),
				});
			}),
			{ numRuns: 60, seed: 20_260_103 },
		);
	}, 900_000);
});
