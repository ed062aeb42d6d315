import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check } from "./checker.ts";
import type { Answer, Chronicle, LoggedRecord, Operation, Question, Wish } from "./history.ts";
import { legalHistory } from "./legal-history.ts";

/** Commit 0 lands at step 10 with g1 (tag g), commit 1 at 20 with a1 a2 (tag a), commit 2 at 30 with b1 (tag b). */
const log = chronicle([10, { g: ["g1"] }], [20, { a: ["a1", "a2"] }], [30, { b: ["b1"] }]);
const landing = [
	create(5, 12, "g", ["g1"], { kind: "created", seen: { commit: 0, length: 1, head: "g1" } }),
	append(15, 22, wish("a", ["a1", "a2"]), landed(1, 2, 3, ["a1", "a2"])),
	append(25, 32, wish("b", ["b1"]), landed(2, 4, 4, ["b1"])),
];

describe("checker accepts", () => {
	const fine: Record<string, Operation[]> = {
		"what happened": [],
		"a read that began before a commit and does not show it": [ask(19, 40, "read", seen(0, 1, "g1"))],
		"a read that began before a commit and shows it": [ask(19, 40, "read", seen(2, 4, "b1"))],
		"absence before the creation": [ask(1, 11, "read", { kind: "absent" })],
		"an unknown append that never landed": [append(1, 50, wish("u", ["u1"]), { kind: "indeterminate" })],
		"an append that was never answered": [append(1, undefined, wish("u", ["u1"]))],
		"a repeat that is told the first place": [
			append(33, 34, wish("a", ["a1", "a2"]), landed(1, 2, 3, ["a1", "a2"], false)),
		],
		"a refusal that held only for a while": [
			append(16, 33, wish("r", ["r1"], { ifLength: 1 }), { kind: "refused", why: "length" }),
			append(16, 33, wish("n", ["n1"], { unlessHead: "a2" }), { kind: "refused", why: "nothing" }),
		],
	};
	for (const [name, operations] of Object.entries(fine)) {
		it(name, () => expect(check(log, numbered([...landing, ...operations]))).toEqual([]));
	}
});

describe("checker rejects", () => {
	const wrong: Record<string, [Operation[], RegExp, Chronicle?]> = {
		"a read without what was acknowledged before it": [[ask(33, 40, "read", seen(1, 3, "a2"))], /no place/],
		"a read without what had landed before it": [[ask(31, 40, "read", seen(1, 3, "a2"))], /no place/],
		"two reads that go backwards": [
			[ask(19, 21, "read", seen(1, 3, "a2")), ask(22, 40, "tip", seen(0, 1, "g1"))],
			/no place/,
		],
		"a read of what had not landed": [[ask(1, 29, "read", seen(2, 4, "b1"))], /landed at step 30, after/],
		"a read with a wrong head": [[ask(1, 40, "read", seen(1, 3, "a1"))], /no place/],
		"a read with a wrong length": [[ask(1, 40, "read", seen(1, 2, "a2"))], /no place/],
		"a read with wrong ids": [
			[
				ask(1, 40, "read", {
					kind: "seen",
					seen: { commit: 1, length: 3, head: "a2", ids: ["g1", "a2", "a1"] },
				}),
			],
			/no place/,
		],
		"absence after the creation": [[ask(11, 40, "read", { kind: "absent" })], /no place/],
		"a loss: acknowledged and not there": [
			[append(15, 22, wish("x", ["x1"]), landed(1, 2, 2, ["x1"]))],
			/the log holds nothing/,
		],
		"an acknowledgement of another place": [
			[append(15, 32, wish("a", ["a1", "a2"]), landed(2, 2, 3, ["a1", "a2"]))],
			/acknowledged/,
		],
		"an acknowledgement before the landing": [
			[append(15, 19, wish("a", ["a1", "a2"]), landed(1, 2, 3, ["a1", "a2"]))],
			/after it was seen/,
		],
		"a refusal that never held": [
			[append(31, 40, wish("r", ["r1"], { ifLength: 4 }), { kind: "refused", why: "length" })],
			/no place/,
		],
		"a refusal that held only before the call": [
			[append(21, 29, wish("r", ["r1"], { ifLength: 3 }), { kind: "refused", why: "length" })],
			/landed at step 30, after/,
		],
		"a refusal of a repeat that had landed": [
			[append(31, 40, wish("b", ["b1"], {}), { kind: "refused", why: "taken" })],
			/no place/,
		],
		"a missing target that was there": [
			[append(21, 29, wish("r", ["r1"], { targets: ["a1"] }), { kind: "refused", why: "target" })],
			/no place/,
		],
		"nothing to do where there was something": [
			[append(21, 29, wish("r", ["r1"], { unlessHead: "b1" }), { kind: "refused", why: "nothing" })],
			/landed at step 30, after/,
		],
		"a repeat that takes what was there for its own": [
			[append(33, 34, wish("a", ["a1", "a2"]), landed(1, 2, 3, ["a1", "a2"]))],
			/two that brought it there.*was there before/s,
		],
		"an end refused though its condition held": [
			[{ ...ask(33, 40, "end", { kind: "refused", why: "length" }), question: { kind: "end", ifLength: 4 } }],
			/no place/,
		],
		"gone while it lives": [[ask(1, 40, "read", { kind: "gone" })], /no place/],
		"an end that did not happen": [[ask(1, 40, "end", { kind: "ended" })], /no place/],
		"an older number as the newest": [[ask(31, 40, "newest", { kind: "newest", commit: 1 })], /no place/],
	};
	for (const [name, [operations, problem]] of Object.entries(wrong)) {
		it(name, () => {
			const problems = check(log, numbered([...landing, ...operations]));
			expect(problems.join("\n")).toMatch(problem);
		});
	}

	it("a refused append that landed after all", () => {
		const refused = append(15, 19, wish("a", ["a1", "a2"]), { kind: "undone" });
		expect(check(log, numbered([landing[0]!, refused, landing[2]!])).join()).toMatch(
			/refused each time, and landed/,
		);
	});

	it("an append that is told to be a repeat where nobody else asked", () => {
		const modest = append(15, 22, wish("a", ["a1", "a2"]), landed(1, 2, 3, ["a1", "a2"], false));
		expect(check(log, numbered([landing[0]!, modest, landing[2]!])).join()).toMatch(/nobody else asked/);
	});

	it("an end at another length than it was asked for", () => {
		const end: Operation = {
			...ask(45, 52, "end", { kind: "ended" }),
			question: { kind: "end", ifLength: 3 },
		};
		expect(check({ ...log, ended: 50 }, numbered([...landing, end])).join()).toMatch(/at length 4/);
	});

	it("a commit that nobody asked for", () => {
		expect(check(log, numbered(landing.slice(0, 2))).join()).toMatch(/nobody asked for it/);
	});

	it("a request that is there twice", () => {
		const doubled = chronicle(
			[10, { g: ["g1"] }],
			[20, { a: ["a1", "a2"] }],
			[30, { b: ["b1"] }],
			[40, { a: ["a1", "a2"] }],
		);
		expect(check(doubled, numbered(landing)).join()).toMatch(/request a is there twice.*/s);
	});

	it("a creation that came twice", () => {
		const again = create(33, 40, "g", ["g1"], {
			kind: "created",
			seen: { commit: 0, length: 1, head: "g1" },
		});
		expect(check(log, numbered([...landing, again])).join()).toMatch(/created more than once/);
	});

	it("an append at a place where its condition does not hold", () => {
		const conditions: Partial<Wish>[] = [{ ifLength: 2 }, { targets: ["z"] }, { unlessHead: "a2" }];
		for (const condition of conditions) {
			const pickyB = append(25, 32, wish("b", ["b1"], condition), landed(2, 4, 4, ["b1"]));
			expect(check(log, numbered([landing[0]!, landing[1]!, pickyB]))).toHaveLength(1);
		}
	});

	it("a record that hangs elsewhere than its head was", () => {
		const records = [...log.commits[2]!.records.map((record) => ({ ...record, parent: "g1" }))];
		const bent = { ...log, commits: [log.commits[0]!, log.commits[1]!, { step: 30, records }] };
		expect(check(bent, numbered(landing)).join()).toMatch(/hangs below g1, not a2/);
	});

	it("commits that landed out of order", () => {
		const swapped = {
			...log,
			commits: log.commits.map((commit, n) => ({ ...commit, step: [10, 30, 20][n]! })),
		};
		expect(check(swapped, numbered(landing)).join()).toMatch(/landed at step/);
	});
});

describe("checker after an end", () => {
	const dead: Chronicle = { ...log, ended: 50 };
	const end = ask(45, 52, "end", { kind: "ended" });
	const verdict = (...operations: Operation[]) => check(dead, numbered([...landing, end, ...operations]));

	it("accepts gone, and an answer that was under way", () => {
		expect(verdict(ask(46, 60, "read", { kind: "gone" }), ask(46, 60, "read", seen(2, 4, "b1")))).toEqual([]);
		expect(verdict(ask(55, 60, "newest", { kind: "newest", commit: 3 }))).toEqual([]);
	});

	it("rejects whatever lives on", () => {
		const stillThere = [
			ask(51, 60, "read", seen(2, 4, "b1")),
			ask(51, 60, "newest", { kind: "newest", commit: 2 }),
			ask(51, 60, "read", { kind: "absent" }),
			append(51, 60, wish("b", ["b1"]), landed(2, 4, 4, ["b1"])),
			append(51, 60, wish("c", ["c1"]), landed(3, 5, 5, ["c1"])),
			append(51, 60, wish("c", ["c1"], { ifLength: 9 }), { kind: "refused", why: "length" }),
			create(51, 60, "h", ["h1"], { kind: "created", seen: { commit: 0, length: 1, head: "h1" } }),
			ask(51, 60, "end", { kind: "ended" }),
		];
		for (const operation of stillThere) expect(verdict(operation)).not.toEqual([]);
	});
});

describe("checker and a sequential log with random delays", () => {
	it("accepts every history of it", () => {
		fc.assert(
			fc.property(fc.integer(), (seed) => {
				const { chronicle, operations } = legalHistory(seed);
				expect(check(chronicle, operations)).toEqual([]);
			}),
			{ numRuns: 300 },
		);
	});

	it("rejects it once an acknowledged commit is taken out", () => {
		fc.assert(
			fc.property(fc.integer(), fc.nat(), (seed, choice) => {
				const { chronicle, operations } = legalHistory(seed);
				const acknowledged = chronicle.commits
					.map((_, commit) => commit)
					.filter((commit) =>
						operations.some(({ answer }) => answer?.kind === "landed" && answer.commit === commit),
					);
				fc.pre(acknowledged.length > 0);
				const victim = acknowledged[choice % acknowledged.length];
				const commits = chronicle.commits.filter((_, commit) => commit !== victim);
				expect(check({ ...chronicle, commits }, operations)).not.toEqual([]);
			}),
			{ numRuns: 300 },
		);
	});

	it("rejects it once a read shows the state before the one that was current when it was asked", () => {
		fc.assert(
			fc.property(fc.integer(), (seed) => {
				const { chronicle, operations } = legalHistory(seed);
				const late =
					Math.max(...operations.map(({ returned }) => returned ?? 0), chronicle.commits.at(-1)!.step) + 1;
				const before = chronicle.commits.slice(0, -1).flatMap(({ records }) => records);
				const stale = seen(chronicle.commits.length - 2, before.length, before.at(-1)?.head ?? null);
				fc.pre(chronicle.commits.length > 1);
				expect(check(chronicle, [...operations, ask(late, late + 1, "tip", stale)])).toHaveLength(1);
			}),
			{ numRuns: 100 },
		);
	});
});

function wish(tag: string, ids: readonly string[], more: Partial<Wish> = {}): Wish {
	return { tag, records: ids.map((id) => ({ id, size: 1 })), ...more };
}

function append(called: number, returned: number | undefined, what: Wish, answer?: Answer): Operation {
	return { number: 0, question: { kind: "append", wish: what }, called, returned, answer };
}

function create(called: number, returned: number, tag: string, ids: string[], answer: Answer): Operation {
	return { number: 0, question: { kind: "create", wish: wish(tag, ids) }, called, returned, answer };
}

function ask(
	called: number,
	returned: number,
	kind: Exclude<Question["kind"], "append" | "create">,
	answer: Answer,
): Operation {
	return { number: 0, question: { kind }, called, returned, answer };
}

function seen(commit: number, length: number, head: string | null): Answer {
	return { kind: "seen", seen: { commit, length, head } };
}

function landed(commit: number, first: number, last: number, ids: readonly string[], own = true): Answer {
	return { kind: "landed", commit, first, last, ids, own };
}

function numbered(operations: readonly Operation[]): Operation[] {
	return operations.map((operation, number) => ({ ...operation, number }));
}

/** A log whose records hang one below the other. Each commit: its step, and by tag the ids. */
function chronicle(...commits: [step: number, requests: Record<string, string[]>][]): Chronicle {
	let head: string | null = null;
	return {
		genesisTag: "g",
		ended: undefined,
		commits: commits.map(([step, requests]) => ({
			step,
			records: Object.entries(requests).flatMap(([tag, ids]) =>
				ids.map((id): LoggedRecord => {
					const record = { id, parent: head, tag, head: id };
					head = id;
					return record;
				}),
			),
		})),
	};
}
