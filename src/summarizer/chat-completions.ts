import { ChatAnswer, eventData, wholeText } from "./chat-answer.ts";
import type { TokenPrices } from "./chat-usage.ts";
import type { Summarizer, SummaryOutcome, SummaryRequest } from "./summarizer.ts";

export interface ChatCompletionsSettings {
	/** Of the service (`https://api.openai.com/v1`), or of its `/chat/completions` itself. */
	readonly url: string;
	readonly model: string;
	/** Sent as a bearer token. Local services need none. */
	readonly key?: string;
	/** Milliseconds that a whole answer may take. */
	readonly timeout: number;
	/** Tokens that an answer may have (`max_tokens`). Unless given, the model's own limit. */
	readonly maxTokens?: number;
	readonly prices?: TokenPrices;
}

export interface ChatCompletionsParts {
	readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
	/** A signal that aborts after so many milliseconds: `AbortSignal.timeout`. */
	readonly abortAfter: (milliseconds: number) => AbortSignal;
}

/**
 * Any service that speaks OpenAI's `POST /chat/completions`. Asks for a stream, so that no proxy on the way takes a
 * long answer for a dead one, and takes a whole answer as well. Asks once: whoever wants the summary asks again.
 */
export class ChatCompletions implements Summarizer {
	readonly #url: string;
	readonly #headers: Record<string, string>;
	readonly #settings: ChatCompletionsSettings;
	readonly #parts: ChatCompletionsParts;

	/** @throws TypeError where the URL is none of http or https */
	constructor(settings: ChatCompletionsSettings, parts: ChatCompletionsParts) {
		this.#url = addressOf(settings.url);
		this.#headers = {
			Accept: "text/event-stream, application/json",
			"Content-Type": "application/json",
			...(settings.key ? { Authorization: `Bearer ${settings.key}` } : {}),
		};
		this.#settings = settings;
		this.#parts = parts;
	}

	async summarize(request: SummaryRequest): Promise<SummaryOutcome> {
		const timeout = this.#parts.abortAfter(this.#settings.timeout);
		const stop = new AbortController();
		const signal = AbortSignal.any([timeout, stop.signal, ...(request.signal ? [request.signal] : [])]);
		try {
			if (request.signal?.aborted) return { kind: "unavailable", reason: "aborted" };
			return await this.#ask(request, signal);
		} catch {
			// What was thrown may quote the address, the key or the text: only the reason is told.
			if (request.signal?.aborted) return { kind: "unavailable", reason: "aborted" };
			return { kind: "unavailable", reason: timeout.aborted ? "timeout" : "unreachable" };
		} finally {
			// Ends what is still under way, an answer that nobody reads to its end among it.
			stop.abort();
		}
	}

	async #ask(request: SummaryRequest, signal: AbortSignal): Promise<SummaryOutcome> {
		const { model, maxTokens } = this.#settings;
		const response = await this.#parts.fetch(this.#url, {
			method: "POST",
			headers: this.#headers,
			body: JSON.stringify({
				model,
				messages: [
					{ role: "system", content: request.system.toWellFormed() },
					{ role: "user", content: request.prompt.toWellFormed() },
				],
				stream: true,
				stream_options: { include_usage: true },
				...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
			}),
			// The key belongs to this address alone.
			redirect: "manual",
			signal,
		});
		if (!response.ok) return { kind: "unavailable", reason: "rejected", status: response.status };
		if (response.body === null) return { kind: "unavailable", reason: "malformed" };
		// Reading may go on for a while after an abort, depending on the platform.
		const body = untilAborted(response.body, signal);
		try {
			const streamed = /^text\/event-stream\b/i.test(response.headers.get("Content-Type") ?? "");
			return streamed ? await this.#streamed(body) : await this.#whole(body);
		} catch (error) {
			if (error instanceof RangeError || error instanceof SyntaxError) {
				return { kind: "unavailable", reason: "malformed" };
			}
			throw error;
		}
	}

	async #streamed(body: AsyncIterable<Uint8Array>): Promise<SummaryOutcome> {
		const answer = new ChatAnswer();
		for await (const data of eventData(body)) {
			if (data.trim() === "[DONE]") return answer.outcome(this.#settings, true);
			const taken = answer.take(JSON.parse(data));
			if (taken !== "taken") return failed(taken);
		}
		return answer.outcome(this.#settings, false);
	}

	async #whole(body: AsyncIterable<Uint8Array>): Promise<SummaryOutcome> {
		const answer = new ChatAnswer();
		const taken = answer.take(JSON.parse(await wholeText(body)));
		return taken === "taken" ? answer.outcome(this.#settings, true) : failed(taken);
	}
}

function failed(taken: "error" | "malformed"): SummaryOutcome {
	return { kind: "unavailable", reason: taken === "error" ? "rejected" : "malformed" };
}

function addressOf(url: string): string {
	const address = new URL(url);
	if (!/^https?:$/.test(address.protocol))
		throw new TypeError("the summarizer's URL is none of http or https");
	const path = address.pathname.replace(/\/+$/, "");
	if (!path.endsWith("/chat/completions")) address.pathname = `${path}/chat/completions`;
	return address.href;
}

/** The chunks of a body. Throws as soon as the signal aborts, whatever the body does. */
async function* untilAborted(
	body: ReadableStream<Uint8Array>,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const reader = body.getReader();
	const aborted = Promise.withResolvers<never>();
	aborted.promise.catch(() => {});
	const abort = () => aborted.reject(signal.reason);
	signal.addEventListener("abort", abort);
	try {
		if (signal.aborted) throw signal.reason;
		for (;;) {
			const { done, value } = await Promise.race([reader.read(), aborted.promise]);
			if (done) return;
			yield value;
		}
	} finally {
		signal.removeEventListener("abort", abort);
		reader.cancel().catch(() => {});
	}
}
