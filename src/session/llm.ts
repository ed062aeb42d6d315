import type { JsonRecord } from "./entry.ts";

/** A shell command that the user ran, as the model reads it. */
function bashText(message: JsonRecord): string {
	const parts = [`Ran \`${message.command}\`\n`];
	parts.push(message.output ? `\`\`\`\n${message.output}\n\`\`\`` : "(no output)");
	const exit = message.exitCode;
	if (message.cancelled) parts.push("\n\n(command cancelled)");
	else if (exit !== null && exit !== undefined && exit !== 0) {
		parts.push(`\n\nCommand exited with code ${exit}`);
	}
	if (message.truncated && message.fullOutputPath) {
		parts.push(`\n\n[Output truncated. Full output: ${message.fullOutputPath}]`);
	}
	return parts.join("");
}

function userMessage(content: unknown, timestamp: unknown): JsonRecord {
	return { role: "user", content, ...(timestamp === undefined ? {} : { timestamp }) };
}

function textBlock(text: string): readonly JsonRecord[] {
	return [{ type: "text", text }];
}

/** The message as a model takes it, or undefined where it isn't meant for one. */
function toLlm(message: JsonRecord): JsonRecord | undefined {
	switch (message.role) {
		case "system":
		case "user":
		case "assistant":
		case "toolResult":
			return message;
		case "bashExecution":
			if (message.excludeFromContext) return undefined;
			return userMessage(textBlock(bashText(message)), message.timestamp);
		case "custom":
			return userMessage(
				typeof message.content === "string" ? textBlock(message.content) : message.content,
				message.timestamp,
			);
		case "branchSummary":
			return userMessage(
				textBlock(
					`The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${message.summary}</summary>`,
				),
				message.timestamp,
			);
		case "compactionSummary":
			return userMessage(
				textBlock(
					`The conversation history before this point was compacted into the following summary:\n\n<summary>\n${message.summary}\n</summary>`,
				),
				message.timestamp,
			);
		default:
			return undefined;
	}
}

/**
 * A context's messages as a model takes them: shell commands, custom messages and summaries become user messages
 * (with pi's texts, so that a session reads the same in both), excluded commands and unknown roles drop out.
 */
export function convertToLlm(messages: readonly JsonRecord[]): JsonRecord[] {
	return messages.map(toLlm).filter((message) => message !== undefined);
}
