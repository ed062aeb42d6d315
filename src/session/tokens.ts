import { isRecord, type JsonRecord, numberOf } from "./entry.ts";

/** Characters an image counts as. */
const imageCharacters = 4800;

/** Tokens of so many characters, by the rule of four. */
export function tokensOf(characters: number): number {
	return Math.ceil(characters / 4);
}

/** Characters of a content as a user, system, tool result or custom message counts it: texts and images. */
export function plainCharacters(content: unknown): number {
	if (typeof content === "string") return content.length;
	if (!Array.isArray(content)) return 0;
	let characters = 0;
	for (const block of content) {
		if (!isRecord(block)) continue;
		if (block.type === "text" && typeof block.text === "string") characters += block.text.length;
		else if (block.type === "image") characters += imageCharacters;
	}
	return characters;
}

/** Characters of a content as an assistant message counts it: texts, thinking and tool calls. */
export function assistantCharacters(content: unknown): number {
	if (!Array.isArray(content)) return 0;
	let characters = 0;
	for (const block of content) {
		if (!isRecord(block)) continue;
		if (block.type === "text" && typeof block.text === "string") characters += block.text.length;
		else if (block.type === "thinking" && typeof block.thinking === "string")
			characters += block.thinking.length;
		else if (block.type === "toolCall") {
			if (typeof block.name === "string") characters += block.name.length;
			characters += jsonLength(block.arguments);
		}
	}
	return characters;
}

/** Length of a value's JSON text; 0 where it is undefined. */
export function jsonLength(value: unknown): number {
	return value === undefined ? 0 : JSON.stringify(value).length;
}

function lengthOf(value: unknown): number {
	return typeof value === "string" ? value.length : 0;
}

function systemCharacters(message: JsonRecord): number {
	let characters = plainCharacters(message.content);
	if (isRecord(message.sections)) {
		for (const section of Object.values(message.sections)) characters += lengthOf(section);
	}
	if (message.toolsAdded) characters += jsonLength(message.toolsAdded);
	return characters;
}

/** Tokens of a message: a quarter of its characters, rounded up. Unknown roles and missing parts count nothing. */
export function estimateTokens(message: JsonRecord): number {
	switch (message.role) {
		case "system":
			return tokensOf(systemCharacters(message));
		case "user":
		case "custom":
		case "toolResult":
			return tokensOf(plainCharacters(message.content));
		case "assistant":
			return tokensOf(assistantCharacters(message.content));
		case "bashExecution":
			return tokensOf(lengthOf(message.command) + lengthOf(message.output));
		case "branchSummary":
		case "compactionSummary":
			return tokensOf(lengthOf(message.summary));
		default:
			return 0;
	}
}

/** Tokens of the context that a response's usage reports: its total, or else the sum of its parts; 0 if unknown. */
export function calculateContextTokens(usage: unknown): number {
	if (!isRecord(usage)) return 0;
	const total = numberOf(usage.totalTokens);
	if (total) return total;
	let sum = 0;
	for (const part of [usage.input, usage.output, usage.cacheRead, usage.cacheWrite]) {
		const tokens = numberOf(part);
		if (tokens === undefined) return 0;
		sum += tokens;
	}
	return sum;
}

/** When the context should be compacted: strictly more tokens than the window less what is reserved. */
export function shouldCompact(contextTokens: number, contextWindow: number, reserveTokens: number): boolean {
	return contextTokens > contextWindow - reserveTokens;
}
