import { describe, expect, it } from "vitest";
import { operations } from "../../client/src/api.ts";
import { LeaflogError } from "../../client/src/errors.ts";
import { endpoints } from "../../src/http/endpoints.ts";
import { clientOf, says } from "./service.ts";

describe("client", () => {
	it("knows every call of the service, and can make each of them", async () => {
		const seen = new Set<string>();
		const patterns = Object.entries(operations).map(([id, { method, path }]) => ({
			id,
			matches: (given: string, url: string) =>
				given === method &&
				new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(new URL(url).pathname),
		}));
		const { leaflog } = clientOf({
			wrap: (fetch) => (url, init) => {
				// An address may fit two patterns; the one without parameters is meant.
				const [call] = patterns
					.filter(({ matches }) => matches(init.method ?? "GET", url))
					.sort((one, other) => (one.id === "importSession" ? -1 : other.id === "importSession" ? 1 : 0));
				if (call) seen.add(call.id);
				return fetch(url, init);
			},
		});
		const image = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" } as const;
		const made = await leaflog.createSession({ id: "walk", name: "A walk" });
		expect(made.name).toBe("A walk");
		const walk = leaflog.session("walk");
		await walk.append({
			type: "message",
			id: "hello",
			message: { role: "user", content: [{ type: "text", text: "hello" }, image] },
		});
		const answer = { type: "message", message: { role: "assistant", content: [] } } as const;
		expect((await walk.append([answer, says("more", { id: "more" })], { keepLeaf: true })).leafId).toBe(
			"hello",
		);
		expect((await walk.get()).entryCount).toBe(4);
		expect((await walk.update({ name: "A long walk" })).name).toBe("A long walk");
		expect((await leaflog.listSessions({ q: "long" })).sessions).toHaveLength(1);
		expect((await walk.entries({ type: ["leaf"] })).entries).toHaveLength(1);
		const linked = await walk.entry("hello", { media: "link" });
		expect(JSON.stringify(linked)).toContain("/v1/sessions/walk/entries/hello/media/0");
		expect(leaflog.address("/v1/x")).toBe("http://localhost/v1/x");
		expect(new Uint8Array((await walk.media("hello", 0)).bytes)[0]).toBe(0x89);
		expect((await walk.setLeaf("more")).leafId).toBe("more");
		expect((await walk.leaf()).leafId).toBe("more");
		expect((await walk.branch({ siblings: true })).siblings).toBeDefined();
		expect((await walk.context({ format: "llm" })).messages?.length).toBe(3);
		expect((await walk.tree({ types: ["message"] })).nodes.length).toBeGreaterThan(2);
		expect((await walk.previewNavigation({ targetId: "hello" })).editorText).toBe("hello");
		await walk.navigate({ targetId: "hello", label: "here" });
		expect((await walk.labels()).labels).toMatchObject([{ label: "here" }]);
		expect((await walk.stats()).userMessages).toBe(2);
		await walk.setLeaf("more");
		expect((await walk.compactionPlan({ keepRecentTokens: 0 })).shouldCompact).toBe(false);
		expect((await walk.compact({ summary: "all", firstKeptEntryId: "more" })).entry.type).toBe("compaction");
		expect((await walk.forkPoints()).points).toHaveLength(2);
		expect((await walk.fork({ entryId: "more" })).selectedText).toBe("more");
		expect((await walk.clone()).session.parentSession).toBe("walk");
		expect((await walk.copy()).parentSession).toBe("walk");
		expect((await walk.branchOff({ leafId: "more" })).parentSession).toBe("walk");
		expect((await walk.children()).sessions).toHaveLength(4);
		const share = await walk.share({ scope: "read" });
		expect((await walk.shares()).shares).toHaveLength(1);
		await walk.revokeShare(share.id);
		const file = await walk.export();
		expect((await leaflog.importSession(file, { id: "again" })).session.id).toBe("again");
		for await (const event of walk.watch({ after: 0 })) {
			expect(event).toMatchObject({ type: "entry", seq: 1 });
			break;
		}
		await walk.delete();
		await leaflog.eraseNamespace();
		expect([...seen].sort()).toEqual(Object.keys(operations).sort());
		expect([...seen].sort()).toEqual(endpoints.map(({ spec }) => spec.operationId).sort());
	});

	it("what is refused: an error with code, fields and the request's name", async () => {
		const { leaflog, platform } = clientOf();
		await leaflog.createSession({ id: "one" });
		const refused = (work: Promise<unknown>) =>
			work.then(
				() => undefined,
				(error: LeaflogError) => error,
			);
		expect(await refused(leaflog.session("none").get())).toMatchObject({ status: 404, code: "not_found" });
		const wrong = await refused(leaflog.createSession({ id: "-x" }));
		expect(wrong).toBeInstanceOf(LeaflogError);
		expect(wrong).toMatchObject({ code: "invalid_request", errors: [{ path: "id" }] });
		expect(wrong?.requestId).toMatch(/^[0-9a-f]{32}$/);
		const one = leaflog.session("one");
		await one.append(says("a"));
		expect(await refused(one.append(says("b"), { ifMatch: 0 }))).toMatchObject({
			code: "precondition_failed",
		});
		expect((await one.append(says("b"), { ifMatch: 1 })).seq).toBe(2);
		expect(platform.pauses).toEqual([]);
	});

	it("pages: every session, every entry, and the branch backwards", async () => {
		const { leaflog } = clientOf();
		for (const id of ["a", "b", "c", "d", "e"]) await leaflog.createSession({ id });
		const ids: string[] = [];
		for await (const { id } of leaflog.sessions({ limit: 2 })) ids.push(id);
		expect(ids.sort()).toEqual(["a", "b", "c", "d", "e"]);
		const session = leaflog.session("a");
		await session.append(Array.from({ length: 7 }, (_, at) => says(String(at), { id: `e${at}` })));
		const collect = async (entries: AsyncIterable<{ readonly id: string }>) => {
			const all: string[] = [];
			for await (const { id } of entries) all.push(id);
			return all.join();
		};
		expect(await collect(session.allEntries({ limit: 3 }))).toBe("e0,e1,e2,e3,e4,e5,e6");
		expect(await collect(session.allEntries({ limit: 3, after: 5 }))).toBe("e5,e6");
		expect(await collect(session.branchBackwards({ limit: 3 }))).toBe("e6,e5,e4,e3,e2,e1,e0");
	});

	it("sends the credentials it was given, fresh ones for each try", async () => {
		const headers: Headers[] = [];
		let tokens = 0;
		const { leaflog } = clientOf({
			wrap: (fetch) => (url, init) => {
				headers.push(new Headers(init.headers));
				return fetch(url, init);
			},
			client: { token: async () => `token ${++tokens}`, namespace: "someone", share: "lls_x" },
		});
		await leaflog.createSession().catch(() => {});
		await leaflog.createSession().catch(() => {});
		expect(headers.map((one) => one.get("Authorization"))).toEqual(
			// Each call asks once more where the first token was refused.
			[1, 2, 3, 4].map((n) => `Bearer token ${n}`),
		);
		expect(headers[0]?.get("Leaflog-Namespace")).toBe("someone");
		expect(headers[0]?.get("Leaflog-Share")).toBe("lls_x");
	});
});
