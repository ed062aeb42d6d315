import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/session/entry.ts";
import { FaultyStore } from "../../src/store/faults.ts";
import { expectSame, pi, piSession } from "../session/pi.ts";
import { randomSession } from "../session/random-session.ts";
import { assistant, text } from "./chat.ts";
import { imported, inPi, pick, storedEntries } from "./files-and-pi.ts";
import { type Reply, requestsOf, user, World } from "./world.ts";

/** u1 → a1 → u2 → a2, and from a1 → u3, the leaf; a1 and u3 have labels. */
async function branches() {
	const world = new World();
	const session = await world.session(
		[
			user("first", { id: "u1" }),
			assistant("one", { id: "a1" }),
			user("second", { id: "u2" }),
			assistant("two", { id: "a2" }),
			{ ...user("third"), id: "u3", parentId: "a1" },
			{ type: "label", id: "l1", targetId: "a1", label: "fine" },
			{ type: "label", id: "l2", targetId: "u2", label: "elsewhere" },
			{ type: "leaf", id: "x1", targetId: "u3" },
		],
		{ id: "source", cwd: "/work", name: "Tea" },
	);
	await world.put(`${session}/leaf`, { targetId: "u3" });
	return { world, session };
}

const sessionOf = ({ body }: Reply) => body.session ?? body;
const addressOf = (reply: Reply) => `/v1/sessions/${sessionOf(reply).id}`;

/** Entries without the ids of labels, which are new each time. */
function withoutLabelIds(entries: readonly Entry[]): unknown[] {
	const numbers = new Map<string, string>();
	for (const entry of entries) if (entry.type === "label") numbers.set(entry.id, `label ${numbers.size}`);
	const name = (id: string | null) => (id === null ? null : (numbers.get(id) ?? id));
	return entries.map((entry) => ({ ...entry, id: name(entry.id), parentId: name(entry.parentId) }));
}

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

describe("a session made from another", () => {
	const calls: Record<string, [string, object]> = {
		createBranchedSession: ["branched-sessions", { leafId: "u3" }],
		"forkSession before": ["fork", { entryId: "u2" }],
		"forkSession at": ["fork", { entryId: "u3", position: "at" }],
		cloneSession: ["clone", {}],
		copySession: ["copies", {}],
	};

	for (const [call, [path, body]] of Object.entries(calls)) {
		it(`${call}: names its source, has its working directory unless given, and a time of its own`, async () => {
			const { world, session } = await branches();
			const reply = await world.post(`${session}/${path}`, body);
			expect(reply.headers.get("Location")).toBe(addressOf(reply));
			expect(sessionOf(reply)).toMatchObject({ version: 3, parentSession: "source", cwd: "/work" });
			expect(Date.parse(sessionOf(reply).timestamp)).toBe(world.clock.now());
			const other = await world.post(`${session}/${path}`, { ...body, id: "mine", cwd: "/else" });
			expect(sessionOf(other)).toMatchObject({ id: "mine", cwd: "/else" });
			const header = JSON.parse((await world.get("/v1/sessions/mine/export")).text.split("\n")[0] ?? "");
			expect(header).toMatchObject({
				type: "session",
				version: 3,
				id: "mine",
				cwd: "/else",
				parentSession: "source",
			});
		});

		it(`${call}: is readable, and listed, on any instance the moment it is answered; 1 PUT beside the list's`, async () => {
			const { world, session } = await branches();
			const reply = await world.post(`${session}/${path}`, body);
			expect(requestsOf(reply).put).toBe(2);
			const other = world.cold();
			const read = await other.get(addressOf(reply));
			expect([read.status, read.body]).toEqual([200, sessionOf(reply)]);
			expect(read.headers.get("ETag")?.split("-").slice(0, 2)).toEqual(
				reply.headers.get("ETag")?.replace(/"$/, "").split("-"),
			);
			const { sessions } = (await other.get(`${session}/children`)).body;
			expect(sessions).toEqual([sessionOf(reply)]);
		});

		it(`${call}: shares nothing with its source`, async () => {
			const { world, session } = await branches();
			const made = addressOf(await world.post(`${session}/${path}`, body));
			const before = await storedEntries(world, made);
			await world.post(`${session}/entries`, user("more"));
			await world.call("DELETE", session);
			expect(await storedEntries(world.cold(), made)).toEqual(before);
			expect((await world.get(made)).body.parentSession).toBe("source");
		});

		it(`${call}: a repeat with its key gives the first answer, whatever became of both`, async () => {
			const { world, session } = await branches();
			const again = (instance: World, given: object = body) =>
				instance.post(`${session}/${path}`, given, { "Idempotency-Key": "k" });
			const first = await again(world);
			await world.post(`${session}/navigate`, { targetId: "a2" });
			await world.post(`${addressOf(first)}/entries`, user("more"));
			for (const instance of [world, world.cold()]) {
				const second = await again(instance);
				expect([second.status, second.text, second.headers.get("Idempotency-Replayed")]).toEqual([
					200,
					first.text,
					"true",
				]);
				expect(second.headers.get("ETag")).toBe(first.headers.get("ETag"));
			}
			for (const other of [
				{ ...body, cwd: "/else" },
				{ ...body, id: sessionOf(first).id, cwd: "/else" },
			]) {
				expect((await again(world, other)).status).toBe(409);
			}
			const elsewhere = await world.session([
				user("x", { id: "u1" }),
				user("y", { id: "u2" }),
				user("z", { id: "u3" }),
			]);
			expect((await world.post(`${elsewhere}/${path}`, body, { "Idempotency-Key": "k" })).status).toBe(409);
		});

		it(`${call}: an id that is taken is 409, a deleted one 410`, async () => {
			const { world, session } = await branches();
			await world.post(`${session}/${path}`, { ...body, id: "mine" });
			expect((await world.post(`${session}/${path}`, { ...body, id: "mine" })).status).toBe(409);
			await world.call("DELETE", "/v1/sessions/mine");
			expect((await world.post(`${session}/${path}`, { ...body, id: "mine" })).status).toBe(410);
		});

		it(`${call}: with If-Match only of the source as it is known`, async () => {
			const { world, session } = await branches();
			const known = { "If-Match": (await world.get(`${session}/tree`)).headers.get("ETag") ?? "" };
			expect((await world.post(`${session}/${path}`, body, known)).status).toBe(201);
			const keyed = { ...known, "Idempotency-Key": "k" };
			const first = await world.post(`${session}/${path}`, body, keyed);
			await world.post(`${session}/entries`, user("more"));
			expect((await world.post(`${session}/${path}`, body, known)).status).toBe(412);
			expect((await world.post(`${session}/${path}`, body, keyed)).text).toBe(first.text);
		});

		it(`${call}: appears whole or not at all`, async () => {
			const { world, session } = await branches();
			const refusing = world.cold({
				wrap: (store) =>
					new FaultyStore(store, {
						plan: ({ kind }) => (kind === "put" ? { kind: "refused" } : undefined),
						sleep: () => new Promise((resolve) => setImmediate(resolve)),
					}),
			});
			const sent = refusing.post(`${session}/${path}`, { ...body, id: "mine" });
			for (let turn = 0; turn < 200; turn++) {
				await new Promise((resolve) => setImmediate(resolve));
				world.clock.advance(500);
			}
			expect((await sent).status).toBe(503);
			expect((await world.cold().get("/v1/sessions/mine")).status).toBe(404);
		});

		it(`${call}: what isn't there is 404, and shapes are 400`, async () => {
			const { world, session } = await branches();
			for (const bad of [{ id: "-" }, { id: 7 }, { cwd: 7 }, { more: 1 }]) {
				expect((await world.post(`${session}/${path}`, { ...body, ...bad })).status).toBe(400);
			}
			const [field] = Object.keys(body);
			if (field === undefined) return;
			const unknown = await world.post(`${session}/${path}`, { ...body, [field]: "nowhere" });
			expect([unknown.status, unknown.body.errors[0].path]).toEqual([404, field]);
			for (const bad of [7, null, ""]) {
				expect((await world.post(`${session}/${path}`, { ...body, [field]: bad })).status).toBe(400);
			}
		});

		it(`${call}: a working directory or a session that is too large is 413, and nothing is stored`, async () => {
			const { world, session } = await branches();
			const long = await world.post(`${session}/${path}`, { ...body, id: "mine", cwd: "x".repeat(4097) });
			const strict = world.cold({ config: { limits: { madeSessionBytes: 300 } } });
			const large = await strict.post(`${session}/${path}`, { ...body, id: "mine" });
			for (const reply of [long, large])
				expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
			expect((await world.get("/v1/sessions/mine")).status).toBe(404);
		});
	}

	it("createBranchedSession: a name of its own follows the labels, and is the leaf", async () => {
		const { world, session } = await branches();
		const body = { leafId: "u3", name: "Green\r\n\ntea " };
		const reply = await world.post(`${session}/branched-sessions`, body, { "Idempotency-Key": "k" });
		expect(reply.body).toMatchObject({ name: "Green tea", seq: 5, entryCount: 5 });
		const stored = await storedEntries(world, addressOf(reply));
		expect(stored.map(({ type }) => type)).toEqual([
			"message",
			"message",
			"message",
			"label",
			"session_info",
		]);
		expect(reply.body.leafId).toBe(stored.at(-1)?.id);
		const again = (name: string) =>
			world.post(`${session}/branched-sessions`, { leafId: "u3", name }, { "Idempotency-Key": "k" });
		expect((await again("Green tea")).text).toBe(reply.text);
		expect((await again("Black tea")).status).toBe(409);
		const long = await world.post(`${session}/branched-sessions`, { leafId: "u3", name: "x".repeat(513) });
		expect(long.status).toBe(413);
	});

	it("forkSession before: needs a user message", async () => {
		const { world, session } = await branches();
		for (const entryId of ["a1", "l1", "x1"]) {
			const reply = await world.post(`${session}/fork`, { entryId });
			expect([reply.status, reply.body.code]).toEqual([422, "unprocessable"]);
		}
	});

	it("forkSession before the first message: an empty session that names its source", async () => {
		const { world, session } = await branches();
		const reply = await world.post(`${session}/fork`, { entryId: "u1" });
		expect(reply.body).toMatchObject({
			selectedText: "first",
			session: { parentSession: "source", leafId: null, entryCount: 0, seq: 0 },
		});
		expect((await world.get(`${addressOf(reply)}/context`)).body.messages).toEqual([]);
	});

	it("forkSession at, createBranchedSession: a leaf entry is 422", async () => {
		const { world, session } = await branches();
		expect((await world.post(`${session}/fork`, { entryId: "x1", position: "at" })).status).toBe(422);
		expect((await world.post(`${session}/branched-sessions`, { leafId: "x1" })).status).toBe(422);
	});

	it("cloneSession: without a leaf there is nothing to clone", async () => {
		const { world, session } = await branches();
		await world.put(`${session}/leaf`, { targetId: null });
		const reply = await world.post(`${session}/clone`);
		expect([reply.status, reply.body.code]).toEqual([422, "unprocessable"]);
		const copy = await world.post(`${session}/copies`);
		expect([copy.status, copy.body.leafId]).toEqual([201, null]);
	});

	it("keeps lines byte for byte where nothing is different in them", async () => {
		const world = new World();
		const header = {
			type: "session",
			version: 3,
			id: "odd",
			timestamp: "2026-01-01T00:00:00.000Z",
			cwd: "/",
		};
		const line =
			'{ "type":"message" , "id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"\\u0041","timestamp":1.0e3},"n":10000000000000000000001}';
		const reply = await world.call("POST", "/v1/sessions/import", `${JSON.stringify(header)}\n${line}\n`, {
			"Content-Type": "application/x-ndjson",
		});
		expect(reply.status).toBe(201);
		for (const path of ["clone", "copies"]) {
			const made = await world.post(`/v1/sessions/odd/${path}`);
			expect((await world.get(`${addressOf(made)}/export`)).text.split("\n")[1]).toBe(line);
		}
	});
});

describe("large sources", () => {
	it("of 20,000 entries: forked, cloned and copied in one PUT each, without recursion", {
		timeout: 120_000,
	}, async () => {
		const world = new World();
		const source = await world.session();
		for (let batch = 0; batch < 20; batch++) {
			const entries = Array.from({ length: 1000 }, (_, at) =>
				at % 100 === 99
					? { type: "label", targetId: `e${batch * 1000 + at - 1}`, label: `mark ${batch}` }
					: user(`message ${batch * 1000 + at}`, { id: `e${batch * 1000 + at}` }),
			);
			expect((await world.post(`${source}/entries`, { entries })).status).toBe(201);
		}
		const cold = world.cold();
		const cloned = await cold.post(`${source}/clone`, { id: "clone" });
		expect(cloned.body.session).toMatchObject({ entryCount: 20_000, messageCount: 19_800, seq: 20_000 });
		expect(requestsOf(cloned).put).toBe(2);
		const copied = await cold.post(`${source}/copies`, { id: "copy" });
		expect(copied.body).toMatchObject({ entryCount: 20_000, seq: 20_000 });
		const forked = await cold.post(`${source}/fork`, { entryId: "e15000", id: "fork" });
		expect(forked.body.session).toMatchObject({ messageCount: 14_850 });
		const other = world.cold();
		for (const [id, length] of [
			["clone", 19_800],
			["copy", 20_000],
			["fork", 14_850],
		] as const) {
			const page = (await other.get(`/v1/sessions/${id}/branch?limit=${length + 500}`)).body.entries;
			expect(page.filter((entry: Entry) => entry.type === "message").length).toBe(
				id === "fork" ? 14_850 : 19_800,
			);
		}
		const preview = await other.get(`${source}/navigation?targetId=e0&tokenBudget=100`);
		expect([preview.status, preview.body.commonAncestorId]).toEqual([200, "e0"]);
	});

	it("over 32 MiB: 413 by default, as on Workers, and made where the limit is higher", {
		timeout: 120_000,
	}, async () => {
		const world = new World();
		const source = await world.session([user("first", { id: "u1" })]);
		const filler = "x".repeat(3 * 1024 * 1024);
		for (let at = 0; at < 11; at++) {
			await world.post(`${source}/entries`, {
				type: "custom",
				customType: "file",
				id: `f${at}`,
				data: filler,
			});
		}
		for (const [path, body] of [
			["clone", {}],
			["copies", {}],
			["branched-sessions", { leafId: "f10" }],
			["fork", { entryId: "f10", position: "at" }],
		] as const) {
			const reply = await world.post(`${source}/${path}`, body);
			expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
			expect(reply.body.detail).toContain("33554432");
		}
		expect((await world.post(`${source}/fork`, { entryId: "f1", position: "at" })).status).toBe(201);
		const roomy = world.cold({ config: { limits: { madeSessionBytes: 512 * 1024 * 1024 } } });
		const reply = await roomy.post(`${source}/clone`, { id: "large" });
		expect(reply.status).toBe(201);
		const stored = await world.cold().get("/v1/sessions/large/entries/f10");
		expect(stored.body.entry.data).toHaveLength(filler.length);
	});
});
