import type { Append, Context, Entry, NewEntry, Operations, Session } from "./api.ts";
import type { CallOptions, Connection, OperationId } from "./connection.ts";
import { type WatchEvent, type WatchOptions, watch } from "./watch.ts";

type Query<Id extends OperationId> = Operations[Id]["query"];
type Body<Id extends OperationId> = Operations[Id]["body"];
type Answer<Id extends OperationId> = Operations[Id]["answer"];

type ContextView = NonNullable<Query<"buildContext">["view"]>;
/** The view that was asked for is there. */
type ContextOf<View extends ContextView> = Context & {
	readonly [Name in View]-?: NonNullable<Context[Name]>;
};

/** One session's calls. All of them throw LeaflogError and Unreachable. */
export class SessionClient {
	readonly id: string;
	readonly #connection: Connection;

	constructor(connection: Connection, id: string) {
		this.#connection = connection;
		this.id = id;
	}

	get(options?: CallOptions): Promise<Session> {
		return this.#read("getSession", {}, options);
	}

	/** Its name and metadata; an empty name takes the name away. */
	update(changes: Body<"updateSession">, options?: CallOptions): Promise<Session> {
		return this.#write("updateSession", changes, {}, options);
	}

	/** For ever. */
	async delete(options?: CallOptions): Promise<void> {
		await this.#connection.call("deleteSession", { path: { id: this.id } }, options);
	}

	/** An entry, or up to 1000 in one commit. */
	append(
		entries: NewEntry | readonly NewEntry[],
		options: CallOptions & { readonly keepLeaf?: boolean } = {},
	): Promise<Answer<"appendEntry">> {
		const { keepLeaf, ...rest } = options;
		const body: Append = isList(entries) ? { entries } : entries;
		return this.#write("appendEntry", body, keepLeaf === undefined ? {} : { keepLeaf }, rest);
	}

	/** A page of the log. */
	entries(query: Query<"listEntries"> = {}, options?: CallOptions): Promise<Answer<"listEntries">> {
		return this.#read("listEntries", query, options);
	}

	/** The log from `after` to its end, page by page. */
	async *allEntries(query: Query<"listEntries"> = {}, options?: CallOptions): AsyncGenerator<Entry, void> {
		for (let after = query.after; ; ) {
			const page = await this.entries({ ...query, after }, options);
			yield* page.entries;
			if (page.nextCursor === undefined) return;
			after = page.nextCursor;
		}
	}

	entry(entryId: string, query: Query<"getEntry"> = {}, options?: CallOptions): Promise<Answer<"getEntry">> {
		const path = { id: this.id, entryId };
		return this.#connection.call("getEntry", { path, query }, options).then(({ value }) => value);
	}

	leaf(options?: CallOptions): Promise<Answer<"getLeaf">> {
		return this.#read("getLeaf", {}, options);
	}

	setLeaf(targetId: string | null, options?: CallOptions): Promise<Answer<"setLeaf">> {
		return this.#write("setLeaf", { targetId }, {}, options);
	}

	/** The path from the root to the leaf, or a page of it. */
	branch(
		query: Omit<Query<"getBranch">, "include"> & { readonly siblings?: boolean } = {},
		options?: CallOptions,
	): Promise<Answer<"getBranch">> {
		const { siblings, ...rest } = query;
		return this.#read("getBranch", siblings ? { ...rest, include: ["siblings"] } : rest, options);
	}

	/** The path from the leaf towards the root, as an endless scroll reads it. */
	async *branchBackwards(
		query: Omit<Query<"getBranch">, "include"> = {},
		options?: CallOptions,
	): AsyncGenerator<Entry, void> {
		for (let before = query.before; ; ) {
			const page = await this.branch({ limit: 50, ...query, before }, options);
			yield* [...page.entries].reverse();
			if (page.nextBefore === undefined) return;
			before = page.nextBefore;
		}
	}

	/** What a model is sent, at the leaf or at `from`; `format: "llm"` with its three roles alone. */
	async context<View extends ContextView = "messages">(
		query: Query<"buildContext"> & { readonly view?: View | undefined } = {},
		options?: CallOptions,
	): Promise<ContextOf<View>> {
		return (await this.#read("buildContext", query, options)) as ContextOf<View>;
	}

	tree(query: Query<"getTree"> = {}, options?: CallOptions): Promise<Answer<"getTree">> {
		return this.#read("getTree", query, options);
	}

	labels(options?: CallOptions): Promise<Answer<"listLabels">> {
		return this.#read("listLabels", {}, options);
	}

	stats(options?: CallOptions): Promise<Answer<"getStats">> {
		return this.#read("getStats", {}, options);
	}

	children(query: Query<"listChildren"> = {}, options?: CallOptions): Promise<Answer<"listChildren">> {
		return this.#read("listChildren", query, options);
	}

	previewNavigation(
		query: Query<"previewNavigation">,
		options?: CallOptions,
	): Promise<Answer<"previewNavigation">> {
		return this.#read("previewNavigation", query, options);
	}

	navigate(body: Body<"navigateTree">, options?: CallOptions): Promise<Answer<"navigateTree">> {
		return this.#write("navigateTree", body, {}, options);
	}

	compactionPlan(
		query: Query<"planCompaction"> = {},
		options?: CallOptions,
	): Promise<Answer<"planCompaction">> {
		return this.#read("planCompaction", query, options);
	}

	/** Without a summary the configured summarizer writes one. */
	compact(body: Body<"compactSession"> = {}, options?: CallOptions): Promise<Answer<"compactSession">> {
		return this.#write("compactSession", body, {}, options);
	}

	forkPoints(options?: CallOptions): Promise<Answer<"listForkPoints">> {
		return this.#read("listForkPoints", {}, options);
	}

	fork(body: Body<"forkSession">, options?: CallOptions): Promise<Answer<"forkSession">> {
		return this.#write("forkSession", body, {}, options);
	}

	clone(body: Body<"cloneSession"> = {}, options?: CallOptions): Promise<Answer<"cloneSession">> {
		return this.#write("cloneSession", body, {}, options);
	}

	/** The whole tree. */
	copy(body: Body<"copySession"> = {}, options?: CallOptions): Promise<Session> {
		return this.#write("copySession", body, {}, options);
	}

	/** A session of the path to an entry. */
	branchOff(body: Body<"createBranchedSession">, options?: CallOptions): Promise<Session> {
		return this.#write("createBranchedSession", body, {}, options);
	}

	share(body: Body<"createShare">, options?: CallOptions): Promise<Answer<"createShare">> {
		return this.#write("createShare", body, {}, options);
	}

	shares(options?: CallOptions): Promise<Answer<"listShares">> {
		return this.#read("listShares", {}, options);
	}

	async revokeShare(shareId: string, options?: CallOptions): Promise<void> {
		await this.#connection.call("revokeShare", { path: { id: this.id, shareId } }, options);
	}

	/** A session file. */
	export(query: Query<"exportSession"> = {}, options?: CallOptions): Promise<string> {
		return this.#connection
			.respond("exportSession", { path: { id: this.id }, query }, options)
			.then((response) => response.text());
	}

	/** The k-th base64 block of an entry, from 0. */
	async media(
		entryId: string,
		k: number,
		options?: CallOptions,
	): Promise<{ readonly mimeType: string; readonly bytes: ArrayBuffer }> {
		const path = { id: this.id, entryId, k };
		const response = await this.#connection.respond("getMedia", { path }, options);
		const mimeType = response.headers.get("Content-Type") ?? "application/octet-stream";
		return { mimeType, bytes: await response.arrayBuffer() };
	}

	/** What is appended, as it happens, across lost connections. */
	watch(options?: WatchOptions): AsyncGenerator<WatchEvent, void> {
		return watch(this.#connection, this.id, options);
	}

	async #read<Id extends OperationId>(
		operation: Id,
		query: Query<Id>,
		options: CallOptions | undefined,
	): Promise<Answer<Id>> {
		return (await this.#connection.call(operation, { path: { id: this.id }, query }, options)).value;
	}

	async #write<Id extends OperationId>(
		operation: Id,
		body: Body<Id>,
		query: Query<Id>,
		options: CallOptions | undefined,
	): Promise<Answer<Id>> {
		return (await this.#connection.call(operation, { path: { id: this.id }, body, query }, options)).value;
	}
}

function isList(entries: NewEntry | readonly NewEntry[]): entries is readonly NewEntry[] {
	return Array.isArray(entries);
}
