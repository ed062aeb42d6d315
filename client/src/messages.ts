import type { ImageContent, Message } from "./api.ts";

/** The roles that have a shape of their own. */
type Role =
	| "system"
	| "user"
	| "assistant"
	| "toolResult"
	| "bashExecution"
	| "custom"
	| "branchSummary"
	| "compactionSummary";
type MessageOf<Name extends Role> = Extract<Message, { readonly role: Name }>;

/** Tells messages apart by role. TypeScript can't do that alone: applications may have roles of their own. */
export function hasRole<Name extends Role>(message: Message, role: Name): message is MessageOf<Name> {
	return message.role === role;
}

/** The text of a message: that of its text blocks, one after the other. Empty where it has none. */
export function textOf(message: Message): string {
	if (hasRole(message, "branchSummary") || hasRole(message, "compactionSummary")) return message.summary;
	const { content } = message as { readonly content?: unknown };
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content
		.map((block: { text?: unknown } | null) => (typeof block?.text === "string" ? block.text : ""))
		.join("");
}

/** The pictures of a message, in order: with data, or as links where they were read so. */
export function picturesOf(message: Message): ImageContent[] {
	const { content } = message as { readonly content?: unknown };
	if (!Array.isArray(content)) return [];
	return content.filter((block: { type?: unknown } | null): block is ImageContent => block?.type === "image");
}
