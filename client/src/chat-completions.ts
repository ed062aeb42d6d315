import type { ImageContent, Message, TextContent } from "./api.ts";
import { hasRole, picturesOf, textOf } from "./messages.ts";

/** A message as OpenAI's chat completions take it, and all that is compatible with them. */
export type ChatMessage =
	| { readonly role: "system"; readonly content: string }
	| { readonly role: "user"; readonly content: string | readonly ChatPart[] }
	| {
			readonly role: "assistant";
			readonly content: string | null;
			readonly tool_calls?: readonly ChatToolCall[];
	  }
	| { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export type ChatPart =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "image_url"; readonly image_url: { readonly url: string } };

export interface ChatToolCall {
	readonly id: string;
	readonly type: "function";
	readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * The messages of `context({ format: "llm" })` for OpenAI's chat completions. Thinking is left out, and so are answers
 * that broke off before they said anything. Pictures that a tool gave follow its result as a user's, since that
 * protocol has no other place for them; those of links (`media: "link"`) are left out.
 */
export function toChatCompletions(messages: readonly Message[]): ChatMessage[] {
	const result: ChatMessage[] = [];
	let pictures: ChatPart[] = [];
	for (const message of messages) {
		if (pictures.length > 0 && !hasRole(message, "toolResult")) {
			result.push({ role: "user", content: pictures });
			pictures = [];
		}
		if (hasRole(message, "system")) result.push({ role: "system", content: textOf(message) });
		else if (hasRole(message, "user")) {
			const { content } = message;
			result.push({ role: "user", content: typeof content === "string" ? content : partsOf(content) });
		} else if (hasRole(message, "assistant")) {
			const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
			const text = textOf(message);
			if (text === "" && calls.length === 0) continue;
			result.push({
				role: "assistant",
				content: text === "" ? null : text,
				...(calls.length > 0 && {
					tool_calls: calls.map(({ id, name, arguments: given }) => ({
						id,
						type: "function",
						function: { name, arguments: JSON.stringify(given) },
					})),
				}),
			});
		} else if (hasRole(message, "toolResult")) {
			result.push({ role: "tool", tool_call_id: message.toolCallId, content: textOf(message) });
			pictures.push(...partsOf(picturesOf(message)));
		}
	}
	if (pictures.length > 0) result.push({ role: "user", content: pictures });
	return result;
}

function partsOf(content: readonly (TextContent | ImageContent)[]): ChatPart[] {
	return content.flatMap((block): ChatPart[] => {
		if (block.type === "text") return [{ type: "text", text: block.text }];
		if (block.type !== "image" || typeof block.data !== "string") return [];
		return [{ type: "image_url", image_url: { url: `data:${block.mimeType};base64,${block.data}` } }];
	});
}
