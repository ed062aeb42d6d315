import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChatCompletions } from "../../src/summarizer/chat-completions.ts";
import { chunk } from "./chat-server.ts";

const prompt = { system: "Summarize.", prompt: "The talk of the town" };

/** A summarizer whose service sends these bytes. */
function summarizerOf(sent: readonly Uint8Array[], type = "text/event-stream") {
	const body = () =>
		new ReadableStream<Uint8Array>({
			start(controller) {
				for (const one of sent) controller.enqueue(one);
				controller.close();
			},
		});
	return new ChatCompletions(
		{ url: "http://service/v1", model: "small", timeout: 1000 },
		{
			fetch: async () => new Response(body(), { headers: { "Content-Type": type } }),
			abortAfter: () => new AbortController().signal,
		},
	);
}

/** Bytes cut at pieces of these lengths, the last one repeated. */
function pieces(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
	const parts: Uint8Array[] = [];
	for (let at = 0, turn = 0; at < bytes.length; turn++) {
		const length = lengths[Math.min(turn, lengths.length - 1)] ?? bytes.length;
		parts.push(bytes.subarray(at, at + length));
		at += length;
	}
	return parts;
}

describe("chat completions: the bytes of an answer", () => {
	it("a stream: the same summary however it is cut", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== ""),
				fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 12 }),
				fc.constantFrom("\n", "\r\n"),
				async (text, cuts, newline) => {
					const lines = [chunk({ content: text }), chunk({}, "stop"), "[DONE]"];
					const bytes = Buffer.from(lines.map((line) => `data: ${line}${newline}${newline}`).join(""));
					const outcome = await summarizerOf(pieces(bytes, cuts)).summarize(prompt);
					expect(outcome).toMatchObject({ kind: "summary", text: text.trim() });
				},
			),
			{ seed: 4, numRuns: 200 },
		);
	});

	it("whatever is sent: the outcome is a value", async () => {
		const piece = fc.oneof(
			fc.json(),
			fc.string(),
			fc.constantFrom(
				"[DONE]",
				chunk({ content: "a" }),
				chunk({}, "stop"),
				'{"choices":[{"delta":{"content":[7]}}]}',
			),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(piece, { maxLength: 5 }), fc.boolean(), async (sent, streamed) => {
				const text = streamed ? sent.map((one) => `data: ${one}\n\n`).join("") : sent.join("");
				const type = streamed ? "text/event-stream" : "application/json";
				const outcome = await summarizerOf(pieces(Buffer.from(text), [7]), type).summarize(prompt);
				expect(["summary", "unavailable"]).toContain(outcome.kind);
			}),
			{ seed: 44, numRuns: 300 },
		);
	});
});
