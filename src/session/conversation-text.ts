import { isRecord, type JsonRecord, stringOf } from "./entry.ts";
import { convertToLlm } from "./llm.ts";
import { cutText, textBlocks } from "./text.ts";

/** Characters of a tool's result that a summary gets to read. */
const resultCharacters = 2000;

/**
 * Messages of a context as one text for somebody who is to summarize them, not to go on with them. Thinking and
 * system prompts are left out, images named, long tool results cut.
 */
export function conversationText(messages: readonly JsonRecord[]): string {
	return convertToLlm(messages)
		.flatMap((message) => paragraphs(message))
		.join("\n\n");
}

function paragraphs(message: JsonRecord): string[] {
	switch (message.role) {
		case "user":
			return said("User", spoken(message.content));
		case "assistant":
			return [...said("Assistant", spoken(message.content)), ...toolCalls(message.content)];
		case "toolResult": {
			const failed = message.isError === true ? ", failed" : "";
			const name = `Result of ${stringOf(message.toolName) ?? "a tool"}${failed}`;
			return said(name, shortened(spoken(message.content)));
		}
		default:
			return [];
	}
}

function said(who: string, text: string): string[] {
	return text.trim() === "" ? [] : [`${who}: ${text}`];
}

/** The texts of a content, with a word where there is an image. */
function spoken(content: unknown): string {
	if (!Array.isArray(content)) return textBlocks(content).join("");
	return content
		.map((block) => (isRecord(block) && block.type === "image" ? "(an image)" : textBlocks([block]).join("")))
		.filter((text) => text !== "")
		.join("\n");
}

function toolCalls(content: unknown): string[] {
	if (!Array.isArray(content)) return [];
	return content.filter(isRecord).flatMap((block) => {
		if (block.type !== "toolCall") return [];
		const given = isRecord(block.arguments) ? Object.entries(block.arguments) : [];
		const words = given.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
		return [`Assistant calls ${stringOf(block.name) ?? "a tool"}(${words})`];
	});
}

function shortened(text: string): string {
	const start = cutText(text, resultCharacters);
	const left = text.length - start.length;
	return left === 0 ? text : `${start}\n(${left} more characters)`;
}
