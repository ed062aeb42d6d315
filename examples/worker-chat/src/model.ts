import { type ChatMessage, streamEvents } from "leaflog-client";

/** An endpoint that speaks OpenAI's `POST /chat/completions`. */
export interface Model {
	/** What stands before `/chat/completions`. */
	readonly url: string;
	readonly name: string;
	readonly key?: string | undefined;
	/** Milliseconds of silence after which it counts as dead. */
	readonly patience: number;
}

/** What a model said, to its end. */
export interface Said {
	readonly text: string;
	readonly finish: string | undefined;
	readonly model: string;
	readonly usage?: Record<"input" | "output" | "cacheRead" | "cacheWrite" | "totalTokens", number>;
}

/** The model gave no answer, or broke off. Nothing of what a provider says is handed on: it may name keys. */
export class ModelError extends Error {
	override readonly name = "ModelError";
	readonly status: 429 | 502 | 504;
	readonly code: "model_busy" | "model_failed" | "model_silent";
	/** As the model's `Retry-After` had it. */
	readonly retryAfter: string | undefined;

	constructor(status: 429 | 502 | 504, detail: string, retryAfter?: string | null) {
		super(detail);
		this.status = status;
		this.code = status === 429 ? "model_busy" : status === 504 ? "model_silent" : "model_failed";
		this.retryAfter = retryAfter ?? undefined;
	}
}

interface Chunk {
	readonly error?: unknown;
	readonly model?: string;
	readonly choices?: readonly {
		readonly delta?: { readonly content?: string | null };
		readonly finish_reason?: string | null;
	}[];
	readonly usage?: {
		readonly prompt_tokens?: number;
		readonly completion_tokens?: number;
		readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
	} | null;
}

/**
 * Asks for an answer; it has begun once this resolves, and is read by calling what it gives. Asks once: whoever wants
 * the answer repeats their own request.
 * @throws ModelError
 */
export async function ask(
	model: Model,
	messages: readonly ChatMessage[],
): Promise<(onText?: (text: string) => void) => Promise<Said>> {
	const abort = new AbortController();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const expectMore = () => {
		clearTimeout(timer);
		timer = setTimeout(() => abort.abort(), model.patience);
	};
	const failure = (error: unknown) => {
		clearTimeout(timer);
		if (error instanceof ModelError) return error;
		if (abort.signal.aborted) return new ModelError(504, "The model was silent for too long");
		console.error(error);
		return new ModelError(502, "The model can't be reached, or broke off");
	};
	expectMore();
	const response = await fetch(`${model.url.replace(/\/+$/, "")}/chat/completions`, {
		method: "POST",
		headers: {
			"Content-Type": "application/json",
			...(model.key && { Authorization: `Bearer ${model.key}` }),
		},
		body: JSON.stringify({
			model: model.name,
			messages,
			stream: true,
			stream_options: { include_usage: true },
		}),
		signal: abort.signal,
	}).catch((error: unknown) => {
		throw failure(error);
	});
	const { body, status } = response;
	if (!response.ok || body === null) {
		console.error("The model answered", status, (await response.text().catch(() => "")).slice(0, 500));
		const busy = status === 429;
		const detail = busy ? "The model has too much to do" : `The model answered ${status}`;
		throw failure(new ModelError(busy ? 429 : 502, detail, response.headers.get("Retry-After")));
	}
	return async (onText = () => {}) => {
		try {
			return await read(body, model, (text) => {
				expectMore();
				if (text !== "") onText(text);
			});
		} catch (error) {
			throw failure(error);
		} finally {
			clearTimeout(timer);
		}
	};
}

async function read(
	body: ReadableStream<Uint8Array>,
	model: Model,
	onPiece: (text: string) => void,
): Promise<Said> {
	let said: Said = { text: "", finish: undefined, model: model.name };
	let ended = false;
	for await (const { data } of streamEvents(body)) {
		if (data?.trim() === "[DONE]") {
			ended = true;
			break;
		}
		const chunk = data === undefined ? {} : (JSON.parse(data) as Chunk);
		if (chunk.error) throw new Error(`The model broke off: ${JSON.stringify(chunk.error).slice(0, 500)}`);
		const choice = chunk.choices?.[0];
		const piece = choice?.delta?.content ?? "";
		said = {
			text: said.text + piece,
			finish: choice?.finish_reason ?? said.finish,
			model: chunk.model || said.model,
			usage: chunk.usage ? usageOf(chunk.usage) : said.usage,
		};
		onPiece(piece);
	}
	if (!ended && said.finish === undefined) throw new Error("The model's answer broke off");
	if (said.text.trim() === "") throw new ModelError(502, "The model had nothing to say");
	return said;
}

function usageOf(usage: NonNullable<Chunk["usage"]>): Said["usage"] {
	const { prompt_tokens: prompt = 0, completion_tokens: output = 0, prompt_tokens_details: details } = usage;
	const cacheRead = details?.cached_tokens ?? 0;
	return { input: prompt - cacheRead, output, cacheRead, cacheWrite: 0, totalTokens: prompt + output };
}
