import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { expectSame, pi, piSession } from "../session/pi.ts";
import { randomSession } from "../session/random-session.ts";
import { addressOf, sessionOf, withoutLabelIds } from "./branches.ts";
import { text } from "./chat.ts";
import { imported, inPi, pick, storedEntries } from "./files-and-pi.ts";
import { type Reply, user, World } from "./world.ts";

describe("createBranchedSession, forkSession, cloneSession, copySession: as pi makes them", () => {
	it("of random sessions, from any leaf", async () => {
		let labels = 0;
		const cases = fc.sample(fc.tuple(randomSession(50), fc.nat(99), fc.nat(99)), { seed: 21, numRuns: 60 });
		for (const [{ header, entries }, leaf, at] of cases) {
			if (entries.length === 0) continue;
			const world = new World();
			const source = await imported(world, header, entries);
			await world.put(`${source}/leaf`, { targetId: pick(entries, leaf) });
			const stored = (await storedEntries(world, source)).filter(({ type }) => type !== "leaf");
			const leafId = pick(entries, at);

			const compare = async (made: Reply, end: string) => {
				expect(made.status).toBe(201);
				const reference = piSession(header, stored);
				reference.createBranchedSession(end);
				const expected: Entry[] = reference.getEntries();
				const actual = await storedEntries(world, addressOf(made));
				expectSame(withoutLabelIds(actual), withoutLabelIds(expected));
				expect(sessionOf(made).leafId).toBe(actual.at(-1)?.id ?? null);
				labels += expected.filter(({ type }) => type === "label").length;
			};
			await compare(await world.post(`${source}/branched-sessions`, { leafId }), leafId);
			await compare(await world.post(`${source}/fork`, { entryId: leafId, position: "at" }), leafId);
			await compare(await world.post(`${source}/clone`), pick(entries, leaf));

			const copy = await world.post(`${source}/copies`);
			expectSame(await storedEntries(world, addressOf(copy)), await storedEntries(world, source));
			expect(sessionOf(copy).leafId).toBe(pick(entries, leaf));
		}
		expect(labels).toBeGreaterThan(20);
	});

	it("a copy has in pi the context, tree and leaf that its source has", async () => {
		const cases = fc.sample(fc.tuple(randomSession(50), fc.nat(99)), { seed: 22, numRuns: 25 });
		for (const [{ header, entries }, leaf] of cases) {
			if (entries.length === 0) continue;
			const world = new World();
			const source = await imported(world, header, entries);
			await world.put(`${source}/leaf`, { targetId: pick(entries, leaf) });
			const copy = addressOf(await world.post(`${source}/copies`));
			const [one, other] = [await inPi(world, source), await inPi(world, copy)];
			expectSame(other.buildSessionContext(), one.buildSessionContext());
			expectSame(other.getTree(), one.getTree());
			const answers = await Promise.all(
				[source, copy].flatMap((path) =>
					["tree", "labels", "context"].map((tail) => world.get(`${path}/${tail}`)),
				),
			);
			expectSame(
				answers.slice(3).map(({ body }) => body),
				answers.slice(0, 3).map(({ body }) => body),
			);
		}
	});

	it("before a user message, of random sessions: the path to its parent, and its text", async () => {
		let forked = 0;
		const cases = fc.sample(randomSession(40), { seed: 23, numRuns: 25 });
		for (const { header, entries } of cases) {
			const world = new World();
			const source = await imported(world, header, entries);
			const stored = await storedEntries(world, source);
			for (const { entryId, text: said } of (await world.get(`${source}/fork-points`)).body.points.slice(
				0,
				4,
			)) {
				const reply = await world.post(`${source}/fork`, { entryId });
				expect(reply.body.selectedText).toBe(said);
				const parentId = stored.find(({ id }) => id === entryId)?.parentId ?? null;
				const actual = await storedEntries(world, addressOf(reply));
				const reference = piSession(header, stored);
				if (parentId === null) expect(actual).toEqual([]);
				else {
					reference.createBranchedSession(parentId);
					expectSame(withoutLabelIds(actual), withoutLabelIds(reference.getEntries()));
				}
				forked++;
			}
		}
		expect(forked).toBeGreaterThan(40);
	});
});

describe("listForkPoints: as pi lists them", () => {
	it("of random sessions", async () => {
		let found = 0;
		const cases = fc.sample(randomSession(60), { seed: 24, numRuns: 30 });
		for (const { header, entries } of cases) {
			const world = new World();
			const source = await imported(world, header, entries);
			const sessionManager = await inPi(world, source);
			const reference = pi.AgentSession.prototype.getUserMessagesForForking;
			let expected: { entryId: string; text: string }[];
			try {
				expected = reference.call({
					sessionManager,
					_extractUserMessageText: pi.AgentSession.prototype._extractUserMessageText,
				});
			} catch {
				continue; // A content of null, which pi cannot read.
			}
			const { points } = (await world.get(`${source}/fork-points`)).body;
			expectSame(
				points.map(({ entryId, text: said }: { entryId: string; text: string }) => ({ entryId, text: said })),
				expected,
			);
			found += points.length;
		}
		expect(found).toBeGreaterThan(80);
	});

	it("texts of blocks are joined without anything between them; those without text are left out", async () => {
		const world = new World();
		const image = { type: "image", data: "aGk=", mimeType: "image/png" };
		const session = await world.session([
			user("a", { id: "u1" }),
			user("", { id: "u2" }),
			{
				type: "message",
				id: "u3",
				message: { role: "user", content: [text("b"), image, text("c")], timestamp: 1 },
			},
			{ type: "message", id: "u4", message: { role: "user", content: [image], timestamp: 1 } },
			{ type: "message", id: "u5", message: { role: "user", content: [text(""), text("")], timestamp: 1 } },
		]);
		const { body } = await world.get(`${session}/fork-points`);
		expect(
			body.points.map((point: { entryId: string; text: string }) => [point.entryId, point.text]),
		).toEqual([
			["u1", "a"],
			["u3", "bc"],
		]);
		expect(body.seq).toBe(5);
	});
});
