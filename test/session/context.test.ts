import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildContext, contextEntries, projection } from "../../src/session/context.ts";
import { neededSeqs, planContext } from "../../src/session/context-plan.ts";
import type { Entry } from "../../src/session/entry.ts";
import { convertToLlm } from "../../src/session/llm.ts";
import { indexOfEntries } from "../../src/session/session-index.ts";
import { getCurrentSystemMessage } from "../../src/session/system-prompt.ts";
import { entriesOfFile } from "./files.ts";
import { expectSame, fixture, fixtureNames, pi, piSession, runs } from "./pi.ts";
import { randomSession } from "./random-session.ts";

/** The bodies a view asks for, and no others: what it doesn't ask for it must not need. */
function bodies(entries: readonly Entry[], seqs: readonly number[]): Map<number, Entry> {
	return new Map(seqs.map((seq) => [seq, entries[seq - 1] as Entry]));
}

function compareAt(header: object, entries: readonly Entry[], leaf: string | null): void {
	const session = piSession(header, entries, leaf);
	const index = indexOfEntries(entries, leaf);
	const plan = planContext(index);
	if (plan === undefined) throw new Error("the leaf is not there");
	const context = buildContext(plan, bodies(entries, neededSeqs(plan, "messages")));
	const reference = session.buildSessionProjection();
	expectSame(context.messages, reference.messages);
	expectSame([context.thinkingLevel, context.model], [reference.thinkingLevel, reference.model]);
	expectSame(
		contextEntries(plan, bodies(entries, neededSeqs(plan, "entries"))),
		session.buildContextEntries(),
	);
	const projected = projection(plan, bodies(entries, neededSeqs(plan, "projection")), (seq) => index.id(seq));
	expectSame(
		projected,
		reference.entries.map((entry: { sourceEntry: Entry; messages: unknown[] }) => ({
			sourceEntryId: entry.sourceEntry.id,
			messages: entry.messages,
		})),
	);
	expectSame(convertToLlm(context.messages), pi.convertToLlm(reference.messages));
	expectSame(getCurrentSystemMessage(context.messages), pi.getCurrentSystemMessage(reference.messages));
}

describe("context: as pi builds it", () => {
	it("of random sessions at every leaf", () => {
		fc.assert(
			fc.property(randomSession(60), ({ header, entries }) => {
				for (const entry of entries) compareAt(header, entries, entry.id);
			}),
			runs,
		);
	});

	for (const name of fixtureNames) {
		it(`of ${name}`, () => {
			const { header, entries } = entriesOfFile(fixture(name));
			const leaves = entries.filter((_, place) => place % 97 === 0 || place > entries.length - 3);
			for (const { id } of leaves) compareAt(header, entries, id);
		});
	}
});

const timestamp = "2025-01-01T00:00:00.000Z";

/** The messages of a line of entries, each below the one before. */
function messagesOf(...fields: object[]): readonly unknown[] {
	const entries = fields.map(
		(own, place): Entry => ({
			type: "message",
			id: `e${place}`,
			parentId: place === 0 ? null : `e${place - 1}`,
			timestamp,
			...own,
		}),
	);
	const plan = planContext(indexOfEntries(entries));
	if (plan === undefined) throw new Error("no leaf");
	return buildContext(plan, bodies(entries, neededSeqs(plan, "messages"))).messages;
}

describe("context: goes on where pi stops", () => {
	const user = { message: { role: "user", content: "hi", timestamp: 1 } };
	it("a message entry without a message gives none", () => {
		for (const message of [null, undefined, "text", 5, []])
			expect(messagesOf(user, { message })).toEqual([user.message]);
	});
	it("an edit whose replacement is none edits nothing", () => {
		for (const replacement of [undefined, "text", {}, { content: null }, { content: 5 }]) {
			expect(messagesOf(user, { type: "context_edit", targetId: "e0", replacement })).toEqual([user.message]);
		}
	});
	it("null content where blocks are expected is an empty list, a text stays one", () => {
		const said = (role: string, content: unknown) => messagesOf({ message: { role, content, timestamp: 1 } });
		for (const role of ["user", "assistant", "toolResult"]) {
			expect(said(role, null)).toEqual([{ role, content: [], timestamp: 1 }]);
			expect(said(role, "text")).toEqual([{ role, content: "text", timestamp: 1 }]);
		}
		expect(said("system", null)).toEqual([{ role: "system", content: "", timestamp: 1 }]);
		expect(messagesOf({ type: "custom_message", customType: "x", display: true })).toMatchObject([
			{ content: [] },
		]);
	});
	it("a timestamp that is none is null in the message, as JSON has it", () => {
		expect(messagesOf({ type: "branch_summary", summary: "s", fromId: "x", timestamp: "soon" })).toEqual([
			{ role: "branchSummary", summary: "s", fromId: "x", timestamp: null },
		]);
	});
	it("orphan tool results are shown like any other", () => {
		const result = { role: "toolResult", toolCallId: "gone", content: [], isError: false, timestamp: 1 };
		expect(messagesOf({ message: result })).toEqual([result]);
	});
	it("what was edited out is not even asked for", () => {
		const entries: Entry[] = [
			{ type: "message", id: "a", parentId: null, timestamp, ...user },
			{ type: "context_edit", id: "b", parentId: "a", timestamp, targetId: "a", replacement: null },
		];
		const plan = planContext(indexOfEntries(entries));
		expect(plan === undefined ? [] : neededSeqs(plan, "messages")).toEqual([]);
	});
	it("an unknown leaf has no context, null an empty one", () => {
		expect(planContext(indexOfEntries([]), "gone")).toBeUndefined();
		expect(planContext(indexOfEntries([]))).toEqual({
			path: [],
			entries: [],
			thinkingLevel: "off",
			model: null,
		});
	});
});

describe("system replay", () => {
	const system = (fields: object) => ({ role: "system", content: "", ...fields });
	it("names are plain data, __proto__ and constructor among them", () => {
		const sections = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}');
		const replayed = getCurrentSystemMessage([system({ sections, timestamp: 1 })]);
		expect(JSON.stringify(replayed?.sections)).toBe('{"__proto__":"a","constructor":"b","toString":"c"}');
		expect(Object.getPrototypeOf(replayed?.sections)).toBe(Object.prototype);
	});
	it("null removes, a section that comes again goes to the end", () => {
		const replayed = getCurrentSystemMessage([
			system({ sections: { a: "1", b: "2" }, timestamp: 1 }),
			system({ sections: { a: null }, content: [{ type: "text", text: "x" }], timestamp: 2 }),
			system({ sections: { a: "3" }, content: "y", timestamp: 3 }),
		]);
		expect(JSON.stringify(replayed)).toBe(
			'{"role":"system","content":"x\\n\\ny","sections":{"b":"2","a":"3"},"timestamp":1}',
		);
	});
	it("one without time or with odd parts is still one", () => {
		expect(
			getCurrentSystemMessage([system({ content: null, toolsAdded: [null, 5], sections: [1] })]),
		).toEqual({
			role: "system",
			content: "",
			timestamp: 0,
		});
		expect(getCurrentSystemMessage([{ role: "user", content: "x" }])).toBeUndefined();
	});
});
