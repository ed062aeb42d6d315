/** One event of a stream: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
export interface ServerEvent {
	readonly event: string;
	readonly data: string;
	/** The last id that was said. */
	readonly id: string;
}

/** Reads events out of the text of a stream, however it is cut up. An id is known as soon as it is complete. */
export class ServerEvents {
	/** The last id of a complete event, with or without data. */
	lastId = "";
	#rest = "";
	#event = "";
	#id = "";
	#data: string[] = [];

	/** The events that this part of the stream completes. */
	read(part: string): ServerEvent[] {
		const text = this.#rest + part;
		// A CR at the end may be the first half of a CRLF.
		const lines = text.split(/\r\n|\n|\r(?!$)/);
		this.#rest = lines.pop()!;
		return lines.flatMap((line) => this.#line(line));
	}

	#line(line: string): ServerEvent[] {
		if (line === "") return this.#complete();
		const [, field = line, value = ""] = /^([^:]*):? ?([\s\S]*)$/.exec(line) ?? [];
		if (field === "event") this.#event = value;
		else if (field === "data") this.#data.push(value);
		else if (field === "id" && !value.includes("\0")) this.#id = value;
		return [];
	}

	#complete(): ServerEvent[] {
		const [event, data] = [this.#event || "message", this.#data];
		this.#event = "";
		this.#data = [];
		this.lastId = this.#id;
		return data.length === 0 ? [] : [{ event, data: data.join("\n"), id: this.#id }];
	}
}
