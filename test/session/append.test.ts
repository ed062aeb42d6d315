import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeEntries } from "../../src/session/append.ts";
import type { Entry, FixedEntry } from "../../src/session/entry.ts";
import { sameContent } from "../../src/session/same-content.ts";
import { indexOfEntries, type SessionIndex } from "../../src/session/session-index.ts";
import { expectSame, piSession, runs } from "./pi.ts";
import { randomSession } from "./random-session.ts";

const timestamp = "2025-01-01T00:00:00.000Z";

function message(id: string, role: string, more: object = {}): FixedEntry {
	return {
		type: "message",
		id,
		timestamp,
		message: { role, content: [{ type: "text", text: id }], timestamp: 1, ...more },
	};
}

function custom(id: string, parentId?: string | null): FixedEntry {
	return { type: "custom", id, timestamp, customType: "x", ...(parentId === undefined ? {} : { parentId }) };
}

/** Places entries for good, or throws. */
function place(
	index: SessionIndex,
	entries: readonly FixedEntry[],
	stored: readonly Entry[] = [],
): readonly Entry[] {
	let bodies = new Map<number, Entry>();
	for (;;) {
		const placed = placeEntries(index, entries, { bodies });
		if (placed.kind === "placed") return placed.entries;
		if (placed.kind === "problem") throw new Error(JSON.stringify(placed.problem));
		bodies = new Map([...bodies, ...placed.seqs.map((seq) => [seq, stored[seq - 1] as Entry] as const)]);
	}
}

function problem(index: SessionIndex, ...entries: FixedEntry[]) {
	const placed = placeEntries(index, entries);
	if (placed.kind !== "problem") throw new Error(placed.kind);
	return { at: placed.at, ...placed.problem };
}

const base = indexOfEntries(place(indexOfEntries([]), [custom("a"), custom("b"), custom("side", "a")]), "b");

describe("append: parent and leaf", () => {
	it("the parent is the leaf unless given, and each entry of a batch stands on the one before", () => {
		const parents = (...entries: FixedEntry[]) => place(base, entries).map((entry) => entry.parentId);
		expect(parents(custom("c"), custom("d"), custom("e", "side"), custom("f"))).toEqual([
			"b",
			"c",
			"side",
			"e",
		]);
		expect(parents(custom("c", null))).toEqual([null]);
		expect(parents(custom("c"), { type: "leaf", id: "l", timestamp, targetId: "a" }, custom("d"))).toEqual([
			"b",
			"c",
			"a",
		]);
	});
	it("an unknown parent is not found, one further on in the batch neither", () => {
		expect(problem(base, custom("c", "gone"))).toMatchObject({ kind: "not_found", field: "parentId", at: 0 });
		expect(problem(base, custom("c", "d"), custom("d"))).toMatchObject({ kind: "not_found", at: 0 });
		expect(problem(base, custom("c"), custom("d", "__proto__"))).toMatchObject({ kind: "not_found", at: 1 });
	});
	it("an id that is taken, in the log or the batch, is a conflict", () => {
		expect(problem(base, custom("a"))).toMatchObject({ kind: "conflict" });
		expect(problem(base, custom("c"), custom("c"))).toMatchObject({ kind: "conflict", at: 1 });
	});
	it("nothing hangs below a leaf entry", () => {
		const leaf = { type: "leaf", id: "l", timestamp, targetId: "a" };
		expect(problem(base, leaf, custom("c", "l"))).toMatchObject({ kind: "unprocessable", at: 1 });
	});
	it("keepLeaf ends with a leaf entry back to where the leaf was", () => {
		const kept = placeEntries(base, [custom("c"), custom("d")], { keepLeaf: { id: "l", timestamp } });
		expect(kept).toMatchObject({
			head: "b",
			leafEntry: { type: "leaf", id: "l", parentId: "d", targetId: "b" },
		});
		const empty = placeEntries(indexOfEntries([]), [custom("c")], { keepLeaf: { id: "l", timestamp } });
		expect(empty).toMatchObject({ head: null, leafEntry: { targetId: null } });
	});
	it("a stale writer with an old parent grows a branch there", () => {
		const [entry] = place(base, [custom("late", "a")]);
		expect(entry).toMatchObject({ parentId: "a" });
	});
	it("fields nobody knows are kept, __proto__ and constructor as plain data", () => {
		const text = `{"type":"custom","id":"c","timestamp":"${timestamp}","customType":"x","__proto__":{"polluted":1},"constructor":{"a":[1]},"data":{"__proto__":2}}`;
		const [entry] = place(base, [JSON.parse(text)]);
		const { parentId, ...rest } = entry as Entry;
		expect(parentId).toBe("b");
		expect(JSON.stringify(rest)).toBe(text);
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});
});

describe("append: labels, leafs, names", () => {
	const label = (more: object): FixedEntry => ({ type: "label", id: "l", timestamp, ...more });
	it("a label needs a target; a blank one is stored empty", () => {
		expect(problem(base, label({ targetId: "gone", label: "L" }))).toMatchObject({
			kind: "not_found",
			field: "targetId",
		});
		expect(place(base, [label({ targetId: "a", label: " L " })])[0]?.label).toBe(" L ");
		expect(place(base, [label({ targetId: "a", label: " \t" })])[0]?.label).toBe("");
		expect(Object.hasOwn(place(base, [label({ targetId: "a" })])[0] as Entry, "label")).toBe(false);
	});
	it("a label's target may come earlier in the batch", () => {
		expect(place(base, [custom("c"), label({ targetId: "c", label: "L" })])).toHaveLength(2);
	});
	it("a leaf needs a target that is no leaf entry, or null", () => {
		const leaf = (id: string, targetId: string | null): FixedEntry => ({
			type: "leaf",
			id,
			timestamp,
			targetId,
		});
		expect(problem(base, leaf("l", "gone"))).toMatchObject({ kind: "not_found" });
		expect(problem(base, leaf("l", "a"), leaf("m", "l"))).toMatchObject({ kind: "unprocessable", at: 1 });
		expect(place(base, [leaf("l", null), custom("c")])[1]?.parentId).toBeNull();
		expect(place(base, [leaf("l", "a")])[0]?.parentId).toBe("b");
	});
	it("a name with newlines becomes one line, as in pi", () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom("a", "\r", "\n", " ", "\t", "\u2028")), (parts) => {
				const name = parts.join("");
				const session = piSession({ type: "session", version: 3, id: "s" }, []);
				session.appendSessionInfo(name);
				const [entry] = place(base, [{ type: "session_info", id: "n", timestamp, name }]);
				expect(entry?.name).toBe(session.getLeafEntry().name);
			}),
		);
	});
});

describe("append: context edits, judged in pi's order", () => {
	const stored = place(indexOfEntries([]), [
		message("u", "user"),
		message("a", "assistant"),
		message("t", "toolResult", { toolCallId: "c" }),
		{ type: "custom_message", id: "m", timestamp, customType: "x", content: "c", display: true },
		custom("x"),
		message("off", "user"),
		{ type: "leaf", id: "l", timestamp, targetId: "x" },
	]);
	const index = indexOfEntries(stored);
	const edit = (targetId: string, replacement: unknown): FixedEntry => ({
		type: "context_edit",
		id: "e",
		timestamp,
		targetId,
		...(replacement === undefined ? {} : { replacement }),
	});
	it("the replacement first, then the target, its place, and what it is", () => {
		for (const replacement of [undefined, {}, { content: 5 }, "text", [], { content: null }]) {
			expect(problem(index, edit("gone", replacement))).toMatchObject({ kind: "unprocessable" });
		}
		expect(problem(index, edit("gone", null))).toMatchObject({ kind: "not_found", field: "targetId" });
		expect(problem(index, edit("off", null)).detail).toMatch(/not on the branch/);
		expect(problem(index, edit("x", null)).detail).toMatch(/nothing that could be edited/);
	});
	it("a text for an assistant message or a tool result is stored as a block, else as it is", () => {
		const blocks = [{ type: "text", text: "new" }];
		const replacement = (target: string, given: object) =>
			place(index, [edit(target, given)])[0]?.replacement;
		expect(replacement("a", { content: "new", by: "me" })).toEqual({ content: blocks, by: "me" });
		expect(replacement("t", { content: "new" })).toEqual({ content: blocks });
		expect(replacement("u", { content: "new" })).toEqual({ content: "new" });
		expect(replacement("m", { content: "new" })).toEqual({ content: "new" });
		expect(replacement("a", { content: blocks })).toEqual({ content: blocks });
		expect(place(index, [edit("a", null)])[0]?.replacement).toBeNull();
	});
	it("with pi's own refusals, over random sessions", () => {
		const accepted = new Set<boolean>();
		fc.assert(
			fc.property(
				randomSession(30),
				fc.nat(),
				fc.nat(),
				fc.constantFrom(null, { content: "t" }, { content: 1 }),
				(session, one, other, replacement) => {
					const { header, entries } = session;
					if (entries.length === 0) return;
					const leaf = entries[one % entries.length]?.id as string;
					const target = entries[other % entries.length]?.id as string;
					const manager = piSession(header, entries, leaf);
					const placed = placeEntries(indexOfEntries(entries, leaf), [edit(target, replacement)]);
					accepted.add(placed.kind === "placed");
					try {
						manager.appendContextEdit(target, replacement);
					} catch {
						expect(placed.kind).toBe("problem");
						return;
					}
					if (placed.kind !== "placed") throw new Error(JSON.stringify(placed));
					expectSame(placed.entries[0]?.replacement, manager.getLeafEntry().replacement);
				},
			),
			{ ...runs, numRuns: 500 },
		);
		expect(accepted.size).toBe(2);
	});
});

describe("append: compactions", () => {
	const compaction = (more: object = {}): FixedEntry => ({
		type: "compaction",
		id: "k",
		timestamp,
		summary: "s",
		firstKeptEntryId: null,
		tokensBefore: 1,
		...more,
	});
	it("null keeps nothing: its own id; else an entry of the path", () => {
		expect(place(base, [compaction()])[0]?.firstKeptEntryId).toBe("k");
		expect(place(base, [compaction({ firstKeptEntryId: "k" })])[0]?.firstKeptEntryId).toBe("k");
		expect(place(base, [compaction({ firstKeptEntryId: "a" })])[0]?.firstKeptEntryId).toBe("a");
		expect(problem(base, compaction({ firstKeptEntryId: "gone" }))).toMatchObject({
			kind: "not_found",
			field: "firstKeptEntryId",
		});
		expect(problem(base, compaction({ firstKeptEntryId: "side" }))).toMatchObject({ kind: "unprocessable" });
	});
	it("carries pi's replay of the system messages, over random sessions at every leaf", () => {
		let carried = 0;
		fc.assert(
			fc.property(randomSession(40), ({ header, entries }) => {
				for (const { id } of entries.filter((_, place) => place % 3 === 2)) {
					const manager = piSession(header, entries, id);
					manager.appendCompaction("s", undefined, 1);
					const reference = manager.getLeafEntry();
					const [entry] = place(
						indexOfEntries(entries, id),
						[compaction({ timestamp: reference.timestamp })],
						entries,
					);
					expectSame(entry?.systemMessage, reference.systemMessage);
					if (reference.systemMessage !== undefined) carried++;
				}
			}),
			runs,
		);
		expect(carried).toBeGreaterThan(100);
	});
	it("asks for the bodies of system messages alone, and for none of its own batch", () => {
		const system = message("sys", "system", { content: "be kind", toolsAdded: [{ name: "t" }] });
		const stored = place(indexOfEntries([]), [message("u", "user"), system, message("a", "assistant")]);
		expect(placeEntries(indexOfEntries(stored), [compaction()])).toEqual({ kind: "bodies", seqs: [2] });
		const [, , , entry] = place(indexOfEntries([]), [
			message("u", "user"),
			system,
			message("a", "assistant"),
			compaction(),
		]);
		expect(entry?.systemMessage).toEqual({
			role: "system",
			content: "be kind",
			toolsAdded: [{ name: "t" }],
			timestamp: Date.parse(timestamp),
		});
	});
	it("a system message that is given stays", () => {
		const systemMessage = { role: "system", content: "mine", timestamp: 7 };
		expect(place(base, [compaction({ systemMessage })])[0]?.systemMessage).toEqual(systemMessage);
	});
});

describe("append: tool results", () => {
	const assistant = (id: string, ...calls: string[]): FixedEntry =>
		message(id, "assistant", {
			content: calls.map((call) => ({ type: "toolCall", id: call, name: "t", arguments: {} })),
		});
	const result = (id: string, toolCallId: string, more: object = {}): FixedEntry => ({
		...message(id, "toolResult", { toolCallId }),
		...more,
	});
	const moved = place(indexOfEntries([]), [
		message("u", "user"),
		assistant("a", "call-1", "call-2"),
		result("r1", "call-1"),
		{ type: "leaf", id: "l", timestamp, targetId: "u" },
	]);
	it("one whose call is on the path is fine", () => {
		expect(place(indexOfEntries(moved, "a"), [result("r2", "call-2")])[0]?.parentId).toBe("a");
	});
	it("one that comes after the leaf moved away is a conflict that names where it belongs", () => {
		expect(problem(indexOfEntries(moved), result("r2", "call-2"))).toMatchObject({
			kind: "conflict",
			parentId: "r1",
		});
		expect(problem(indexOfEntries(moved.slice(0, 2), "u"), result("r2", "call-2"))).toMatchObject({
			parentId: "a",
		});
	});
	it("with a parent given it is taken as it is", () => {
		expect(place(indexOfEntries(moved), [result("r2", "call-2", { parentId: "r1" })])[0]?.parentId).toBe(
			"r1",
		);
		expect(place(indexOfEntries(moved), [result("r2", "call-2", { parentId: "u" })])[0]?.parentId).toBe("u");
	});
	it("an orphan, whose call is nowhere, is accepted as in pi", () => {
		expect(place(indexOfEntries(moved), [result("r", "call-missing")])[0]?.parentId).toBe("u");
	});
	it("a call in the same batch counts", () => {
		expect(place(base, [assistant("a1", "new"), result("r", "new")])[1]?.parentId).toBe("a1");
		const away = { type: "leaf", id: "l", timestamp, targetId: "a" };
		expect(problem(base, assistant("a1", "new"), away, result("r", "new"))).toMatchObject({
			kind: "conflict",
			at: 2,
		});
	});
});

describe("same content: a repeat is recognised", () => {
	const stored = (entry: FixedEntry) => place(base, [entry])[0] as Entry;
	it("what was sent equals what was stored of it, whatever was filled in", () => {
		const { id: _id, timestamp: _timestamp, ...sent } = message("c", "user");
		expect(sameContent(sent as FixedEntry, stored(message("c", "user")))).toBe(true);
		expect(sameContent(message("c", "user"), stored(message("c", "user")))).toBe(true);
		expect(sameContent(message("c", "user", { content: "other" }), stored(message("c", "user")))).toBe(false);
		expect(sameContent({ ...message("c", "user"), extra: 1 }, stored(message("c", "user")))).toBe(false);
		expect(sameContent({ ...message("c", "user"), parentId: "a" }, stored(message("c", "user")))).toBe(false);
		expect(sameContent({ type: "custom" }, stored(message("c", "user")))).toBe(false);
	});
	it("after the same normalizations", () => {
		const same = (entry: FixedEntry) => expect(sameContent(entry, stored(entry))).toBe(true);
		same({ type: "session_info", id: "n", timestamp, name: " a\nb " });
		same({ type: "label", id: "n", timestamp, targetId: "a", label: "  " });
		same({ type: "compaction", id: "n", timestamp, summary: "", firstKeptEntryId: null, tokensBefore: 0 });
		const edited = indexOfEntries(place(base, [message("m", "assistant")]));
		const edit = { type: "context_edit", id: "n", timestamp, targetId: "m", replacement: { content: "x" } };
		expect(sameContent(edit, place(edited, [edit])[0] as Entry)).toBe(true);
		expect(sameContent({ ...edit, replacement: { content: "y" } }, place(edited, [edit])[0] as Entry)).toBe(
			false,
		);
	});
	it("a key __proto__ counts like any other", () => {
		const entry = (text: string): FixedEntry =>
			JSON.parse(`{"type":"custom","id":"c","timestamp":"","data":${text}}`);
		expect(sameContent(entry('{"__proto__":1}'), stored(entry('{"__proto__":1}')))).toBe(true);
		expect(sameContent(entry('{"__proto__":1}'), stored(entry('{"__proto__":2}')))).toBe(false);
		expect(sameContent(entry('{"__proto__":{}}'), stored(entry("{}")))).toBe(false);
	});
});
