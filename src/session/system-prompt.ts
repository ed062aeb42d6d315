import { isRecord, type JsonRecord, numberOf } from "./entry.ts";
import { contentText } from "./text.ts";

/**
 * Replays the system messages among these into one that declares the current prompt and tools: contents joined by a
 * blank line, sections patched by name, tools removed and added. Its timestamp is the first one's (0 where none of
 * them has any). Undefined where there is no system message.
 */
export function getCurrentSystemMessage(messages: readonly JsonRecord[]): JsonRecord | undefined {
	const texts: string[] = [];
	const sections = new Map<string, unknown>();
	const tools = new Map<unknown, JsonRecord>();
	let timestamp: number | undefined;
	let found = false;
	for (const message of messages) {
		if (message.role !== "system") continue;
		found = true;
		timestamp ??= numberOf(message.timestamp);
		const text = contentText(message.content, "\n");
		if (text !== "") texts.push(text);
		patchSections(sections, message.sections);
		for (const tool of list(message.toolsRemoved)) tools.delete(tool.name);
		for (const tool of list(message.toolsAdded)) tools.set(tool.name, tool);
	}
	if (!found) return undefined;
	return {
		role: "system",
		content: texts.join("\n\n"),
		...(sections.size > 0 ? { sections: Object.fromEntries(sections) } : {}),
		...(tools.size > 0 ? { toolsAdded: [...tools.values()] } : {}),
		timestamp: timestamp ?? 0,
	};
}

function patchSections(sections: Map<string, unknown>, patch: unknown): void {
	if (!isRecord(patch)) return;
	for (const [name, text] of Object.entries(patch)) {
		if (text === null) sections.delete(name);
		else sections.set(name, text);
	}
}

function list(tools: unknown): JsonRecord[] {
	return Array.isArray(tools) ? tools.filter(isRecord) : [];
}
