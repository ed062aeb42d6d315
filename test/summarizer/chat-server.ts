import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to `/chat/completions`, as the server got it. */
export interface ChatRequest {
	readonly path: string;
	readonly headers: IncomingMessage["headers"];
	readonly body: {
		readonly model: string;
		readonly messages: readonly { readonly role: string; readonly content: string }[];
		readonly [field: string]: unknown;
	};
	/** Settles when the client is gone before it was answered. */
	readonly gone: Promise<void>;
}

/** How the server answers a request. */
export type ChatReply = (response: ServerResponse, request: ChatRequest) => void | Promise<void>;

export interface ChatServer {
	readonly url: string;
	readonly requests: ChatRequest[];
	/** Answers from now on. */
	reply: ChatReply;
	/** Settles when the next request has come in. */
	next(): Promise<ChatRequest>;
	close(): Promise<void>;
}

/** A server of its own on a free port of loopback that speaks the protocol of chat completions. */
export async function startChatServer(reply: ChatReply = says("A summary.")): Promise<ChatServer> {
	let waiting: ((request: ChatRequest) => void)[] = [];
	const server = createServer(async (incoming, response) => {
		const parts: Buffer[] = [];
		for await (const part of incoming) parts.push(part as Buffer);
		const gone = Promise.withResolvers<void>();
		response.on("close", () => {
			if (!response.writableFinished) gone.resolve();
		});
		const request: ChatRequest = {
			path: incoming.url ?? "",
			headers: incoming.headers,
			body: JSON.parse(Buffer.concat(parts).toString("utf8")),
			gone: gone.promise,
		};
		chat.requests.push(request);
		const told = waiting;
		waiting = [];
		for (const tell of told) tell(request);
		await chat.reply(response, request);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const chat: ChatServer = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests: [],
		reply,
		next: () => new Promise((resolve) => waiting.push(resolve)),
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	return chat;
}

export const usage = {
	prompt_tokens: 1200,
	completion_tokens: 80,
	total_tokens: 1280,
	prompt_tokens_details: { cached_tokens: 200 },
};

/** Answers with this text, streamed in pieces as services do. */
export function says(
	text: string,
	more: { readonly usage?: unknown; readonly finish?: string } = {},
): ChatReply {
	const half = Math.ceil(text.length / 2);
	return streams([
		chunk({ role: "assistant", content: "" }),
		chunk({ content: text.slice(0, half) }),
		chunk({ content: text.slice(half) }),
		chunk({}, more.finish ?? "stop"),
		JSON.stringify({ model: "small-1", choices: [], usage: more.usage ?? usage }),
		"[DONE]",
	]);
}

/** One chunk of a streamed answer. */
export function chunk(delta: object, finish: string | null = null): string {
	return JSON.stringify({
		object: "chat.completion.chunk",
		model: "small-1",
		choices: [{ index: 0, delta, finish_reason: finish }],
	});
}

/** Sends these as the data of server-sent events, and ends unless told otherwise. */
export function streams(data: readonly string[], end = true): ChatReply {
	return (response) => {
		response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
		response.write(": keep-alive\n\n");
		for (const one of data) response.write(`data: ${one}\n\n`);
		if (end) response.end();
	};
}

/** Answers at once, with a status and a body. */
export function answers(
	status: number,
	body: string | object,
	headers: Record<string, string> = {},
): ChatReply {
	return (response) => {
		response.writeHead(status, { "Content-Type": "application/json", ...headers });
		response.end(typeof body === "string" ? body : JSON.stringify(body));
	};
}
