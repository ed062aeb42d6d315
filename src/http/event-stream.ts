import type { Context } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { AnswerBody, ServerEvent } from "./endpoint.ts";
import type { AppEnv } from "./environment.ts";

/**
 * Sends events as they are made, each only when the one before was taken: a reader who is slow holds up the events,
 * not the memory. When the reader leaves, or all is said, `close` is called, and the log line is written.
 */
export function eventStream(
	c: Context<AppEnv>,
	{ events, close }: Extract<AnswerBody, { readonly kind: "events" }>,
	status: 200 | 201 | 202 | 204,
	headers: Readonly<Record<string, string>>,
): Response {
	const answerHeaders = {
		...headers,
		"Content-Type": "text/event-stream",
		"Cache-Control": "private, no-cache",
		// Proxies that collect answers before they pass them on.
		"X-Accel-Buffering": "no",
	};
	if (c.req.method === "HEAD") {
		close();
		return c.newResponse(null, status, answerHeaders);
	}
	const over = Promise.withResolvers<void>();
	c.set("sent", over.promise);
	const response = streamSSE(c, async (stream) => {
		stream.onAbort(close);
		try {
			for await (const event of events) {
				await send(stream, event);
				if (stream.aborted) break;
			}
			over.resolve();
		} catch (error) {
			// The reader comes back to where it was, and is told then.
			over.reject(error);
		} finally {
			close();
		}
	});
	for (const [name, value] of Object.entries(answerHeaders)) {
		response.headers.set(name, value);
		// Also where middleware has begun an answer: it goes before this one's headers.
		c.header(name, value);
	}
	return response;
}

async function send(stream: SSEStreamingApi, event: ServerEvent): Promise<void> {
	const { data, comment, id, retry } = event;
	if (data !== undefined) return stream.writeSSE({ ...event, data });
	const lines = [
		comment !== undefined && `: ${comment}`,
		id !== undefined && `id: ${id}`,
		retry !== undefined && `retry: ${retry}`,
	];
	await stream.write(`${lines.filter((line) => line !== false).join("\n")}\n\n`);
}
