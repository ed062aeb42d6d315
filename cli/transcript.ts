import type { Entry } from "../client/src/index.ts";
import { plain, plainLines } from "./plain.ts";

/** An entry as people read it; undefined where there is nothing to read. */
export function transcript(entry: Entry): string | undefined {
	switch (entry.type) {
		case "message": {
			const message = entry.message as { readonly role: string; readonly [key: string]: unknown };
			const text = textOf(message);
			return text === "" ? undefined : `${plain(message.role)}:\n${indented(text)}`;
		}
		case "custom_message":
			return `${plain(entry.customType)}:\n${indented(contentText(entry.content))}`;
		case "compaction":
		case "branch_summary":
			return `${entry.type}:\n${indented(entry.summary)}`;
		case "session_info":
			return `name: ${plain(entry.name ?? "")}`;
		default:
			return undefined;
	}
}

function textOf(message: { readonly [key: string]: unknown }): string {
	if (message.role === "bashExecution") return `$ ${message.command}\n${message.output}`;
	return contentText(message.content ?? message.summary);
}

function contentText(content: unknown): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content
		.map((block: { readonly [key: string]: unknown }) => {
			if (block.type === "text") return String(block.text);
			if (block.type === "thinking") return `(thinking) ${block.thinking}`;
			if (block.type === "toolCall") return `→ ${block.name} ${JSON.stringify(block.arguments)}`;
			return `(${block.mimeType ?? block.type})`;
		})
		.join("\n");
}

function indented(text: string): string {
	return plainLines(text)
		.split("\n")
		.map((line) => `  ${line}`)
		.join("\n");
}
