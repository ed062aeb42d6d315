/** Sends an event to whoever reads. */
export type Tell = (event: string, data: object) => void;

/**
 * An answer of server-sent events, told by `work`. The work goes on when the reader leaves; what it throws becomes the
 * last event, as `problemOf` puts it.
 */
export function eventStream(
	context: Pick<ExecutionContext, "waitUntil">,
	work: (tell: Tell) => Promise<void>,
	problemOf: (error: unknown) => object,
): Response {
	const encoder = new TextEncoder();
	const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
	const writer = writable.getWriter();
	// Not waited for: a reader who is slow, or has left, must not keep the answer from being stored.
	const tell: Tell = (event, data) => {
		writer.write(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)).catch(() => {});
	};
	const told = work(tell)
		.catch((error: unknown) => tell("error", problemOf(error)))
		.finally(() => writer.close().catch(() => {}));
	context.waitUntil(told);
	return new Response(readable, {
		headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" },
	});
}
