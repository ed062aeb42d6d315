import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Card } from "../../src/operations/card.ts";
import { type Shard, type ShardChange, shardKind } from "../../src/operations/catalogue-shard.ts";
import { anySession, session } from "./sessions.ts";

const { empty, encode, decode, apply } = shardKind;
const always = () => true;

function card(id: string, seq: number, isFresh = always): ShardChange {
	return { kind: "card", card: Card.of(session(id, { seq }), seq), isFresh };
}
const gone = (id: string): ShardChange => ({ kind: "gone", id, at: 7 });
const forget = (id: string): ShardChange => ({ kind: "forget", id });

/** Ids and their seqs, and the deleted. */
function shape({ cards, gone }: Shard) {
	return {
		cards: Object.fromEntries([...cards].map(([id, { seq }]) => [id, seq])),
		gone: [...gone.keys()],
	};
}

describe("catalogue shard: the bytes", () => {
	it("round trip: whatever sessions hold, they are the same again", { timeout: 60_000 }, () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.string({ minLength: 1 }), anySession),
				fc.dictionary(fc.string(), fc.record({ at: fc.nat(), purged: fc.nat() }, { requiredKeys: ["at"] })),
				(all, old) => {
					const cards = Object.entries(all).map(
						([id, rest]) => [id, Card.of({ ...rest, id }, rest.seq + 1)] as const,
					);
					const shard: Shard = { cards: new Map(cards), gone: new Map(Object.entries(old)) };
					const read = decode(encode(shard));
					expect(read).toEqual(shard);
					expect([...read.cards.values()].map((card) => card.session)).toEqual(
						Object.entries(all).map(([id, rest]) => ({ ...rest, id })),
					);
				},
			),
			{ seed: 1, numRuns: 120 },
		);
	});

	it("refuses what is cut off, counts wrong, or isn't JSON lines", () => {
		const shard = apply(empty, [card("a", 1), card("b", 2), gone("c")]);
		const lines = new TextDecoder().decode(encode(shard)).trimEnd().split("\n");
		for (const broken of [lines.slice(0, -1), [lines[0]!, "{}", ...lines.slice(2)], ["README"], []]) {
			expect(() => decode(new TextEncoder().encode(broken.join("\n")))).toThrow();
		}
	});

	it("a card of a plain session takes less than 300 bytes", () => {
		const id = "0198c0de-7a10-7c3e-9b51-5a0d3f6e2b11";
		const typical = session(id, {
			name: "Fix the flaky login test",
			firstMessage: "The login test fails about once in ten runs on CI. Can you find out why, and fix it?",
			leafId: "a1b2c3d4",
			seq: 120,
			entryCount: 119,
			messageCount: 98,
			cwd: "/home/somebody/projects/shop",
		});
		const body = encode(apply(empty, [{ kind: "card", card: Card.of(typical, 60), isFresh: always }]));
		expect(body.length).toBeLessThan(300 + 30);
	});
});

describe("catalogue shard: changes", () => {
	it("a card only moves to a higher seq", () => {
		const shard = apply(empty, [card("a", 5), card("a", 3), card("b", 1)]);
		expect(shape(shard)).toEqual({ cards: { a: 5, b: 1 }, gone: [] });
		expect(apply(shard, [card("a", 5), card("a", 4)])).toBe(shard);
		expect(shape(apply(shard, [card("a", 6)])).cards).toEqual({ a: 6, b: 1 });
	});

	it("a deleted session's card is removed, and no late update brings it back", () => {
		const shard = apply(apply(empty, [card("a", 5)]), [gone("a")]);
		expect(shape(shard)).toEqual({ cards: {}, gone: ["a"] });
		expect(apply(shard, [card("a", 9), gone("a")])).toBe(shard);
	});

	it("a deletion told again changes nothing, but where the card is still listed", () => {
		const unlist = (id: string): ShardChange => ({ kind: "unlist", id, at: 8 });
		const shard = apply(empty, [card("a", 1), gone("b")]);
		expect(apply(shard, [unlist("b"), unlist("c")])).toBe(shard);
		expect(shape(apply(shard, [unlist("a")]))).toEqual({ cards: {}, gone: ["b", "a"] });
	});

	it("a deletion that comes before the creation wins", () => {
		expect(shape(apply(apply(empty, [gone("a")]), [card("a", 1)]))).toEqual({ cards: {}, gone: ["a"] });
	});

	it("once its deletion is forgotten, only what was seen alive long ago could come: it is not fresh", () => {
		const shard = apply(apply(empty, [gone("a")]), [forget("a")]);
		expect(shape(shard)).toEqual({ cards: {}, gone: [] });
		expect(apply(shard, [card("a", 1, () => false), forget("a")])).toBe(shard);
	});

	it("the value that changes are applied to stays as it was", () => {
		const shard = apply(empty, [card("a", 1)]);
		apply(shard, [card("b", 1), gone("a")]);
		expect(shape(shard)).toEqual({ cards: { a: 1 }, gone: [] });
		expect(shape(empty)).toEqual({ cards: {}, gone: [] });
	});

	it("in whatever order and however often the same updates come, the end is the same", {
		timeout: 60_000,
	}, () => {
		const change = fc
			.tuple(fc.constantFrom("a", "b", "c"), fc.nat(5))
			.map(([id, seq]) => (seq === 0 ? gone(id) : card(id, seq)));
		fc.assert(
			fc.property(
				fc
					.array(change, { maxLength: 12 })
					.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
				([some, others]) => {
					const one = some.reduce((shard, each) => apply(shard, [each]), empty);
					const other = apply(empty, [...others, ...some]);
					expect({ ...shape(other), gone: shape(other).gone.sort() }).toEqual({
						...shape(one),
						gone: shape(one).gone.sort(),
					});
				},
			),
			{ seed: 2, numRuns: 500 },
		);
	});
});
