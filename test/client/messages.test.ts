import { describe, expect, it } from "vitest";
import type { Message } from "../../client/src/api.ts";
import { toChatCompletions } from "../../client/src/chat-completions.ts";
import { LeaflogError } from "../../client/src/errors.ts";
import { textOf } from "../../client/src/messages.ts";
import { clientOf, says } from "./service.ts";

const text = (words: string) => ({ type: "text", text: words }) as const;
const picture = { type: "image", data: "aGk=", mimeType: "image/png" } as const;

describe("the text of a message", () => {
	it.each<[Message, string]>([
		[{ role: "user", content: "plain" }, "plain"],
		[{ role: "user", content: [text("a"), picture, text("b")] }, "ab"],
		[{ role: "assistant", content: [{ type: "thinking", thinking: "hm" }, text("yes")] }, "yes"],
		[{ role: "compactionSummary", summary: "short", tokensBefore: 1 }, "short"],
		[{ role: "branchSummary", summary: "left", fromId: null }, "left"],
		[{ role: "own" }, ""],
		[{ role: "own", content: [null, { text: 1 }] }, ""],
	])("%j: %j", (message, expected) => expect(textOf(message)).toBe(expected));
});

describe("messages for chat completions", () => {
	it("roles, pictures, tools and their pictures: each in its place", () => {
		expect(
			toChatCompletions([
				{ role: "system", content: "Be brief." },
				{ role: "user", content: [text("What is this?"), picture] },
				{
					role: "assistant",
					content: [
						{ type: "thinking", thinking: "hm" },
						{ type: "toolCall", id: "t1", name: "look", arguments: { at: "it" } },
						{ type: "toolCall", id: "t2", name: "look", arguments: {} },
					],
				},
				{ role: "toolResult", toolCallId: "t1", content: [text("a cat"), picture] },
				{ role: "toolResult", toolCallId: "t2", content: [text("nothing")] },
				{ role: "assistant", content: [text("A cat.")] },
				{ role: "assistant", content: [], stopReason: "aborted" },
				{ role: "user", content: "Thanks" },
			]),
		).toEqual([
			{ role: "system", content: "Be brief." },
			{
				role: "user",
				content: [
					text("What is this?"),
					{ type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
				],
			},
			{
				role: "assistant",
				content: null,
				tool_calls: [
					{ id: "t1", type: "function", function: { name: "look", arguments: '{"at":"it"}' } },
					{ id: "t2", type: "function", function: { name: "look", arguments: "{}" } },
				],
			},
			{ role: "tool", tool_call_id: "t1", content: "a cat" },
			{ role: "tool", tool_call_id: "t2", content: "nothing" },
			{ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }] },
			{ role: "assistant", content: "A cat." },
			{ role: "user", content: "Thanks" },
		]);
	});

	it("of a context that was compacted and came back from a branch: the summaries are a user's", async () => {
		const { leaflog } = clientOf();
		const { id } = await leaflog.createSession();
		const session = leaflog.session(id);
		await session.append([says("one"), says("two", { id: "two" }), says("three")]);
		await session.compact({ summary: "They count.", firstKeptEntryId: "two" });
		const { messages } = await session.context({ format: "llm" });
		const sent = toChatCompletions(messages);
		expect(sent.map(({ role }) => role)).toEqual(["user", "user", "user"]);
		expect(JSON.stringify(sent[0])).toContain("They count.");
	});
});

describe("what an error says", () => {
	it("names the field, and no more than the first three", async () => {
		const { leaflog } = clientOf();
		const { id } = await leaflog.createSession();
		const wrong = { type: "message", message: { role: "assistant", content: "no list" } } as never;
		const refused = await leaflog
			.session(id)
			.append([wrong, wrong, wrong, wrong])
			.catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(LeaflogError);
		const { message, errors } = refused as LeaflogError;
		expect(errors).toHaveLength(4);
		expect(message).toContain(`${errors[0]?.path}: ${errors[0]?.message}; ${errors[1]?.path}`);
		expect(message).not.toContain(errors[3]?.path);
		expect(message).toMatch(/; …$/);
	});

	it("doesn't say the same twice", async () => {
		const { leaflog } = clientOf();
		const { id } = await leaflog.createSession();
		const refused = leaflog.session(id).append(says("hi", { parentId: "none" }));
		await expect(refused).rejects.toThrow(/^The session has no entry none \(parentId\)$/);
	});
});
