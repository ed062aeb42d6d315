import { type Operations, operations } from "./api.ts";
import { LeaflogError, Unreachable } from "./errors.ts";
import { newId, type Platform, platform } from "./platform.ts";

export interface ConnectionOptions {
	/** Where the service is: `https://sessions.example.com`. */
	readonly baseUrl: string;
	/**
	 * An API key or a JWT, or what gives one for each request. That is asked a second time, with `refused`, where the
	 * first one was: for a token that isn't kept from before.
	 */
	readonly token?: string | ((refused: boolean) => string | Promise<string>);
	/** The namespace to act for, with a key for all of them. */
	readonly namespace?: string;
	/** The token of a share. */
	readonly share?: string;
	readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
	/** How often a call is tried again after a failure that may pass. */
	readonly retries?: number;
	/** Milliseconds to wait for an answer to begin. */
	readonly timeout?: number;
	readonly platform?: Platform;
}

/** What any call can be told beside its own parameters. */
export interface CallOptions {
	/** Ends the call when it is aborted. */
	readonly signal?: AbortSignal;
	/** Names a write; the same call with the same key has one effect. Made up unless given. */
	readonly idempotencyKey?: string;
	/** A write happens only where the session has this version: an ETag, or the `seq` of any answer. */
	readonly ifMatch?: string | number;
	/**
	 * An earlier answer of the same read: it is given back itself where nothing has changed since, and the service then
	 * sends no more than a 304.
	 */
	readonly known?: object;
}

export interface Reply<Value> {
	readonly value: Value;
	readonly status: number;
	readonly etag: string | undefined;
	/** The write had happened before. */
	readonly replayed: boolean;
}

export type OperationId = keyof Operations;

export interface RequestOf<Id extends OperationId> {
	readonly path?: Operations[Id]["path"];
	readonly query?: Operations[Id]["query"];
	readonly body?: Operations[Id]["body"] | Uint8Array;
	readonly headers?: Readonly<Record<string, string>>;
}

const firstPause = 300;
const longestPause = 10_000;

/** The way to a service: credentials, and another try where it may help. */
export class Connection {
	readonly #options: ConnectionOptions;
	readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;
	readonly #etags = new WeakMap<object, string>();
	readonly platform: Platform;

	constructor(options: ConnectionOptions) {
		this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, "") };
		this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
		this.platform = options.platform ?? platform;
	}

	/**
	 * Makes a call, and gives its answer as JSON tells it.
	 * @throws LeaflogError, Unreachable
	 */
	async call<Id extends OperationId>(
		id: Id,
		request: RequestOf<Id>,
		options: CallOptions = {},
	): Promise<Reply<Operations[Id]["answer"]>> {
		const response = await this.respond(id, request, options);
		const text = response.status === 204 ? "" : await response.text();
		const unchanged = response.status === 304;
		const value: unknown = unchanged ? options.known : text === "" ? undefined : JSON.parse(text);
		const etag = response.headers.get("ETag") ?? undefined;
		if (etag !== undefined && typeof value === "object" && value !== null) this.remember(value, etag);
		return {
			value: value as Operations[Id]["answer"],
			status: response.status,
			etag,
			replayed: response.headers.get("Idempotency-Replayed") === "true",
		};
	}

	/** The ETag that an answer came with: to be kept beside an answer that outlives the app. */
	etagOf(answer: object): string | undefined {
		return this.#etags.get(answer);
	}

	/** Makes an answer that was kept elsewhere one that calls can be told as `known`. */
	remember<Answer extends object>(answer: Answer, etag: string): Answer {
		this.#etags.set(answer, etag);
		return answer;
	}

	/**
	 * The same, with the answer as it comes. A write that is tried again carries the same key.
	 * @throws LeaflogError, Unreachable
	 */
	async respond<Id extends OperationId>(
		id: Id,
		request: RequestOf<Id>,
		options: CallOptions & { readonly retries?: number; readonly timeout?: number } = {},
	): Promise<Response> {
		const { method } = operations[id];
		const written = method === "POST" || method === "PUT" || method === "PATCH";
		const key = written ? (options.idempotencyKey ?? newId()) : undefined;
		const retries = options.retries ?? this.#options.retries ?? 4;
		let doubtful = false;
		let refused = false;
		for (let attempt = 0; ; attempt++) {
			const outcome = await this.#attempt(id, request, options, key, refused);
			if (!(outcome instanceof Error)) return outcome;
			if (outcome instanceof LeaflogError && outcome.status === 401 && !refused && this.#canRenew()) {
				refused = true;
				continue;
			}
			// What an earlier try did, though its answer was lost: a deletion has no key.
			if (doubtful && method === "DELETE" && outcome instanceof LeaflogError && outcome.status === 410) {
				return new Response(null, { status: 204 });
			}
			if (!outcome.retryable || attempt >= retries || options.signal?.aborted) throw outcome;
			doubtful = true;
			const jitter = this.platform.random() * Math.min(longestPause, firstPause * 2 ** attempt);
			const told = outcome instanceof LeaflogError ? outcome.retryAfter : undefined;
			await this.platform.sleep(Math.max(jitter, told ?? 0), options.signal);
			if (options.signal?.aborted) throw outcome;
		}
	}

	/** The absolute address of something an answer links to. */
	address(href: string): string {
		return /^[a-z]+:/i.test(href) ? href : `${this.#options.baseUrl}${href}`;
	}

	#canRenew(): boolean {
		return typeof this.#options.token === "function";
	}

	async #attempt<Id extends OperationId>(
		id: Id,
		request: RequestOf<Id>,
		options: CallOptions & { readonly timeout?: number },
		key: string | undefined,
		refused: boolean,
	): Promise<Response | LeaflogError | Unreachable> {
		const headers = await this.#headers(request, options, key, refused);
		const abort = new AbortController();
		const onAbort = () => abort.abort();
		if (options.signal?.aborted) abort.abort();
		options.signal?.addEventListener("abort", onAbort, { once: true });
		const timer = setTimeout(onAbort, options.timeout ?? this.#options.timeout ?? 60_000);
		try {
			const response = await this.#fetch(this.#url(id, request), {
				method: operations[id].method,
				headers,
				signal: abort.signal,
				...(request.body !== undefined && { body: bodyOf(request.body) }),
			});
			// Only whoever asked for it gets a 304.
			return response.ok || response.status === 304 ? response : await LeaflogError.of(response);
		} catch (error) {
			return new Unreachable(error);
		} finally {
			// The body may go on long after: it ends with the caller's signal, but not with this timer.
			clearTimeout(timer);
		}
	}

	async #headers<Id extends OperationId>(
		request: RequestOf<Id>,
		options: CallOptions,
		key: string | undefined,
		refused: boolean,
	): Promise<Record<string, string>> {
		const { token, namespace, share } = this.#options;
		const bearer = typeof token === "function" ? await token(refused) : token;
		const { ifMatch, known } = options;
		const held = known && this.etagOf(known);
		return {
			...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
			...(namespace !== undefined && { "Leaflog-Namespace": namespace }),
			...(share !== undefined && { "Leaflog-Share": share }),
			...(key !== undefined && { "Idempotency-Key": key }),
			...(ifMatch !== undefined && { "If-Match": typeof ifMatch === "number" ? `"${ifMatch}"` : ifMatch }),
			...(held !== undefined && { "If-None-Match": held }),
			...(request.body !== undefined && {
				"Content-Type": request.body instanceof Uint8Array ? "application/x-ndjson" : "application/json",
			}),
			...request.headers,
		};
	}

	#url<Id extends OperationId>(id: Id, { path = {}, query = {} }: RequestOf<Id>): string {
		const parts = new Map(Object.entries(path));
		const filled = operations[id].path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
			encodeURIComponent(String(parts.get(name) ?? "")),
		);
		const pairs = Object.entries(query).flatMap(([name, value]) =>
			value === undefined || value === null ? [] : [`${name}=${encodeURIComponent(String(value))}`],
		);
		return `${this.#options.baseUrl}${filled}${pairs.length > 0 ? "?" : ""}${pairs.join("&")}`;
	}
}

function bodyOf(body: unknown): BodyInit {
	return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
}
