import type { Entry } from "./grow.ts";

const characters = 80;

/** One line that tells what an entry is, much as the server's tree tells it; "" where there is nothing to tell. */
export function previewOf(entry: Entry): string {
	return oneLine(textOf(entry));
}

function textOf(entry: Entry): string {
	switch (entry.type) {
		case "message":
			return messageText(entry.message);
		case "model_change":
			return [entry.provider, entry.modelId].filter((part) => typeof part === "string").join("/");
		case "thinking_level_change":
			return string(entry.thinkingLevel);
		case "compaction":
		case "branch_summary":
			return string(entry.summary);
		case "context_edit":
			return contentText((entry.replacement as { content?: unknown } | null)?.content);
		case "label":
			return string(entry.label);
		case "session_info":
			return string(entry.name);
		case "usage":
			return string(entry.kind);
		case "custom":
			return string(entry.customType);
		case "custom_message":
			return contentText(entry.content);
		default:
			return "";
	}
}

function messageText(message: unknown): string {
	if (typeof message !== "object" || message === null) return "";
	const { role, content, command, summary } = message as { [field: string]: unknown };
	if (role === "bashExecution") return string(command);
	return typeof summary === "string" ? summary : contentText(content);
}

/** The text blocks of a content, with spaces between them; a string is one. */
export function contentText(content: unknown, separator = " "): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content
		.flatMap((block: { type?: unknown; text?: unknown } | null) =>
			block?.type === "text" && typeof block.text === "string" ? [block.text] : [],
		)
		.join(separator);
}

function oneLine(text: string): string {
	const line = text.slice(0, 4096).replace(/\s+/gu, " ").trim();
	return line.length <= characters ? line : line.slice(0, characters).toWellFormed();
}

function string(value: unknown): string {
	return typeof value === "string" ? value : "";
}
