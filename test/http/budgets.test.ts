import { beforeAll, describe, expect, it } from "vitest";
import { type Reply, requestsOf, user, World } from "./world.ts";

/** Requests to the store behind each call, for sessions of one entry a commit, cold and warm. */

const lengths = [1, 10, 100, 1000] as const;
const worlds = new Map<number, World>();
const session = "/v1/sessions/s";

beforeAll(async () => {
	for (const length of lengths) {
		const world = new World();
		await world.session([], { id: "s" });
		for (let n = 1; n <= length; n++)
			await world.post(`${session}/entries`, user(`message ${n}`, { id: `e${n}` }));
		worlds.set(length, world);
	}
}, 60_000);

const log2 = (commits: number) => Math.ceil(Math.log2(commits + 1));

/** What an answer cost, bytes left out. */
function cost(reply: Reply): Record<string, number> {
	const { "bytes-read": _read, "bytes-written": _written, ...requests } = requestsOf(reply);
	return requests;
}

describe.each(lengths)("%i commits", (length) => {
	const world = () => worlds.get(length) as World;
	const indexGets = log2(length + 1);

	it("cold: a LIST, the index, and blocks of bodies where they are asked for", async () => {
		const leaf = await world().cold().get(`${session}/leaf`);
		expect(cost(leaf)).toEqual({ list: 1, get: 1 });
		for (const tail of ["/tree", "/labels", "/stats"]) {
			const {
				list,
				get = 0,
				...others
			} = cost(
				await world()
					.cold()
					.get(session + tail),
			);
			expect([list, others]).toEqual([1, {}]);
			expect(get).toBeLessThanOrEqual(indexGets);
		}
		const newest = await world().cold().get(`${session}/branch?limit=50`);
		expect(newest.body.entries).toHaveLength(Math.min(50, length));
		expect(cost(newest).get).toBeLessThanOrEqual(indexGets + 6);
		const about = await world().cold().get(session);
		expect(cost(about).get).toBeLessThanOrEqual(indexGets + (length > 500 ? 1 : 0));
	});

	it("warm: one look at whether something is new", async () => {
		for (const tail of [
			"",
			"/leaf",
			"/tree",
			"/labels",
			"/branch",
			"/context",
			"/entries",
			"/entries/e1",
			"/export",
			"/stats",
			"/fork-points",
			"/navigation?targetId=e1",
			"/compaction-plan?keepRecentTokens=0",
		]) {
			if (length === 1 && tail.startsWith("/compaction")) continue;
			await world().get(session + tail);
			expect([tail, cost(await world().get(session + tail))]).toEqual([tail, { get: 1 }]);
		}
	});

	it("an append is one PUT, on a cold instance after the index", async () => {
		expect(cost(await world().post(`${session}/entries`, user("warm")))).toEqual({ put: 1 });
		const { list, put, get = 0 } = cost(await world().cold().post(`${session}/entries`, user("cold")));
		expect([list, put]).toEqual([1, 1]);
		expect(get).toBeLessThanOrEqual(log2(length + 3));
	});

	it("a navigation is one PUT, a fork the read and one PUT, and one for the list", async () => {
		await world().get(`${session}/branch`);
		const moved = await world().post(`${session}/navigate`, {
			targetId: "e1",
			summary: { text: "S" },
			label: "L",
		});
		expect([moved.body.editorText, cost(moved)]).toEqual(["message 1", { put: 1 }]);
		await world().put(`${session}/leaf`, { targetId: `e${length}` });
		for (const [path, body] of [
			["clone", {}],
			["copies", {}],
			["fork", { entryId: `e${length}` }],
		] as const) {
			const { list, put, get = 0 } = cost(await world().cold().post(`${session}/${path}`, body));
			expect([path, list, put]).toEqual([path, 2, 2]);
			expect(get).toBeLessThanOrEqual(log2(length + 9) + 8);
			await world().post(`${session}/${path}`, body);
			expect(cost(await world().post(`${session}/${path}`, body))).toEqual({ get: 1, put: 2 });
		}
	});

	it("a refusal and a replay cost a look on top, never a PUT", async () => {
		await world().get(session);
		const first = await world().post(`${session}/entries`, user("x"), { "Idempotency-Key": "k" });
		expect(cost(first)).toEqual({ put: 1 });
		const replay = await world().post(`${session}/entries`, user("x"), { "Idempotency-Key": "k" });
		expect([replay.status, cost(replay)]).toEqual([200, { get: 1 }]);
		const refused = await world().post(`${session}/entries`, user("x", { parentId: "none" }));
		expect([refused.status, cost(refused)]).toEqual([404, { get: 1 }]);
	});
});

describe("sessions that are made", () => {
	it("one PUT for the session and one for the list, after one LIST for the first of them", async () => {
		const world = new World();
		expect(cost(await world.post("/v1/sessions", {}))).toEqual({ put: 2, list: 1 });
		expect(cost(await world.post("/v1/sessions", { entries: [user("a")] }))).toEqual({ put: 2 });
		const source = await world.session([user("a", { id: "a" })]);
		expect(cost(await world.post(`${source}/branched-sessions`, { leafId: "a" }))).toEqual({
			get: 1,
			put: 2,
		});
		expect(cost(await world.call("DELETE", source))).toEqual({ put: 2 });
	});
});
