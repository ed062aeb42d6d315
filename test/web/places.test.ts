import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextRows } from "../../web/context/context-rows.ts";
import { storedShare, storeShare } from "../../web/credentials.ts";
import { commandOf, keys } from "../../web/keys.ts";
import { hashOf, routeOf, shareHash, shareOf, views } from "../../web/route.ts";
import { ago } from "../../web/times.ts";
import { scrolledTo, visibleRange } from "../../web/tree/visible-range.ts";

describe("addresses of the page", () => {
	const id = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => text !== "-");

	it("any route: read back as it was written", () => {
		const route = fc.record(
			{ session: id, view: fc.constantFrom(...views), entry: id, with: id },
			{ requiredKeys: ["session", "view"] },
		);
		fc.assert(
			fc.property(route, (given) => {
				expect(routeOf(hashOf(given))).toEqual(given);
			}),
		);
		fc.assert(
			fc.property(id, (session) => {
				expect(routeOf(hashOf({ session }))).toEqual({ session });
			}),
		);
		expect(routeOf(hashOf({}))).toEqual({});
	});

	it("a share: read back as it was written, kept as it was given, and none where there is none", () => {
		fc.assert(
			fc.property(id, id, (session, token) => {
				expect(shareOf(shareHash({ session, token }))).toEqual({ session, token });
				expect(shareOf(hashOf({ session, view: "entry", entry: token }))).toBeUndefined();
				const kept = new Map<string, string>();
				const storage = {
					getItem: (key: string) => kept.get(key) ?? null,
					setItem: (key: string, value: string) => void kept.set(key, value),
				};
				expect(storedShare(storage)).toBeUndefined();
				storeShare(storage, { session, token });
				expect(storedShare(storage)).toEqual({ session, token });
			}),
		);
		for (const nonsense of ["", "null", "[", "7", '{"session":1,"token":{}}'])
			expect(storedShare({ getItem: () => nonsense })).toBeUndefined();
	});

	it("what makes no sense: leads as far as it makes any", () => {
		expect([routeOf(""), routeOf("#/s/nowhere/x"), routeOf("#/%E0"), routeOf("#/s/context/-")]).toEqual([
			{},
			{ session: "s" },
			{},
			{ session: "s", view: "context" },
		]);
	});
});

describe("rows on screen", () => {
	const view = fc.record({ top: fc.nat(1_000_000), height: fc.integer({ min: 100, max: 3000 }) });

	it("any place in any list: all rows on screen are drawn, and few others", () => {
		fc.assert(
			fc.property(view, fc.nat(100_000), ({ top, height }, count) => {
				const { start, end } = visibleRange({ top, height, rowHeight: 34, count, around: 5 });
				expect(end - start).toBeLessThanOrEqual(height / 34 + 12);
				for (let row = 0; row < count; row += Math.max(1, Math.floor(count / 500))) {
					const onScreen = row * 34 < top + height && (row + 1) * 34 > top;
					if (onScreen) expect(row >= start && row < end).toBe(true);
				}
			}),
		);
	});

	it("any row: on screen after scrolling to it, and no scrolling where it is already", () => {
		fc.assert(
			fc.property(view, fc.nat(100_000), ({ top, height }, row) => {
				const to = scrolledTo(row, { top, height, rowHeight: 34 });
				expect(row * 34).toBeGreaterThanOrEqual(to);
				expect((row + 1) * 34).toBeLessThanOrEqual(to + height);
				if (row * 34 >= top && (row + 1) * 34 <= top + height) expect(to).toBe(top);
			}),
		);
	});
});

describe("keys", () => {
	it("each does one thing, and none that belongs to the browser does any", () => {
		const all = keys.flatMap((line) => line.keys);
		expect(new Set(all).size).toBe(all.length);
		const plain = { ctrlKey: false, altKey: false, metaKey: false };
		expect(commandOf({ ...plain, key: "j" })).toBe("down");
		expect(commandOf({ ...plain, key: "f", ctrlKey: true })).toBeUndefined();
	});
});

describe("the context", () => {
	const entry = (id: string, fields = {}) => ({
		type: "message",
		id,
		parentId: null,
		timestamp: "",
		...fields,
	});
	const message = [{ role: "user", content: "x" }];

	it("what a compaction hides, what edits change and take out, and what says nothing: told apart", () => {
		const rows = contextRows(
			["h1", "h2", "k1", "c1", "k2", "k3", "x1", "x2", "x3"],
			[
				entry("x1", { type: "context_edit", targetId: "k1" }),
				entry("x2", { type: "context_edit", targetId: "k2" }),
				entry("x3", { type: "context_edit", targetId: "k1" }),
			],
			[
				{ sourceEntryId: "c1", messages: message },
				{ sourceEntryId: "k1", messages: message },
				{ sourceEntryId: "k2", messages: [] },
				{ sourceEntryId: "k3", messages: message },
				...["x1", "x2", "x3"].map((sourceEntryId) => ({ sourceEntryId, messages: [] })),
			],
		);
		expect(rows).toEqual([
			{ kind: "hidden", ids: ["h1", "h2"] },
			{ kind: "shown", id: "c1", messages: message },
			{ kind: "edited", id: "k1", messages: message, editId: "x3" },
			{ kind: "removed", id: "k2", messages: [], editId: "x2" },
			{ kind: "shown", id: "k3", messages: message },
			...["x1", "x2", "x3"].map((id) => ({ kind: "silent", id, messages: [] })),
		]);
	});
});

describe("times", () => {
	it("short, and nothing where there is none", () => {
		const now = Date.parse("2026-01-10T12:00:00Z");
		const times = [
			"2026-01-10T11:59:30Z",
			"2026-01-10T11:00:01Z",
			"2026-01-10T02:00:00Z",
			"2026-01-07T12:00:00Z",
			"2025-12-31T12:00:00Z",
			"x",
		];
		expect(times.map((time) => ago(time, now))).toEqual(["now", "59 min", "10 h", "3 d", "2025-12-31", ""]);
	});
});
