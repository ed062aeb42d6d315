/** An event of a stream, or only an id to resume from. */
export interface StreamEvent {
	readonly event?: string;
	readonly data?: string;
	readonly id?: string;
}

/**
 * The events of a `text/event-stream`, as https://html.spec.whatwg.org/multipage/server-sent-events.html has them,
 * comments included as events without members: they tell that the other side is still there.
 */
export async function* streamEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let text = "";
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			text += decoder.decode(value, { stream: true });
			// A line feed may still follow a carriage return at the end.
			const blocks = text.split(/\r\n\r\n|\n\n|\r\r(?!$)/);
			text = blocks.pop() ?? "";
			for (const block of blocks) yield eventOf(block);
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}

function eventOf(block: string): StreamEvent {
	const data: string[] = [];
	let event: string | undefined;
	let id: string | undefined;
	for (const line of block.split(/\r\n|\n|\r/)) {
		const cut = line.indexOf(":");
		const name = cut < 0 ? line : line.slice(0, cut);
		const value = cut < 0 ? "" : line.slice(cut + 1).replace(/^ /, "");
		if (name === "data") data.push(value);
		else if (name === "event") event = value;
		else if (name === "id") id = value;
	}
	return {
		...(data.length > 0 && { data: data.join("\n") }),
		...(event !== undefined && { event }),
		...(id !== undefined && { id }),
	};
}
