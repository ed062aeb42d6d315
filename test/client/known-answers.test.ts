import { describe, expect, it } from "vitest";
import { clientOf, says } from "./service.ts";

describe("an answer that is known", () => {
	it("nothing has changed: the same object is given back, after a 304", async () => {
		const statuses: number[] = [];
		const { leaflog } = clientOf({
			wrap: (fetch) => async (url, init) => {
				const response = await fetch(url, init);
				statuses.push(response.status);
				return response;
			},
		});
		const { id } = await leaflog.createSession();
		const session = leaflog.session(id);
		await session.append(says("hello"));
		for (const read of [
			(known?: object) => session.branch({ limit: 10 }, { known }),
			(known?: object) => session.context({}, { known }),
			(known?: object) => session.tree({}, { known }),
			(known?: object) => session.get({ known }),
			(known?: object) => leaflog.listSessions({}, { known }),
		]) {
			const first = await read();
			expect(await read(first)).toBe(first);
			expect(statuses.at(-1)).toBe(304);
			expect(await read()).toEqual(first);
			expect(statuses.at(-1)).toBe(200);
		}
	});

	it("something was appended: the new answer, which is then known itself", async () => {
		const { leaflog } = clientOf();
		const { id } = await leaflog.createSession();
		const session = leaflog.session(id);
		const empty = await session.branch();
		const { seq } = await session.append(says("hello"));
		const full = await session.branch({}, { known: empty });
		expect(full).toMatchObject({ seq, entries: [{ type: "message" }] });
		expect(await session.branch({}, { known: full })).toBe(full);
	});

	it("kept by the app with its ETag: known again after a restart", async () => {
		const { world, leaflog } = clientOf();
		const { id } = await leaflog.createSession();
		const answer = await leaflog.session(id).branch();
		const kept = JSON.stringify({ answer, etag: leaflog.connection.etagOf(answer) });

		const again = clientOf({ world }).leaflog;
		const { answer: read, etag } = JSON.parse(kept);
		const known = again.connection.remember(read, etag);
		expect(await again.session(id).branch({}, { known })).toBe(known);
	});

	it("of which nothing is known: an ordinary read", async () => {
		const { leaflog } = clientOf();
		const { id } = await leaflog.createSession();
		expect(await leaflog.session(id).branch({}, { known: {} })).toMatchObject({ entries: [] });
	});
});
