import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/http/endpoints.ts";
import { namespacePrefix } from "../../src/log/keys.ts";
import type { Entry } from "../../src/session/entry.ts";
import { randomSession } from "../session/random-session.ts";
import { addressOf, everyRoute, type Route } from "./every-route.ts";
import { imported, pick, storedEntries } from "./files-and-pi.ts";
import * as tokens from "./tokens.ts";
import { type Reply, user, World } from "./world.ts";

const owner = { Authorization: `Bearer ${tokens.apiKey}` };
const readerOf = async (sub = "reader") => ({ Authorization: `Bearer ${await tokens.token({ sub })}` });
const under = (share: Reply) => ({ "Leaflog-Share": share.body.token as string });

/** Reads that a share allows, and calls that make a session of what it shows. */
const specs = endpoints.map(({ spec }) => spec);
const isShared = (kind: string | undefined) => (route: Route) =>
	specs.find(({ operationId }) => operationId === route.operationId)?.shared === kind;
const reads = everyRoute.filter(isShared("read"));
const forks = everyRoute.filter(isShared("fork"));
const others = everyRoute.filter(isShared(undefined));

const picture = {
	type: "message",
	message: { role: "user", content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }] },
};

/** All that an answer's headers tell. */
const headersOf = ({ headers }: Reply) =>
	Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id"));

/** q1 → a1, from which q2 and q3 part; the secret is on the branch of q3. */
async function furnished() {
	const open = new World();
	const entries = [
		user("question", { id: "q1" }),
		user("answer", { id: "a1" }),
		{ type: "label", id: "l1", targetId: "q1", label: "begin" },
		{ ...picture, id: "q2", parentId: "a1" },
		{ ...user("secret-text"), id: "secret-1", parentId: "a1" },
		{ type: "label", id: "secret-2", targetId: "secret-1", label: "secret-label" },
		{ type: "session_info", id: "secret-3", name: "secret-name" },
	];
	const session = await open.session(entries, {
		id: "Session.1",
		cwd: "/work",
		metadata: { secret: 1 },
		parentSession: "secret-parent",
	});
	const world = open.cold({ authenticate: tokens.authenticate() });
	const share = (body: object, headers = {}) =>
		world.post(`${session}/shares`, body, { ...owner, ...headers });
	return { world, session, share };
}

function ask(world: World, route: Route, session: string, headers: object, entryId = "q2"): Promise<Reply> {
	const body = route.body?.(entryId);
	const type = route.type && { "Content-Type": route.type };
	return world.call(route.method, addressOf(route, session, entryId), body, {
		...route.headers,
		...type,
		...headers,
	});
}

describe("shares of a path", () => {
	it.each(reads)("$operationId: shows nothing of other branches", async (route) => {
		const { world, session, share } = await furnished();
		const made = await share({ scope: "read", leafId: "q2" });
		const before = await ask(world, route, session, under(made));
		expect(before.status).toBe(200);
		expect(before.text).not.toContain("secret");
		for (const change of ["secret too", "secret again"])
			await world.post(`${session}/entries`, { ...user(change), parentId: "a1" }, owner);
		await world.put(`${session}/leaf`, { targetId: "a1" }, owner);
		await world.post(`${session}/entries`, { type: "label", targetId: "secret-1", label: "secret" }, owner);
		const held = { ...under(made), "If-None-Match": before.headers.get("ETag") ?? "" };
		for (const instance of [world, world.cold()]) {
			const after = await ask(instance, route, session, under(made));
			expect(after.text).toBe(before.text);
			// Nor how much there is of them, or that there is more now.
			expect(headersOf(after)).toEqual(headersOf(before));
		}
		// A watch asks for what is new, and is never "not modified".
		const unchanged = route.operationId === "watchSession" ? 200 : 304;
		expect((await ask(world, route, session, held)).status).toBe(unchanged);
	});

	it.each(reads)("$operationId: whatever it is asked, shows nothing of other branches", async (route) => {
		const { world, session, share } = await furnished();
		const made = await share({ scope: "read", leafId: "q2" });
		const queries = [
			"after=0&media=link",
			"limit=1&include=siblings",
			"include=siblings&media=link",
			"q=secret",
			"labeled=true",
			"view=entries",
			"view=projection&format=llm",
			"format=log",
			"type=label&type=session_info&type=message",
			"types=message,label",
			"keepRecentTokens=1&contextWindow=1&reserveTokens=0",
			"after=3",
			"after=99",
			"targetId=q1&tokenBudget=1",
		];
		for (const query of queries) {
			const address = `${route.path(session, "q2")}?${query}`;
			for (const Accept of ["application/json", "text/event-stream"]) {
				if (route.operationId === "watchSession" && Accept === "text/event-stream") continue;
				const reply = await world.get(address, { ...under(made), Accept });
				expect([200, 400]).toContain(reply.status);
				expect(reply.text.replaceAll(/"message":"[^"]*"|"path":"[^"]*"/g, "")).not.toContain("secret");
			}
		}
	});

	it.each(forks)("$operationId: what is made of it holds nothing of other branches", async (route) => {
		const { world, session, share } = await furnished();
		const made = await share({ scope: "fork", leafId: "q2" });
		const reader = await readerOf();
		const forked = await ask(world, route, session, { ...reader, ...under(made) }, "q2");
		expect(forked.status).toBe(201);
		const { id } = forked.body.session ?? forked.body;
		const log = await world.get(`/v1/sessions/${id}/export?format=log`, reader);
		expect(log.text).toContain("question");
		expect(log.text + forked.text).not.toContain("secret");
	});

	it("a link to its pictures, which needs no share: tells neither the owner nor how much lies on other branches", async () => {
		const world = new World({
			authenticate: tokens.authenticate(),
			config: { mediaSecret: "a secret of the deployment" },
		});
		const tags: (string | null)[] = [];
		for (const others of [0, 3]) {
			const secrets = Array.from({ length: others }, () => ({ ...user("secret"), parentId: "q1" }));
			const entries = [user("question", { id: "q1" }), ...secrets, { ...picture, id: "p", parentId: "q1" }];
			const { id } = (await world.post("/v1/sessions", { entries }, owner)).body;
			const session = `/v1/sessions/${id}`;
			const made = await world.post(`${session}/shares`, { scope: "read", leafId: "p" }, owner);
			const { entry } = (await world.get(`${session}/entries/p?media=link`, under(made))).body;
			const { href } = entry.message.content[0];
			expect(href).not.toContain(namespacePrefix("tests").slice(0, -1));
			const loaded = await world.get(href);
			expect(loaded.status).toBe(200);
			tags.push(loaded.headers.get("ETag"));
		}
		expect(tags[1]).toBe(tags[0]);
	});

	it("any call with an entry of another branch: 404, as for one that isn't there", async () => {
		const { world, session, share } = await furnished();
		const made = await share({ scope: "fork", leafId: "q2" });
		const headers = { ...(await readerOf()), ...under(made) };
		for (const id of ["secret-1", "secret-2", "secret-3", "l1"]) {
			const asked = (name: string): [string, string, unknown?][] => [
				["GET", `${session}/entries/${name}`],
				["GET", `${session}/branch?from=${name}`],
				["GET", `${session}/branch?before=${name}`],
				["GET", `${session}/context?from=${name}`],
				["GET", `${session}/navigation?targetId=${name}`],
				["POST", `${session}/fork`, { entryId: name, position: "at" }],
				["POST", `${session}/branched-sessions`, { leafId: name }],
			];
			const nowhere = asked("nowhere");
			for (const [at, [method, path, body]] of asked(id).entries()) {
				const reply = await world.call(method, path, body, headers);
				const none = await world.call(method, nowhere[at]?.[1] ?? "", nowhere[at]?.[2], headers);
				expect([path, reply.status, none.status]).toEqual([path, 404, 404]);
				expect(reply.text.replaceAll(id, "nowhere").replace(reply.body.requestId, none.body.requestId)).toBe(
					none.text,
				);
			}
		}
	});

	it("of random sessions: each call answers as on the session that createBranchedSession makes", async () => {
		const cases = fc.sample(fc.tuple(randomSession(40), fc.nat(99)), { seed: 31, numRuns: 40 });
		let compared = 0;
		for (const [{ header, entries }, at] of cases) {
			if (entries.length === 0) continue;
			const world = new World();
			const source = await imported(world, header, entries);
			const leafId = pick(entries, at);
			const branched = await world.post(`${source}/branched-sessions`, { leafId });
			const made = await world.post(`${source}/shares`, { scope: "read", leafId });
			if (branched.body.seq === 0) {
				expect(made.status).toBe(422);
				continue;
			}
			expect(made.status).toBe(201);
			const copy = `/v1/sessions/${branched.body.id}`;
			const stored = await storedEntries(world, copy);
			const shown = (await world.get(`${source}/entries?limit=1000`, under(made))).body.entries as Entry[];
			const names = new Map(shown.map(({ id }, index) => [id, stored[index]?.id ?? ""]));
			const named = (text: string) => text.replaceAll(/[\w-]+/g, (word) => names.get(word) ?? word);
			for (const path of [
				"/entries?limit=1000",
				"/leaf",
				"/branch?include=siblings",
				"/context",
				"/context?view=projection&format=llm",
				"/tree",
				"/labels",
				"/stats",
				"/fork-points",
				"/compaction-plan?keepRecentTokens=0",
				"/events?after=0",
			]) {
				const json = { Accept: "application/json" };
				const there = await world.get(copy + path, json);
				const here = await world.get(source + path, { ...json, ...under(made) });
				expect([path, here.status]).toEqual([path, there.status]);
				const known = (body: object) => ({ ...body, requestId: undefined });
				expect([path, known(JSON.parse(named(here.text)))]).toEqual([path, known(there.body)]);
			}
			compared++;
		}
		expect(compared).toBeGreaterThan(25);
	});
});

describe("shares", () => {
	it.each([...reads, ...forks])("$operationId: another session is as good as none", async (route) => {
		const { world, share } = await furnished();
		await world.post("/v1/sessions", { id: "private" }, owner);
		const made = await share({ scope: "fork" });
		const headers = { ...under(made), ...(await readerOf()) };
		const theirs = await ask(world, route, "/v1/sessions/private", headers);
		const none = await ask(world, route, "/v1/sessions/nowhere", headers);
		expect([theirs.status, none.status]).toEqual([404, 404]);
		expect({ ...theirs.body, requestId: 0 }).toEqual({ ...none.body, requestId: 0 });
	});

	it.each(others)("$operationId: no share allows it, whoever brings it", async (route) => {
		const { world, session, share } = await furnished();
		const made = await share({ scope: "fork" });
		for (const more of [{}, owner]) {
			const reply = await ask(world, route, session, { ...more, ...under(made) });
			expect([reply.status, reply.body.code]).toEqual([403, "forbidden"]);
		}
	});

	it.each(forks)("$operationId: needs a share to fork, and a scope of one's own", async (route) => {
		const { world, session, share } = await furnished();
		const [read, fork] = [await share({ scope: "read" }), await share({ scope: "fork" })];
		const reader = await readerOf();
		const limited = {
			Authorization: `Bearer ${await tokens.token({ sub: "reader", scope: "sessions:read" })}`,
		};
		expect((await ask(world, route, session, { ...reader, ...under(read) })).status).toBe(403);
		expect((await ask(world, route, session, under(fork))).status).toBe(401);
		expect((await ask(world, route, session, { ...limited, ...under(fork) })).status).toBe(403);
		const key = { "Idempotency-Key": "once" };
		const made = await ask(world, route, session, { ...reader, ...under(fork), ...key });
		expect(made.status).toBe(201);
		const { id, parentSession } = made.body.session ?? made.body;
		expect(parentSession).toBeUndefined();
		expect((await world.get(`/v1/sessions/${id}`, reader)).status).toBe(200);
		expect((await world.get(`/v1/sessions/${id}`, owner)).status).toBe(404);
		const again = await ask(world, route, session, { ...reader, ...under(fork), ...key });
		expect([again.status, again.text]).toEqual([200, made.text]);
	});

	it.each(reads)("$operationId: what is no share, is over or was revoked lets nobody in", async (route) => {
		const { world, session, share } = await furnished();
		const [brief, revoked] = [
			await share({ scope: "read", expiresInSeconds: 60 }),
			await share({ scope: "read" }),
		];
		expect((await ask(world, route, session, under(brief))).status).toBe(200);
		expect((await ask(world, route, session, under(revoked))).status).toBe(200);
		expect(
			(await world.call("DELETE", `${session}/shares/${revoked.body.id}`, undefined, owner)).status,
		).toBe(204);
		world.clock.advance(60_000);
		const token = String(brief.body.token);
		for (const given of [
			token,
			revoked.body.token,
			"",
			"lls_x",
			`lls_${"A".repeat(43)}`,
			`${token}, ${token}`,
		]) {
			for (const more of [{}, owner]) {
				const reply = await ask(world, route, session, { ...more, "Leaflog-Share": given });
				expect([given, reply.status]).toEqual([given, 401]);
			}
		}
	});

	it("a whole session: all of it, and what comes later; deleted it is 410", async () => {
		const { world, session, share } = await furnished();
		const made = await share({ scope: "read" });
		await world.post(`${session}/entries`, { ...user("later"), id: "later" }, owner);
		for (const route of reads) {
			const [shared, own] = [
				await ask(world, route, session, under(made)),
				await ask(world, route, session, owner),
			];
			expect([route.operationId, shared.text]).toEqual([route.operationId, own.text]);
		}
		await world.call("DELETE", session, undefined, owner);
		expect((await world.get(session, under(made))).status).toBe(410);
	});

	it("made, listed, made again with its key, revoked; the token is stored nowhere", async () => {
		const { world, session, share } = await furnished();
		const request = { scope: "fork", leafId: "q2", expiresInSeconds: 600 };
		const made = await share(request, { "Idempotency-Key": "k" });
		expect(made.body).toEqual({
			id: expect.any(String),
			token: expect.stringMatching(/^lls_[\w-]{43}$/),
			expiresAt: expect.any(String),
		});
		const again = await share(request, { "Idempotency-Key": "k" });
		expect([again.status, again.body, again.headers.get("Idempotency-Replayed")]).toEqual([
			200,
			made.body,
			"true",
		]);
		expect((await share({ scope: "read" }, { "Idempotency-Key": "k" })).status).toBe(409);
		const { shares } = (await world.get(`${session}/shares`, owner)).body;
		expect(shares).toEqual([
			{
				id: made.body.id,
				scope: "fork",
				leafId: "q2",
				createdAt: expect.any(String),
				expiresAt: made.body.expiresAt,
			},
		]);
		let objects = 0;
		for (const { key } of (await world.bucket.list("")).objects) {
			const found = await world.bucket.get(key);
			if (found.kind === "found")
				expect(key + new TextDecoder().decode(found.bytes)).not.toContain(made.body.token);
			objects++;
		}
		expect(objects).toBeGreaterThan(3);
		const address = `${session}/shares/${made.body.id}`;
		expect((await world.call("DELETE", address, undefined, owner)).status).toBe(204);
		expect((await world.call("DELETE", address, undefined, owner)).status).toBe(404);
		expect((await world.get(`${session}/shares`, owner)).body).toEqual({ shares: [] });
	});

	it("what can't be shared: refused, and nothing is stored", async () => {
		const { world, session, share } = await furnished();
		const before = (await world.bucket.list("")).objects.length;
		const bad: [object, number][] = [
			[{}, 400],
			[{ scope: "write" }, 400],
			[{ scope: "read", leafId: "" }, 400],
			[{ scope: "read", leafId: null }, 400],
			[{ scope: "read", expiresInSeconds: 0 }, 400],
			[{ scope: "read", expiresInSeconds: 30 * 24 * 3600 + 1 }, 400],
			[{ scope: "read", leafId: "nowhere" }, 404],
		];
		for (const [body, status] of bad) expect([body, (await share(body)).status]).toEqual([body, status]);
		expect((await share({ scope: "read" }, { "If-Match": '"1"' })).status).toBe(412);
		expect((await world.bucket.list("")).objects.length).toBe(before);
		expect((await world.get(`${session}/shares`, owner)).body.shares).toEqual([]);
	});

	it("checking one costs a GET", async () => {
		const { world, session, share } = await furnished();
		const made = await share({ scope: "read" });
		await world.get(`${session}/leaf`, owner);
		const count = (reply: Reply) =>
			Number(/get;desc="(\d+)"/.exec(reply.headers.get("Server-Timing") ?? "")?.[1]);
		const own = count(await world.get(`${session}/branch`, owner));
		expect(count(await world.get(`${session}/branch`, under(made)))).toBe(own + 1);
	});
});
