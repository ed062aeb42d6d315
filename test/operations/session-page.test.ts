import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Session } from "../../schemas/session.ts";
import { Card } from "../../src/operations/card.ts";
import type { Shard } from "../../src/operations/catalogue-shard.ts";
import type { ListFilter } from "../../src/operations/list-cursor.ts";
import { sessionPage } from "../../src/operations/session-page.ts";
import { session } from "./sessions.ts";

/** Sessions spread over shards by their ids' last character. */
function shardsOf(sessions: readonly Session[], count: number): Shard[] {
	return Array.from({ length: count }, (_, shard) => {
		const own = sessions.filter(({ id }) => id.charCodeAt(id.length - 1) % count === shard);
		return { cards: new Map(own.map((one) => [one.id, Card.of(one, 0)])), gone: new Map() };
	});
}

/** All pages, one after the other; `between` says what the sessions are when the next page is taken. */
function walk(
	first: readonly Session[],
	filter: ListFilter,
	limit: number,
	between: (page: number) => readonly Session[],
) {
	const count = 3;
	const ordered = shardsOf(first, count);
	const pages: Session[][] = [];
	let after: { time: number; id: string } | undefined;
	do {
		const now = shardsOf(pages.length === 0 ? first : between(pages.length), count);
		const page = sessionPage(filter.order === "modified" ? ordered : now, now, {
			filter,
			limit,
			...(after && { after }),
		});
		expect(page.sessions.length).toBeLessThanOrEqual(limit);
		pages.push([...page.sessions]);
		after = page.next;
		if (pages.length > 200) throw new Error("no end");
	} while (after !== undefined);
	return pages;
}

const some = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.nat(9), fc.nat(9)), {
	selector: ([id]) => id,
	maxLength: 40,
});

describe("session page: order and filter", () => {
	it("pages of any size are the sorted whole, whatever times are equal", { timeout: 60_000 }, () => {
		fc.assert(
			fc.property(
				some,
				fc.integer({ min: 1, max: 12 }),
				fc.constantFrom("modified", "created"),
				(all, limit, order) => {
					const sessions = all.map(([id, made, used]) => session(id, { made, used: made + used }));
					const key = order === "modified" ? "modified" : "timestamp";
					const expected = [...sessions].sort((a, b) =>
						a[key] === b[key] ? (a.id < b.id ? -1 : 1) : a[key] < b[key] ? 1 : -1,
					);
					const pages = walk(sessions, { order }, limit, () => sessions);
					expect(pages.flat()).toEqual(expected);
					expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
				},
			),
			{ seed: 1, numRuns: 300 },
		);
	});

	it("no gap and no repeat while sessions come, go and move", { timeout: 60_000 }, () => {
		const fate = fc.record({ at: fc.nat(6), what: fc.constantFrom("stay", "go", "move", "rename") });
		fc.assert(
			fc.property(
				some,
				fc.array(fate, { minLength: 40, maxLength: 40 }),
				fc.integer({ min: 1, max: 6 }),
				fc.constantFrom("modified", "created"),
				(all, fates, limit, order) => {
					const first = all.map(([id, made, used]) => session(id, { made, used }));
					const between = (page: number): Session[] => [
						...first.flatMap((one, k) => {
							const { at, what } = fates[k]!;
							if (page < at) return [one];
							if (what === "go") return [];
							if (what === "move")
								return [{ ...one, seq: page, modified: session("", { used: 100 + page * 50 + k }).modified }];
							return what === "rename" ? [{ ...one, seq: page, name: `name ${page}` }] : [one];
						}),
						...Array.from({ length: page }, (_, k) => session(`new${k}`, { made: 5000 + k })),
					];
					const shown = walk(first, { order }, limit, between)
						.flat()
						.map(({ id }) => id);
					expect(new Set(shown).size).toBe(shown.length);
					for (const [k, { id }] of first.entries()) if (fates[k]!.what !== "go") expect(shown).toContain(id);
				},
			),
			{ seed: 2, numRuns: 500 },
		);
	});

	it("a page shows what is known now, and leaves out what was deleted since", () => {
		const first = ["a", "b", "c", "d"].map((id, k) => session(id, { used: 10 - k }));
		const pages = walk(first, { order: "modified" }, 2, () => [
			first[0]!,
			{ ...first[2]!, name: "new name", seq: 3 },
		]);
		expect(pages[1]).toEqual([{ ...first[2]!, name: "new name", seq: 3 }]);
	});

	it("words in name or first message, whatever their case; cwd and parent exactly", () => {
		const all = [
			session("a", { name: "Fix LOGIN", firstMessage: "the test fails", cwd: "/x" }),
			session("b", { name: "login page", parentSession: "a" }),
			session("c", { firstMessage: "Ünïcode İstanbul", cwd: "/x" }),
			session("d"),
		];
		const ids = (filter: Partial<ListFilter>) =>
			walk(all, { order: "created", ...filter }, 50, () => all)
				.flat()
				.map(({ id }) => id);
		expect(ids({ q: "login" })).toEqual(["a", "b"]);
		expect(ids({ q: "  TEST login " })).toEqual(["a"]);
		expect(ids({ q: "üNÏ" })).toEqual(["c"]);
		expect(ids({ q: "   " })).toEqual(["a", "b", "c", "d"]);
		expect(ids({ q: "nothing" })).toEqual([]);
		expect(ids({ cwd: "/x" })).toEqual(["a", "c"]);
		expect(ids({ parent: "a" })).toEqual(["b"]);
		expect(ids({ cwd: "/x", q: "login" })).toEqual(["a"]);
	});
});
