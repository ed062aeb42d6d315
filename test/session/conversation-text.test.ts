import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildContext } from "../../src/session/context.ts";
import { neededSeqs, planContext } from "../../src/session/context-plan.ts";
import { conversationText } from "../../src/session/conversation-text.ts";
import { indexOfEntries } from "../../src/session/session-index.ts";
import { runs } from "./pi.ts";
import { randomSession } from "./random-session.ts";

const text = (words: string) => ({ type: "text", text: words });

describe("conversation text", () => {
	it("names who speaks, calls by their arguments, images by a word; leaves thinking and prompts out", () => {
		const messages = [
			{ role: "system", content: "You are a cook." },
			{ role: "user", content: [text("Look at"), { type: "image", data: "aGk=", mimeType: "image/png" }] },
			{
				role: "assistant",
				content: [
					{ type: "thinking", thinking: "hidden" },
					text("I look."),
					{ type: "toolCall", id: "1", name: "read", arguments: { path: "a.ts", lines: [1, 2] } },
					{ type: "toolCall", id: "2", name: "wait", arguments: {} },
				],
			},
			{ role: "toolResult", toolName: "read", content: [text("const a = 1;")], isError: false },
			{ role: "toolResult", toolName: "wait", content: [text("no")], isError: true },
			{ role: "bashExecution", command: "ls", output: "a.ts", exitCode: 0 },
			{ role: "bashExecution", command: "env", output: "SECRET", excludeFromContext: true },
			{ role: "branchSummary", summary: "Tried tea." },
			{ role: "custom", customType: "note", content: "Note this." },
			{ role: "someone", content: "unheard" },
		];
		expect(conversationText(messages)).toBe(
			[
				"User: Look at\n(an image)",
				"Assistant: I look.",
				'Assistant calls read(path: "a.ts", lines: [1,2])',
				"Assistant calls wait()",
				"Result of read: const a = 1;",
				"Result of wait, failed: no",
				"User: Ran `ls`\n```\na.ts\n```",
				"User: The following is a summary of a branch that this conversation came back from:\n\n<summary>\nTried tea.</summary>",
				"User: Note this.",
			].join("\n\n"),
		);
	});

	it("cuts a long result, never inside a surrogate pair, and says how much is missing", () => {
		const long = `${"x".repeat(1999)}🙂 and so on`;
		const result = conversationText([{ role: "toolResult", toolName: "read", content: [text(long)] }]);
		expect(result).toBe(`Result of read: ${"x".repeat(1999)}\n(12 more characters)`);
	});

	it("of any context there can be: a text, whatever is in it", () => {
		fc.assert(
			fc.property(randomSession(60), ({ entries }) => {
				const index = indexOfEntries(entries);
				const plan = planContext(index);
				if (plan === undefined) return;
				const bodies = new Map(neededSeqs(plan, "messages").map((seq) => [seq, entries[seq - 1] as never]));
				const { messages } = buildContext(plan, bodies);
				const result = conversationText(messages);
				expect(result).not.toMatch(/undefined|\[object/);
			}),
			runs,
		);
	});

	it("of messages of any shape: no exception", () => {
		const odd = fc.record({
			role: fc.constantFrom("user", "assistant", "toolResult", "bashExecution", "custom"),
			content: fc.oneof(
				fc.jsonValue(),
				fc.array(fc.record({ type: fc.constantFrom("text", "toolCall", "image") })),
			),
		});
		fc.assert(
			fc.property(fc.array(odd), (messages) => {
				expect(typeof conversationText(messages)).toBe("string");
			}),
			runs,
		);
	});
});
