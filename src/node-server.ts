import { createServer, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { ErrorCode } from "../schemas/error.ts";
import { Problem, problemBody } from "./http/errors.ts";
import type { LogLine } from "./http/request-log.ts";

/** What a server bears. Times are in ms. */
export interface ServerBounds {
	/** Until a request's headers have come. */
	readonly headersTimeout: number;
	/** Until all of a request has come. */
	readonly requestTimeout: number;
	/** Until a connection ends in which nothing comes and nothing is taken. */
	readonly idleTimeout: number;
	/** Until an unused connection ends. */
	readonly keepAliveTimeout: number;
	/** Bytes of a request's first line and headers. */
	readonly headerBytes: number;
	/** At once. */
	readonly connections: number;
}

export interface NodeServerParts {
	readonly fetch: (request: Request, env: object) => Response | Promise<Response>;
	/** The host that is meant where a request names none. */
	readonly hostname: string;
	readonly bounds: ServerBounds;
	readonly newId: () => string;
	readonly now: () => number;
	/** Where the line of a request goes that never reaches the app. */
	readonly writeLog: (line: LogLine) => void;
}

/** A server for the app, that gives up on whoever is too slow, too long or no client at all, and says so. */
export function nodeServer(parts: NodeServerParts): Server {
	const { bounds } = parts;
	/** An answer to what no request could be made of. */
	const refusal = (problem: Problem, status: number) => {
		const body = problemBody(problem, parts.newId());
		parts.writeLog({
			time: new Date(parts.now()).toISOString(),
			id: body.requestId ?? "",
			method: "none",
			route: "none",
			status,
			ms: 0,
		});
		return JSON.stringify(body);
	};
	const listener = getRequestListener(parts.fetch, {
		hostname: parts.hostname,
		errorHandler: (error) => {
			const known = error instanceof RequestError;
			const problem = known
				? new Problem("invalid_request", "The request's address or host makes no sense")
				: new Problem("internal", "Something went wrong");
			const status = known ? 400 : 500;
			return new Response(refusal(problem, status), { status, headers: problemHeaders });
		},
	});
	const server = createServer(
		{
			maxHeaderSize: bounds.headerBytes,
			headersTimeout: bounds.headersTimeout,
			requestTimeout: bounds.requestTimeout,
			keepAliveTimeout: bounds.keepAliveTimeout,
			connectionsCheckingInterval: Math.min(5000, bounds.headersTimeout, bounds.requestTimeout) / 2,
		},
		listener,
	);
	// No header is dropped in silence; their bytes are bounded.
	server.maxHeadersCount = 0;
	server.maxConnections = bounds.connections;
	server.timeout = bounds.idleTimeout;

	/** The answer that is under way on each connection. */
	const underWay = new WeakMap<Socket, ServerResponse>();
	server.prependListener("request", ({ socket }, response) => underWay.set(socket, response));
	server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
		const response = underWay.get(socket);
		const begun = response?.headersSent && !response.writableFinished;
		// Half an answer cannot be followed by another one.
		if (!socket.writable || begun || error.code === "ECONNRESET") return socket.destroy();
		const [code, status, phrase, detail] = refusals[error.code ?? ""] ?? malformed;
		const body = refusal(new Problem(code, detail), status);
		const headers = { ...problemHeaders, Connection: "close", "Content-Length": Buffer.byteLength(body) };
		const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
		socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
	});
	return server;
}

const problemHeaders = {
	"Content-Type": "application/problem+json",
	"Cache-Control": "no-store",
	"X-Content-Type-Options": "nosniff",
};

type TransportRefusal = readonly [code: ErrorCode, status: number, phrase: string, detail: string];

const malformed: TransportRefusal = ["invalid_request", 400, "Bad Request", "This is no HTTP request"];

/** By Node's code: https://nodejs.org/api/http.html#event-clienterror */
const refusals: Record<string, TransportRefusal> = {
	HPE_HEADER_OVERFLOW: [
		"headers_too_large",
		431,
		"Request Header Fields Too Large",
		"The request's address and headers are too long",
	],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [
		"payload_too_large",
		413,
		"Payload Too Large",
		"The body's chunks have too long extensions",
	],
	ERR_HTTP_REQUEST_TIMEOUT: [
		"request_timeout",
		408,
		"Request Timeout",
		"The request did not come to its end in time",
	],
};
