import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { ChatCompletions } from "../../src/summarizer/chat-completions.ts";
import { type ChatRequest, type ChatServer, says, startChatServer } from "../summarizer/chat-server.ts";
import { assistant, text, toolCall, toolResult } from "./chat.ts";
import { user, World } from "./world.ts";

/** Worlds whose summarizer is a service on loopback, one for each file of tests. */

export const key = "sk-summaries-secret";
const never = () => new AbortController().signal;

/** Answers with a summary unless a test says otherwise. */
export let chat: ChatServer;
beforeAll(async () => {
	chat = await startChatServer();
});
afterAll(() => chat.close());
afterEach(() => {
	chat.requests.length = 0;
	chat.reply = says("A summary.");
});

export function summarizing(abortAfter: (milliseconds: number) => AbortSignal = never): World {
	const settings = { url: chat.url, key, model: "small", timeout: 60_000, prices: { input: 1, output: 10 } };
	const summarizer = new ChatCompletions(settings, { fetch: (url, init) => fetch(url, init), abortAfter });
	return new World({ summarizer });
}

export const reading = toolCall("c1", "read", { path: "src/a.ts" });
const writing = toolCall("c2", "edit", { path: "src/b.ts", text: "const b = 2;" });

/** u1 → a1 → u2 → a2 (reads and edits files) → r1 → u3, the leaf; and beside u2: v2. */
export async function worked(world: World): Promise<string> {
	return world.session([
		user("Make tea.", { id: "u1" }),
		assistant("Which one?", { id: "a1" }),
		user("Black, with src/a.ts.", { id: "v2" }),
		user("Green, with src/b.ts.", { id: "u2", parentId: "a1" }),
		assistant(
			"I look.",
			{ id: "a2" },
			{ content: [text("I look."), reading, writing], stopReason: "toolUse" },
		),
		toolResult("c1", "const a = 1;", { id: "r1" }),
		user("Thanks a lot.", { id: "u3" }),
	]);
}

/** What the service was asked, as one text. */
export function prompt(request: ChatRequest | undefined): string {
	return request?.body.messages.map(({ content }) => content).join("\n") ?? "";
}

/** Nothing was stored: the log is as long as it was, on an instance that knows nothing. */
export async function expectUnchanged(world: World, session: string, seq: number): Promise<void> {
	expect((await world.cold().get(`${session}/leaf`)).body.seq).toBe(seq);
}
