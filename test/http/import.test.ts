import { describe, expect, it } from "vitest";
import { limits } from "../../schemas/limits.ts";
import { fixture, fixtureNames } from "../session/pi.ts";
import { type Reply, requestsOf, user, World } from "./world.ts";

const ndjson = { "Content-Type": "application/x-ndjson" };
const header = (more: object = {}) =>
	JSON.stringify({
		type: "session",
		version: 3,
		id: "file",
		timestamp: "2026-01-01T00:00:00.000Z",
		cwd: "/f",
		...more,
	});
const line = (id: unknown, parentId: unknown = null, more: object = {}) =>
	JSON.stringify({
		type: "message",
		id,
		parentId,
		timestamp: "2026-01-01T00:00:00.000Z",
		message: { role: "user", content: "hi", timestamp: 1 },
		...more,
	});
const file = (...lines: string[]) => `${lines.join("\n")}\n`;

function importing(
	world: World,
	body: string | Uint8Array,
	query = "",
	headers: object = {},
): Promise<Reply> {
	return world.call("POST", `/v1/sessions/import${query}`, body, { ...ndjson, ...headers });
}

function linesOf(reply: Reply): number[] {
	return reply.body.errors.map((issue: { line: number }) => issue.line);
}

describe("importSession", () => {
	it.each(fixtureNames)("%s: is imported whole, and is the same file again", async (name) => {
		const world = new World();
		const reply = await importing(world, fixture(name));
		expect(reply.status).toBe(201);
		expect(reply.body.imported).toBe(reply.body.session.seq);
		expect(reply.body.repairs).toBeUndefined();
		expect(requestsOf(reply)).toMatchObject({ put: 2 });
		const session = `/v1/sessions/${reply.body.session.id}`;
		expect(reply.headers.get("Location")).toBe(session);
		for (const format of ["pi", "log"]) {
			const exported = await world.cold().get(`${session}/export?format=${format}`);
			const again = await importing(world, exported.text, `?id=again-${format}`);
			expect(again.status).toBe(201);
			const { id: _id, ...rest } = again.body.session;
			const { id: _other, ...original } = reply.body.session;
			expect(rest).toMatchObject({
				leafId: original.leafId,
				messageCount: original.messageCount,
				cwd: original.cwd,
			});
			const contexts = await Promise.all(
				[session, `/v1/sessions/again-${format}`].map(
					async (path) => (await world.get(`${path}/context`)).body,
				),
			);
			expect({ ...contexts[1], seq: 0 }).toEqual({ ...contexts[0], seq: 0 });
		}
	});

	it("lines that need no migration are stored byte for byte", async () => {
		const world = new World();
		const odd =
			'{"type" :"custom", "customType":"x","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:00.000Z","data":{"n":1.0,"big":12345678901234567890,"e":1E400,"__proto__":{"x":"\\u0041 \u2028"}}}';
		const first = header({ extra: { __proto: 1 } });
		const text = file(first, line("a"), odd);
		expect((await importing(world, `\ufeff${text.replaceAll("\n", "\r\n")}`)).status).toBe(201);
		for (const format of ["pi", "log"]) {
			const exported = await world.cold().get(`/v1/sessions/file/export?format=${format}`);
			expect(exported.text).toBe(text);
			expect(exported.headers.get("Content-Type")).toBe("application/x-ndjson");
			expect(exported.headers.get("Content-Disposition")).toBe('attachment; filename="file.jsonl"');
		}
		const entry = await world.get("/v1/sessions/file/entries/b");
		expect(entry.text).toContain(odd);
		expect((await world.get("/v1/sessions/file/branch")).text).toContain(odd);
	});

	it("an export ends at the leaf, and its import is there again", async () => {
		const world = new World();
		const session = await world.session([user("a", { id: "a" }), user("b", { id: "b" })], { id: "s" });
		await world.put(`${session}/leaf`, { targetId: "a" });
		const exported = (await world.get(`${session}/export`)).text.trimEnd().split("\n");
		expect(exported).toHaveLength(4);
		expect(JSON.parse(exported[3] ?? "")).toMatchObject({
			type: "custom",
			customType: "leaflog.leaf",
			parentId: "a",
		});
		const again = await importing(world, file(...exported), "?id=again");
		expect(again.body.session).toMatchObject({ leafId: "a", entryCount: 2, seq: 3 });
		const log = (await world.get(`${session}/export?format=log`)).text.trimEnd().split("\n");
		expect(JSON.parse(log[3] ?? "")).toMatchObject({ type: "leaf", targetId: "a" });
	});

	it("an empty session is a header alone", async () => {
		const world = new World();
		const reply = await importing(world, header());
		expect([reply.status, reply.body.imported, reply.body.session.leafId]).toEqual([201, 0, null]);
		expect((await world.get("/v1/sessions/file/export")).text).toBe(file(header()));
	});

	it("what is wrong is told line by line, and nothing is stored", async () => {
		const bad: [string, string | Uint8Array, number[]][] = [
			["nothing", "", [1]],
			["only line feeds", "\n\n", [1]],
			["a README", "# Title\n\nSome text.\n", [1, 1, 3]],
			["no header", file(line("a")), [1]],
			["bad lines", file(header(), line("a"), "{oops", line("b", "a"), "7", "null", '"x"'), [3, 5, 6, 7]],
			["fused lines", file(header(), line("a") + line("b", "a")), [2]],
			["truncated", file(header(), line("a")).slice(0, -5), [2]],
			["duplicate ids", file(header(), line("a"), line("b", "a"), line("a", "b")), [4]],
			["the same line twice", file(header(), line("a"), line("a")), [3]],
			["missing parents", file(header(), line("a"), line("b", "x"), line("c", "y")), [3, 4]],
			["a cycle", file(header(), line("a", "c"), line("b", "a"), line("c", "b")), [4]],
			["its own parent", file(header(), line("a", "a")), [2]],
			["no id", file(header(), line(undefined)), [2]],
			[
				"ids that are none",
				file(header(), line("a b"), line("a\u0000"), line("\ud800"), line("")),
				[2, 3, 4, 5],
			],
			["a second header", file(header(), line("a"), header()), [3]],
			["another version", file(header({ version: 4 }), line("a")), [1]],
			["a session id that is none", file(header({ id: "../x" }), line("a")), [1]],
			[
				"too deep",
				file(header(), line("a", null, { data: "@" }).replace('"@"', "[".repeat(250) + "]".repeat(250))),
				[2],
			],
			["far too deep", file(header(), "[".repeat(100_000)), [2]],
		];
		for (const [what, body, lines] of bad) {
			const world = new World();
			const reply = await importing(world, body);
			expect([what, reply.status, reply.body?.code]).toEqual([what, 422, "unprocessable"]);
			expect([what, linesOf(reply)]).toEqual([what, lines]);
			for (const issue of reply.body.errors) {
				expect(issue).toEqual({ path: `line ${issue.line}`, message: expect.any(String), line: issue.line });
			}
			expect((await world.cold().get("/v1/sessions/file")).status).toBe(404);
			expect(requestsOf(reply).put).toBeUndefined();
		}
	});

	it("repair=true keeps what can be kept, and tells each line", async () => {
		const world = new World();
		const body = file(
			header(),
			line("a"),
			"{oops",
			line("b", "a") + line("c", "b"),
			line("a"),
			line("d", "x"),
			header(),
			line(undefined, "d"),
		);
		const reply = await importing(world, body, "?repair=true&id=mended");
		expect([reply.status, reply.body.session.id, reply.body.imported]).toEqual([201, "mended", 5]);
		expect(reply.body.repairs.map(({ line: at }: { line: number }) => at)).toEqual([3, 4, 5, 6, 7, 8]);
		for (const repair of reply.body.repairs) {
			expect(repair).toEqual({
				line: expect.any(Number),
				problem: expect.any(String),
				action: expect.any(String),
			});
		}
		const fine = await importing(world, file(header(), line("a")), "?repair=true");
		expect(fine.body.repairs).toEqual([]);
		expect((await importing(world, "# Title\n", "?repair=true")).status).toBe(422);
	});

	it("what is not UTF-8 is refused, or mended where that is asked for", async () => {
		const world = new World();
		const bytes = new TextEncoder().encode(file(header(), line("a"), line("b", "a")));
		const at = bytes.lastIndexOf("h".charCodeAt(0));
		bytes[at] = 0xff;
		const strict = await importing(world, bytes);
		expect([strict.status, linesOf(strict)]).toEqual([422, [3]]);
		const mended = await importing(world, bytes, "?repair=true");
		expect(mended.body.repairs).toEqual([{ line: 3, problem: "not UTF-8", action: "read as U+FFFD" }]);
		const entry = await world.send("GET", "/v1/sessions/file/entries/b");
		const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(
			await entry.arrayBuffer(),
		);
		expect(JSON.parse(text).entry.message.content).toBe("\ufffdi");
	});

	it("sizes: a line, a file and a session that are too large are 413", async () => {
		const world = new World({ config: { limits: { importBytes: 6_000_000, sessionEntries: 3 } } });
		const five = file(header(), line("a", null, { data: "x".repeat(5_000_000) }));
		for (const body of [five, "x".repeat(5_000_000), file(header(), "x".repeat(limits.entryBytes + 1))]) {
			const reply = await importing(world, body);
			expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
		}
		expect((await importing(world, "x".repeat(6_000_001))).status).toBe(413);
		expect((await importing(world, file(header(), ..."abcd".split("").map((id) => line(id))))).status).toBe(
			413,
		);
		expect((await importing(world, file(header(), ..."abc".split("").map((id) => line(id))))).status).toBe(
			201,
		);
	}, 30_000);

	it("ids: the file's, the one asked for, taken ones, and the catalogue's", async () => {
		const world = new World();
		const body = file(header(), line("a"));
		expect((await importing(world, body)).body.session.id).toBe("file");
		expect((await importing(world, body)).status).toBe(409);
		expect((await importing(world, body, "?id=other")).body.session.id).toBe("other");
		for (const query of ["?id=../x", "?id=", "?id=a&id=b", "?repair=yes"]) {
			expect((await importing(world, body, query)).status).toBe(400);
		}
		expect(
			(
				await importing(
					world,
					file(header({ parentSession: "/home/x/parent.jsonl" }), line("a")),
					"?id=child",
				)
			).body.session,
		).toMatchObject({ parentSession: "/home/x/parent.jsonl" });
	});

	it("files that come at once wait for one another", async () => {
		const world = new World();
		const body = file(header(), line("a"));
		const replies = await Promise.all([1, 2, 3, 4, 5].map((n) => importing(world, body, `?id=many-${n}`)));
		expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
	});
});

describe("createBranchedSession", () => {
	it("makes a session of the path, with labels at its end, that shares nothing with its source", async () => {
		const world = new World();
		const session = await world.session(
			[
				user("a", { id: "a" }),
				{ type: "label", id: "l", targetId: "a", label: "Mark" },
				user("b", { id: "b" }),
				user("c", { id: "c" }),
				{ type: "leaf", id: "x", targetId: "a" },
			],
			{ id: "s", cwd: "/src" },
		);
		const reply = await world.cold().post(`${session}/branched-sessions`, { leafId: "b", name: "Branch" });
		expect(reply.status).toBe(201);
		expect(reply.body).toMatchObject({
			cwd: "/src",
			parentSession: "s",
			name: "Branch",
			entryCount: 4,
			messageCount: 2,
			seq: 4,
		});
		const made = `/v1/sessions/${reply.body.id}`;
		expect(reply.headers.get("Location")).toBe(made);
		await world.call("DELETE", session);
		const { entries } = (await world.cold().get(`${made}/entries`)).body;
		expect(entries.map(({ id, parentId, type }: Record<string, unknown>) => [type, id, parentId])).toEqual([
			["message", "a", null],
			["message", "b", "a"],
			["label", entries[2].id, "b"],
			["session_info", entries[3].id, entries[2].id],
		]);
		expect((await world.get(`${made}/labels`)).body.labels).toMatchObject([{ targetId: "a", label: "Mark" }]);
	});

	it("what can't be branched is refused, and nothing is made", async () => {
		const world = new World({ config: { limits: { madeSessionBytes: 300 } } });
		const session = await world.session(
			[user("a", { id: "a" }), { type: "leaf", id: "x", targetId: "a" }, user("b".repeat(300), { id: "b" })],
			{ id: "s" },
		);
		const cases: [object, number][] = [
			[{ leafId: "none", id: "made" }, 404],
			[{ leafId: "x", id: "made" }, 422],
			[{ leafId: "a", id: "s" }, 409],
			[{ leafId: "b", id: "made" }, 413],
			[{ leafId: "a", id: "made", name: "x".repeat(513) }, 413],
			[{ id: "made" }, 400],
			[{ leafId: "", id: "made" }, 400],
			[{ leafId: 7, id: "made" }, 400],
			[{ leafId: "a", id: "-" }, 400],
		];
		for (const [body, status] of cases) {
			const reply = await world.post(`${session}/branched-sessions`, body);
			expect([reply.status, JSON.stringify(body)]).toEqual([status, JSON.stringify(body)]);
		}
		expect((await world.get("/v1/sessions/made")).status).toBe(404);
		const made = await world.post(`${session}/branched-sessions`, { leafId: "a", id: "made", cwd: "/new" });
		expect([made.status, made.body.cwd]).toEqual([201, "/new"]);
	});
});
