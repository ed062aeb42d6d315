/** Entries of a conversation, as clients send them. */

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function text(words: string): object {
	return { type: "text", text: words };
}

export function usageOf(tokens: number, cost = 0): object {
	return { ...nothing, input: tokens, totalTokens: tokens, cost: { ...nothing, total: cost } };
}

/** An assistant's message; `content` of the message and other fields of the entry may be given. */
export function assistant(words: string, more: object = {}, message: object = {}): object {
	return {
		type: "message",
		...more,
		message: {
			role: "assistant",
			content: [text(words)],
			api: "messages",
			provider: "anthropic",
			model: "claude-sonnet-4-5",
			usage: usageOf(0),
			stopReason: "stop",
			timestamp: 1_767_323_045_000,
			...message,
		},
	};
}

export function toolCall(id: string, name: string, args: object = {}): object {
	return { type: "toolCall", id, name, arguments: args };
}

export function toolResult(toolCallId: string, words: string, more: object = {}): object {
	return {
		type: "message",
		...more,
		message: {
			role: "toolResult",
			toolCallId,
			toolName: "read",
			content: [text(words)],
			isError: false,
			timestamp: 1_767_323_045_000,
		},
	};
}
