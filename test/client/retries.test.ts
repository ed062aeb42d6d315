import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Unreachable } from "../../client/src/errors.ts";
import { clientOf, type Fetch, says } from "./service.ts";

type Fate = "answered" | "lost before" | "lost after" | "busy";

/** A network on which each request meets the next fate; when they are used up, all are answered. */
function network(fates: Fate[]) {
	const keys: (string | null)[] = [];
	const wrap =
		(fetch: Fetch): Fetch =>
		async (url, init) => {
			keys.push(new Headers(init.headers).get("Idempotency-Key"));
			const fate = fates.shift() ?? "answered";
			if (fate === "lost before") throw new TypeError("network");
			if (fate === "busy") return new Response("<html>", { status: 503, headers: { "Retry-After": "7" } });
			const response = await fetch(url, init);
			if (fate === "lost after") throw new TypeError("network");
			return response;
		};
	return { wrap, keys };
}

describe("retries", () => {
	it("whatever is lost on the way: each write happens once", async () => {
		const fate = fc.constantFrom<Fate>("answered", "lost before", "lost after", "busy");
		const run = fc.asyncProperty(fc.array(fate, { maxLength: 12 }), async (fates) => {
			const { wrap } = network(fates);
			const { leaflog } = clientOf({ wrap, client: { retries: 20 } });
			const { id } = await leaflog.createSession();
			const session = leaflog.session(id);
			await session.append(says("one"));
			await session.append([says("two"), says("three")]);
			await session.setLeaf(null);
			await session.append(says("four"));
			await session.update({ name: "done" });
			const types = (await session.entries()).entries.map((entry) =>
				entry.type === "message" ? JSON.stringify(entry.message.content) : entry.type,
			);
			expect(types).toEqual(['"one"', '"two"', '"three"', "leaf", '"four"', "session_info"]);
			const listed = await leaflog.listSessions();
			expect(listed.sessions).toHaveLength(1);
			await session.delete();
			await expect(session.get()).rejects.toMatchObject({ code: "gone" });
		});
		await fc.assert(run, { numRuns: 25, seed: 6 });
	});

	it("the same key each time, another one for another call; Retry-After is kept", async () => {
		const { wrap, keys } = network(["busy", "lost after", "answered", "answered"]);
		const { leaflog, platform } = clientOf({ wrap });
		await leaflog.createSession();
		await leaflog.createSession();
		expect(new Set(keys.slice(0, 3)).size).toBe(1);
		expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
		expect(keys[3]).not.toBe(keys[0]);
		expect(platform.pauses[0]).toBe(7000);
	});

	it("given up after so many, or when nobody waits any more", async () => {
		const forever = network(Array.from({ length: 100 }, () => "lost before"));
		const { leaflog, platform } = clientOf({ wrap: forever.wrap, client: { retries: 3 } });
		await expect(leaflog.createSession()).rejects.toBeInstanceOf(Unreachable);
		expect(forever.keys).toHaveLength(4);
		expect(platform.pauses.every((pause) => pause <= 1200)).toBe(true);
		await expect(leaflog.createSession({}, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(
			Unreachable,
		);
		expect(forever.keys).toHaveLength(5);
	});

	it("no answer in time counts as none", async () => {
		const { leaflog } = clientOf({
			wrap: () => (_url, init) =>
				new Promise((_resolve, reject) => {
					init.signal?.addEventListener("abort", () => reject(new Error("aborted")));
				}),
			client: { retries: 1, timeout: 5 },
		});
		await expect(leaflog.listSessions()).rejects.toBeInstanceOf(Unreachable);
	});
});
