import type { World } from "./world.ts";

export interface SeenEvent {
	readonly event?: string;
	readonly data?: string;
	readonly id?: string;
	readonly comment?: string;
	readonly retry?: string;
}

/** Reads a stream of events as a browser does, one block at a time. */
export class EventReader {
	readonly response: Response;
	readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
	readonly #decoder = new TextDecoder();
	#text = "";

	constructor(response: Response) {
		this.response = response;
		if (response.body === null) throw new Error("no body");
		this.#reader = response.body.getReader();
	}

	static async open(world: World, path: string, headers: Record<string, string> = {}): Promise<EventReader> {
		const response = await world.send("GET", path, { headers });
		if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
		return new EventReader(response);
	}

	/** The next block; undefined where the stream ended. */
	async next(): Promise<SeenEvent | undefined> {
		for (;;) {
			const end = this.#text.indexOf("\n\n");
			if (end >= 0) {
				const block = this.#text.slice(0, end);
				this.#text = this.#text.slice(end + 2);
				return blockOf(block);
			}
			const { done, value } = await this.#reader.read();
			if (done) return undefined;
			this.#text += this.#decoder.decode(value, { stream: true });
		}
	}

	/** The next block with data. */
	async event(): Promise<SeenEvent | undefined> {
		for (;;) {
			const block = await this.next();
			if (block === undefined || block.data !== undefined) return block;
		}
	}

	/** All events up to the end of the stream. */
	async rest(): Promise<SeenEvent[]> {
		const events: SeenEvent[] = [];
		for (;;) {
			const event = await this.event();
			if (event === undefined) return events;
			events.push(event);
		}
	}

	async leave(): Promise<void> {
		await this.#reader.cancel();
	}
}

function blockOf(block: string): SeenEvent {
	const fields = block.split("\n").map((line) => {
		const [, name = "", value = ""] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
		return [name === "" ? "comment" : name, value];
	});
	return Object.fromEntries(fields);
}
