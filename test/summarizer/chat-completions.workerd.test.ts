import { describe, expect, it } from "vitest";
import { ChatCompletions } from "../../src/summarizer/chat-completions.ts";

const encoder = new TextEncoder();
const piece = (content: string, finish: string | null = null) =>
	`data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`;

/** A summarizer inside workerd, whose service sends these, and then ends or hangs. */
function summarizer(sent: readonly string[], ends: boolean, abortAfter = AbortSignal.timeout) {
	let cancelled = false;
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			for (const text of sent) controller.enqueue(encoder.encode(text));
			if (ends) controller.close();
		},
		cancel() {
			cancelled = true;
		},
	});
	const chat = new ChatCompletions(
		{ url: "http://service/v1", model: "small", timeout: 60_000 },
		{
			fetch: async () => new Response(body, { headers: { "Content-Type": "text/event-stream" } }),
			abortAfter,
		},
	);
	return { chat, wasCancelled: () => cancelled };
}

const request = { system: "Summarize.", prompt: "Tea" };

describe("chat completions inside workerd", () => {
	it("a streamed answer: the summary", async () => {
		const { chat } = summarizer([piece("## Goal\n"), piece("Tea", "stop"), "data: [DONE]\n\n"], true);
		expect(await chat.summarize(request)).toEqual({ kind: "summary", text: "## Goal\nTea", model: "small" });
	});

	it("a service that hangs: timeout, and the answer is given up", async () => {
		const clock = new AbortController();
		const { chat, wasCancelled } = summarizer([piece("Half of")], false, () => clock.signal);
		const outcome = chat.summarize(request);
		clock.abort();
		expect(await outcome).toEqual({ kind: "unavailable", reason: "timeout" });
		expect(wasCancelled()).toBe(true);
	});

	it("a caller that leaves: aborted, and the answer is given up", async () => {
		const caller = new AbortController();
		const { chat, wasCancelled } = summarizer([piece("Half of")], false);
		const outcome = chat.summarize({ ...request, signal: caller.signal });
		await Promise.resolve();
		caller.abort();
		expect(await outcome).toEqual({ kind: "unavailable", reason: "aborted" });
		expect(wasCancelled()).toBe(true);
	});
});
