import { isRecord, type TokenPrices, usageOf } from "./chat-usage.ts";
import type { SummaryOutcome } from "./summarizer.ts";

/** Characters of a summary, and of one line or body of the protocol, beyond which an answer is none. */
const mostText = 1_000_000;
const mostPiece = 4_000_000;

/** An answer of `/chat/completions` as it comes in: whole, or in chunks. */
export class ChatAnswer {
	#text = "";
	#finish: string | undefined;
	#usage: unknown;
	#model: string | undefined;
	#calls = false;
	#refused = false;

	/** Takes a whole answer (`choices[].message`) or one chunk of a streamed one (`choices[].delta`). */
	take(piece: unknown): "taken" | "error" | "malformed" {
		if (!isRecord(piece)) return "malformed";
		if (piece.error !== undefined && piece.error !== null) return "error";
		if (isRecord(piece.usage)) this.#usage = piece.usage;
		if (typeof piece.model === "string" && piece.model !== "") this.#model = piece.model;
		if (!Array.isArray(piece.choices)) return isRecord(piece.usage) ? "taken" : "malformed";
		const choice: unknown = piece.choices[0];
		if (!isRecord(choice)) return "taken";
		if (typeof choice.finish_reason === "string") this.#finish = choice.finish_reason;
		const said = isRecord(choice.delta) ? choice.delta : choice.message;
		if (!isRecord(said)) return "taken";
		if (hasItems(said.tool_calls) || isRecord(said.function_call)) this.#calls = true;
		if (typeof said.refusal === "string" && said.refusal !== "") this.#refused = true;
		this.#text += textOf(said.content);
		return this.#text.length > mostText ? "malformed" : "taken";
	}

	/** What it comes to. `ended`: the protocol said that nothing follows. */
	outcome(asked: { readonly model: string; readonly prices?: TokenPrices }, ended: boolean): SummaryOutcome {
		const finish = this.#finish;
		if (finish === undefined && !ended) return { kind: "unavailable", reason: "unreachable" };
		if (this.#calls || finish === "tool_calls" || finish === "function_call") {
			return { kind: "unavailable", reason: "tool_call" };
		}
		if (finish === "length") return { kind: "unavailable", reason: "truncated" };
		if (this.#refused || finish === "content_filter") return { kind: "unavailable", reason: "refused" };
		const text = this.#text.toWellFormed().trim();
		if (text === "") return { kind: "unavailable", reason: "empty" };
		const usage = usageOf(this.#usage, asked.prices);
		return { kind: "summary", text, model: this.#model ?? asked.model, ...(usage && { usage }) };
	}
}

function hasItems(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0;
}

function textOf(content: unknown): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content
		.map((part) => (isRecord(part) && part.type === "text" && typeof part.text === "string" ? part.text : ""))
		.join("");
}

/**
 * The `data` of each server-sent event, in order. Comments and other fields are passed over.
 * @throws RangeError where a line never ends
 */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	let data: string[] = [];
	for await (const line of linesOf(body)) {
		if (line === "") {
			if (data.length > 0) yield data.join("\n");
			data = [];
		} else if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
	}
	if (data.length > 0) yield data.join("\n");
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const bytes of body) {
		const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		if (rest.length > mostPiece) throw new RangeError("a line is too long");
		for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
	}
	if (rest !== "") yield rest;
}

/** The whole text of a body. @throws RangeError where there is too much of it */
export async function wholeText(body: AsyncIterable<Uint8Array>): Promise<string> {
	const decoder = new TextDecoder();
	const parts: string[] = [];
	let length = 0;
	for await (const bytes of body) {
		const part = decoder.decode(bytes, { stream: true });
		length += part.length;
		if (length > mostPiece) throw new RangeError("the body is too long");
		parts.push(part);
	}
	return parts.join("") + decoder.decode();
}
