import type { contextSchema } from "../../schemas/context.ts";
import type { Session } from "../../schemas/session.ts";
import type { Entry } from "../tree/grow.ts";
import type { TreeAnswer } from "../tree/tree.ts";

export type { Session };

/** What is sent to say who asks. */
export interface Credentials {
	readonly token: string;
	/** For keys that act for any namespace. */
	readonly namespace: string;
}

/** A link that somebody passed on: it lets its session be read. */
export interface Share {
	readonly session: string;
	readonly token: string;
}

export interface ShareMade {
	readonly id: string;
	readonly token: string;
	readonly expiresAt: string;
}

export interface SessionPage {
	readonly sessions: readonly Session[];
	readonly nextCursor?: string;
}

export interface EntriesAnswer {
	readonly entries: readonly Entry[];
	readonly nextCursor?: number;
	readonly seq: number;
}

export interface EntryAnswer {
	readonly entry: Entry;
	readonly seq: number;
	readonly label?: string;
	readonly children: readonly string[];
}

export interface BranchAnswer {
	readonly entries: readonly Entry[];
	readonly leafId: string | null;
	readonly seq: number;
	readonly nextBefore?: string;
}

export type Context = Omit<(typeof contextSchema)["_output"], "entries" | "projection"> & {
	readonly entries?: readonly Entry[];
	readonly projection?: readonly Projected[];
};

/** The messages that one entry gives to the model. */
export interface Projected {
	readonly sourceEntryId: string;
	readonly messages: readonly { readonly [field: string]: unknown }[];
}

/** The service's refusal: an answer of RFC 9457, or whatever else came. */
export class ApiProblem extends Error {
	readonly status: number;
	readonly code: string;

	constructor(status: number, code: string, detail: string) {
		super(detail);
		this.status = status;
		this.code = code;
	}
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** The calls that the viewer makes, at the address that served it. All throw `ApiProblem` where they are refused. */
export class Api {
	readonly #fetch: typeof fetch;
	readonly #credentials: Credentials;
	readonly #share: Share | undefined;
	readonly #unauthorized: (problem: ApiProblem) => void;

	/** `unauthorized` is told where the service does not know who asks. */
	constructor(
		fetch: typeof globalThis.fetch,
		credentials: Credentials,
		given: { share?: Share | undefined; unauthorized?: (problem: ApiProblem) => void } = {},
	) {
		this.#fetch = fetch;
		this.#credentials = credentials;
		this.#share = given.share;
		this.#unauthorized = given.unauthorized ?? (() => {});
	}

	/** True where somebody else lets this session be read: then nothing of it can be changed. */
	isShared(id: string): boolean {
		return this.#share?.session === id;
	}

	sessions(query: { q?: string; cursor?: string }): Promise<SessionPage> {
		return this.#json("GET", "/v1/sessions", { query: { ...query, limit: 50 } });
	}

	session(id: string): Promise<Session> {
		return this.#json("GET", path`/v1/sessions/${id}`);
	}

	tree(id: string): Promise<TreeAnswer> {
		return this.#json("GET", path`/v1/sessions/${id}/tree`);
	}

	entries(id: string, after: number): Promise<EntriesAnswer> {
		const query = { after, limit: 1000, media: "link" };
		return this.#json("GET", path`/v1/sessions/${id}/entries`, { query });
	}

	entry(id: string, entryId: string): Promise<EntryAnswer> {
		return this.#json("GET", path`/v1/sessions/${id}/entries/${entryId}`, { query: { media: "link" } });
	}

	/** The newest `limit` entries of the path to `from`, root first. */
	branch(id: string, from: string, limit: number): Promise<BranchAnswer> {
		return this.#json("GET", path`/v1/sessions/${id}/branch`, { query: { from, limit, media: "link" } });
	}

	contextEntries(id: string, from: string | undefined): Promise<Context> {
		const query = { from, view: "entries", media: "link" };
		return this.#json("GET", path`/v1/sessions/${id}/context`, { query });
	}

	contextMessages(id: string, from: string | undefined): Promise<Context> {
		return this.#json("GET", path`/v1/sessions/${id}/context`, { query: { from, view: "projection" } });
	}

	setLeaf(id: string, targetId: string): Promise<{ leafId: string | null; seq: number }> {
		return this.#json("PUT", path`/v1/sessions/${id}/leaf`, { body: { targetId } });
	}

	/** An empty label takes it away. */
	label(id: string, targetId: string, label: string): Promise<unknown> {
		return this.#json("POST", path`/v1/sessions/${id}/entries`, { body: { type: "label", targetId, label } });
	}

	fork(id: string, entryId: string, position: "before" | "at"): Promise<{ session: Session }> {
		return this.#json("POST", path`/v1/sessions/${id}/fork`, { body: { entryId, position } });
	}

	import(file: Blob): Promise<{ session: Session; imported: number }> {
		return this.#json("POST", "/v1/sessions/import", { file });
	}

	/** A token that lets the whole session be read, or what belongs to the path to `leafId`. */
	share(id: string, given: { leafId?: string; expiresInSeconds: number }): Promise<ShareMade> {
		return this.#json("POST", path`/v1/sessions/${id}/shares`, { body: { scope: "read", ...given } });
	}

	/** The stream of what is appended after `after`. */
	events(id: string, after: number, signal: AbortSignal): Promise<Response> {
		const query = { after, media: "link" };
		const headers = { Accept: "text/event-stream" };
		return this.#send("GET", path`/v1/sessions/${id}/events`, { query, headers, signal });
	}

	/** The bytes behind a link to a picture. `href` must be an address of the API. */
	async media(href: string): Promise<Blob> {
		if (!href.startsWith("/v1/")) throw new ApiProblem(0, "foreign", "The picture is kept elsewhere");
		const answer = await this.#send("GET", href, {});
		return answer.blob();
	}

	async #json<Answer>(method: string, address: string, given: Given = {}): Promise<Answer> {
		const answer = await this.#send(method, address, given);
		return (await answer.json()) as Answer;
	}

	async #send(method: string, address: string, given: Given): Promise<Response> {
		const { token, namespace } = this.#credentials;
		const share = this.#shareFor(address);
		const query = new URLSearchParams(
			Object.entries(given.query ?? {}).flatMap(([name, value]) =>
				value === undefined || value === "" ? [] : [[name, String(value)]],
			),
		);
		const type = given.file ? "application/x-ndjson" : given.body === undefined ? "" : "application/json";
		const answer = await this.#fetch(query.size === 0 ? address : `${address}?${query}`, {
			method,
			headers: {
				...given.headers,
				...(type && { "Content-Type": type }),
				...(token && { Authorization: `Bearer ${token}` }),
				...(namespace && { "Leaflog-Namespace": namespace }),
				...(share && { "Leaflog-Share": share.token }),
			},
			...(given.file && { body: given.file }),
			...(given.body !== undefined && { body: JSON.stringify(given.body) }),
			...(given.signal && { signal: given.signal }),
		});
		if (answer.ok) return answer;
		const problem = await problemOf(answer);
		if (problem.status === 401 && !share) this.#unauthorized(problem);
		throw problem;
	}

	#shareFor(address: string): Share | undefined {
		if (this.#share === undefined) return undefined;
		const shared = path`/v1/sessions/${this.#share.session}`;
		return address === shared || address.startsWith(`${shared}/`) ? this.#share : undefined;
	}
}

interface Given {
	readonly query?: Query;
	readonly body?: unknown;
	readonly file?: Blob;
	readonly headers?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
}

/** An address with each part that is filled in encoded. */
function path(parts: TemplateStringsArray, ...ids: string[]): string {
	return String.raw({ raw: parts }, ...ids.map(encodeURIComponent));
}

async function problemOf(answer: Response): Promise<ApiProblem> {
	const body: unknown = await answer.json().catch(() => undefined);
	const { code, detail, title } = (body ?? {}) as { [field: string]: unknown };
	const said = [detail, title].find((text) => typeof text === "string");
	return new ApiProblem(
		answer.status,
		typeof code === "string" ? code : "",
		typeof said === "string" ? said : `The service answered ${answer.status}`,
	);
}
