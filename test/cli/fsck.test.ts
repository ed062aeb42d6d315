import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { says } from "../client/service.ts";
import { commandLine } from "./command-line.ts";

let place: Awaited<ReturnType<typeof commandLine>>;
beforeAll(async () => {
	place = await commandLine();
	await place.leaflog.createSession({ id: "s", name: "sound", entries: [says("hello", { id: "a" })] });
	const session = place.leaflog.session("s");
	await session.append([says("left", { id: "b", parentId: "a" }), says("right", { id: "c", parentId: "a" })]);
	await session.append({ type: "label", targetId: "b", label: "best" });
	await session.setLeaf("b");
	await place.leaflog.createSession({ id: "empty" });
});
afterAll(() => place.close());

type Json = Record<string, unknown>;
type Entries = { entries: Json[] };

/** The service as it would be if its answers at these addresses were others. */
async function lying(address: RegExp, lie: (body: Json & Entries) => unknown) {
	const { world } = place.server;
	const honest = world.fetch.bind(world);
	world.fetch = async (request) => {
		const response = await honest(request);
		if (!address.test(request.url)) return response;
		const body = (await response.json()) as Json & Entries;
		lie(body);
		return Response.json(body, { headers: { ETag: response.headers.get("ETag") ?? "" } });
	};
	try {
		return await place.leaf("fsck", "s");
	} finally {
		world.fetch = honest;
	}
}

describe("fsck", () => {
	it("sound sessions, one or all", async () => {
		expect(await place.leaf("fsck", "s")).toEqual({
			status: 0,
			out: "s: 6 entries, sound\n1 checked, 0 with something wrong\n",
			err: "",
		});
		expect((await place.leaf("fsck")).out).toContain("2 checked, 0 with something wrong");
		const lines = (await place.leaf("--json", "fsck")).out.trim().split("\n");
		expect(lines.map((line) => JSON.parse(line).problems)).toEqual([[], []]);
		expect((await place.leaf("fsck", "none")).err).toBe("leaflog: There is no session with this id\n");
	});

	it("what the service says of the session and its log don't agree: told", async () => {
		const session = /\/sessions\/s$/;
		const branch = /\/branch/;
		const lies: [RegExp, (body: Json & Entries) => unknown, string][] = [
			[session, (body) => (body.leafId = "c"), "leafId is said to be c, but the log gives b"],
			[session, (body) => (body.entryCount = 7), "entryCount is said to be 7, but the log gives 5"],
			[session, (body) => (body.messageCount = 0), "messageCount is said to be 0, but the log gives 3"],
			[session, (body) => (body.seq = 5), "seq is said to be 5, but the log gives 6"],
			[branch, (body) => body.entries.shift(), "branch is said to be b, but the log gives a b"],
		];
		for (const [address, lie, told] of lies) {
			expect(await lying(address, lie)).toEqual({
				status: 1,
				out: `s: ${told}\n1 checked, 1 with something wrong\n`,
				err: "",
			});
		}
	});

	it("a log with an id twice, a parent that isn't there, or a circle: told", async () => {
		const log = /\/entries/;
		const at = (body: Entries, index: number) => body.entries[index] as Json;
		const lies: [(body: Json & Entries) => unknown, string][] = [
			[(body) => (at(body, 3).id = "b"), "entry 4 has the id b of entry 3"],
			[(body) => (at(body, 3).parentId = "x"), "entry 4 (c) names x, which is not there"],
			[(body) => (at(body, 5).targetId = "y"), "names y, which is not there"],
			[(body) => (at(body, 0).parentId = "b"), "is its own ancestor"],
		];
		for (const [lie, told] of lies) {
			const { status, out } = await lying(log, lie);
			expect([status, out]).toEqual([1, expect.stringContaining(told)]);
		}
	});

	it("others append meanwhile: reads on", async () => {
		const { world } = place.server;
		const honest = world.fetch.bind(world);
		let left = 3;
		world.fetch = async (request) => {
			if (/\/sessions\/empty$/.test(request.url) && left-- > 0) {
				const body = JSON.stringify(says(`more ${left}`));
				const headers = { "Content-Type": "application/json" };
				await honest(new Request(`${request.url}/entries`, { method: "POST", headers, body }));
			}
			return honest(request);
		};
		const { out } = await place.leaf("fsck", "empty");
		world.fetch = honest;
		expect(out).toContain("empty: 3 entries, sound");
	});
});
