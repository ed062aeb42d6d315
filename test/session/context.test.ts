import fc from "fast-check";
import { describe, it } from "vitest";
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
