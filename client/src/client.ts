import type { ImageContent, Operations, Session } from "./api.ts";
import { type CallOptions, Connection, type ConnectionOptions } from "./connection.ts";
import { SessionClient } from "./session.ts";

/** The sessions of a namespace. All calls throw LeaflogError and Unreachable. */
export class Leaflog {
	/** For calls with more than their value: ETags, whether a write was replayed. */
	readonly connection: Connection;

	constructor(options: ConnectionOptions) {
		this.connection = new Connection(options);
	}

	/** The calls of one session, which need not exist yet. */
	session(id: string): SessionClient {
		return new SessionClient(this.connection, id);
	}

	async createSession(
		body: Operations["createSession"]["body"] = {},
		options?: CallOptions,
	): Promise<Session> {
		return (await this.connection.call("createSession", { body }, options)).value;
	}

	/** A page of the list, the last used first. */
	async listSessions(
		query: Operations["listSessions"]["query"] = {},
		options?: CallOptions,
	): Promise<Operations["listSessions"]["answer"]> {
		return (await this.connection.call("listSessions", { query }, options)).value;
	}

	/** All sessions that a query finds, page by page. */
	async *sessions(
		query: Operations["listSessions"]["query"] = {},
		options?: CallOptions,
	): AsyncGenerator<Session, void> {
		for (let cursor = query.cursor; ; ) {
			const page = await this.listSessions({ ...query, cursor }, options);
			yield* page.sessions;
			if (page.nextCursor === undefined) return;
			cursor = page.nextCursor;
		}
	}

	/** Makes a session of a pi session file. */
	async importSession(
		file: string | Uint8Array,
		query: Operations["importSession"]["query"] = {},
		options?: CallOptions,
	): Promise<Operations["importSession"]["answer"]> {
		const body = typeof file === "string" ? new TextEncoder().encode(file) : file;
		return (await this.connection.call("importSession", { body, query }, options)).value;
	}

	/** Erases all that the namespace holds; to be repeated until the answer says that it is done. */
	async eraseNamespace(options?: CallOptions): Promise<Operations["eraseNamespace"]["answer"]> {
		return (await this.connection.call("eraseNamespace", {}, options)).value;
	}

	/** What an `<img>` shows of a picture: its link, made absolute, where it was read as one, else its data. */
	picture(block: ImageContent): string {
		const { href, mimeType, data } = block;
		return typeof href === "string" ? this.address(href) : `data:${mimeType};base64,${data}`;
	}

	/** The absolute address of an `href` in an answer, for an `<img>`. */
	address(href: string): string {
		return this.connection.address(href);
	}
}
