import { describe, expect, it } from "vitest";
import { FaultyStore } from "../../src/store/faults.ts";
import { storedEntries } from "./files-and-pi.ts";
import { twoBranches } from "./two-branches.ts";
import { user } from "./world.ts";

describe("navigateTree: several at once, and again", () => {
	const key = (value = "k1") => ({ "Idempotency-Key": value });

	it("each of many at once is decided against the leaf that it commits on", async () => {
		const { world, session } = await twoBranches();
		const instances = Array.from({ length: 4 }, () => world.cold());
		const replies = await Promise.all(
			instances.flatMap((instance) =>
				["a2", "u4"].map((targetId) =>
					instance.post(`${session}/navigate`, { targetId, summary: { text: targetId } }),
				),
			),
		);
		expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
		const stored = await storedEntries(world, session);
		let leaf: unknown = "u4";
		for (const entry of stored.slice(6)) {
			expect(entry).toMatchObject({ type: "branch_summary", fromId: leaf });
			leaf = entry.id;
		}
		const written = replies.filter(({ body }) => body.summaryEntry !== undefined);
		expect(stored).toHaveLength(6 + written.length);
		for (const { body } of written) expect(stored[body.seq - 1]).toEqual(body.summaryEntry);
		expect(written.length).toBeGreaterThanOrEqual(7);
	});

	it("with If-Match only on the state that is known, and a repeat is recognised before it is asked for", async () => {
		const { world, session } = await twoBranches();
		const known = { "If-Match": (await world.get(session)).headers.get("ETag") ?? "" };
		const first = await world.post(`${session}/navigate`, { targetId: "a2" }, { ...known, ...key() });
		expect(first.status).toBe(200);
		expect((await world.post(`${session}/navigate`, { targetId: "u4" }, known)).status).toBe(412);
		const again = await world.post(`${session}/navigate`, { targetId: "a2" }, { ...known, ...key() });
		expect([again.status, again.text]).toEqual([200, first.text]);
	});

	const bodies: Record<string, object> = {
		"a summary and a label": {
			targetId: "u2",
			summary: { text: "S", details: { a: 1, b: [2] } },
			label: "L",
		},
		"a leaf alone": { targetId: "a2" },
		"a root": { targetId: "u1", label: "top" },
		"the leaf itself, which leaves its mark then": { targetId: "u4" },
	};
	for (const [what, body] of Object.entries(bodies)) {
		it(`a repeat with its key gives the first answer, anywhere and however late: ${what}`, async () => {
			const { world, session } = await twoBranches();
			const first = await world.post(`${session}/navigate`, body, key());
			expect(first.headers.get("Idempotency-Replayed")).toBeNull();
			await world.post(`${session}/entries`, user("later"));
			await world.post(`${session}/navigate`, { targetId: "u2" });
			const { seq } = (await world.get(`${session}/leaf`)).body;
			for (const instance of [world, world.cold()]) {
				const again = await instance.post(`${session}/navigate`, body, key());
				expect([again.status, again.headers.get("Idempotency-Replayed"), again.text]).toEqual([
					200,
					"true",
					first.text,
				]);
				expect(again.headers.get("ETag")).toBe(first.headers.get("ETag"));
			}
			expect((await world.cold().get(`${session}/leaf`)).body.seq).toBe(seq);
		});
	}

	it("a repeat whose fields are in another order is the same, one with another content a conflict", async () => {
		const { world, session } = await twoBranches();
		const first = await world.post(
			`${session}/navigate`,
			{ targetId: "u2", summary: { text: "S", details: { a: 1, b: 2 } } },
			key(),
		);
		const turned = { summary: { details: { b: 2, a: 1 }, text: "S" }, targetId: "u2" };
		expect((await world.post(`${session}/navigate`, turned, key())).text).toBe(first.text);
		const others = [
			{ ...turned, targetId: "a1" },
			{ ...turned, label: "L" },
			{ targetId: "u2", summary: { text: "T", details: { a: 1, b: 2 } } },
			{ targetId: "u2", summary: { text: "S", details: { a: 1 } } },
			{ targetId: "u2", summary: { text: "S", fromHook: true } },
			{ targetId: "u2", summary: { text: "" } },
			{ targetId: "u2", summarize: true },
		];
		for (const body of others) {
			const reply = await world.post(`${session}/navigate`, body, key());
			expect([reply.status, reply.body.code]).toEqual([409, "conflict"]);
		}
		expect((await world.post(`${session}/entries`, user("x"), key())).status).toBe(409);
		expect((await world.put(`${session}/leaf`, { targetId: null }, key())).status).toBe(409);
	});

	it("a repeat that gives less is the same, as long as it goes to the same place", async () => {
		const { world, session } = await twoBranches();
		const full = { targetId: "u2", summary: { text: "S", details: { a: 1 } }, label: "L" };
		const first = await world.post(`${session}/navigate`, full, key());
		for (const body of [
			{ targetId: "u2" },
			{ targetId: "u2", label: "L" },
			{ targetId: "u2", summary: { text: "S" } },
		]) {
			const again = await world.post(`${session}/navigate`, body, key());
			expect([again.status, again.text]).toEqual([200, first.text]);
		}
		// Both lead to the same leaf, but another text would go to the editor.
		expect((await world.post(`${session}/navigate`, { targetId: "n3" }, key())).status).toBe(409);
	});

	it("a repeat of what did nothing is the same, with all that it asked for in vain", async () => {
		const { world, session } = await twoBranches();
		const body = { targetId: "u4", summary: { text: "S" }, label: "L" };
		const first = await world.post(`${session}/navigate`, body, key());
		await world.post(`${session}/entries`, user("later"));
		const again = await world.post(`${session}/navigate`, body, key());
		expect([again.status, again.text]).toEqual([200, first.text]);
	});

	it("one whose answer was lost on the way is done once", async () => {
		const { world, session } = await twoBranches();
		let losses = 1;
		const doubtful = world.cold({
			wrap: (store) =>
				new FaultyStore(store, {
					plan: ({ kind }) => (kind === "put" && losses-- > 0 ? { kind: "answer lost" } : undefined),
					sleep: () => new Promise((resolve) => setImmediate(resolve)),
				}),
		});
		const body = { targetId: "a2", summary: { text: "S" }, label: "L" };
		const reply = await doubtful.post(`${session}/navigate`, body, key());
		expect([reply.status, reply.body.seq]).toEqual([200, 8]);
		const again = await world.post(`${session}/navigate`, body, key());
		expect([again.status, again.text]).toEqual([200, reply.text]);
		expect((await world.cold().get(`${session}/leaf`)).body.seq).toBe(8);
	});
});
