import { createHash } from "node:crypto";
import type { Session } from "../../schemas/session.ts";
import type { Call } from "./call.ts";
import type { Shard } from "./catalogue-shard.ts";
import { decodeCursor, encodeCursor, type ListFilter } from "./list-cursor.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { sessionPage } from "./session-page.ts";

export interface ListRequest {
	readonly filter: ListFilter;
	readonly limit: number;
	/** `nextCursor` of the page before. */
	readonly cursor?: string;
	/** Entity tags that the caller holds pages of, without `W/`, quotes included; `*` for any. */
	readonly ifNoneMatch?: readonly string[];
}

export interface SessionList {
	readonly kind: "list";
	readonly sessions: readonly Session[];
	readonly nextCursor?: string;
	/** Weak entity tag: the same as long as no session of the namespace changes what lists show of it. */
	readonly etag: string;
}

export type ListOutcome = Refusal | SessionList | { readonly kind: "unchanged"; readonly etag: string };

/**
 * A page of the caller's sessions, newest first. The first page is confirmed by requests sent after the call; its
 * cursor names the versions of the catalogue it was taken from, and the pages after it keep that order: a session that
 * moves meanwhile is neither missed nor met twice, a deleted one is left out, a new one is on the first page of the
 * next list. What is shown of a session is the newest that is known. Versions are removed some time after they were
 * replaced, and a cursor ends with them: 400. Sorted by creation the order can't change, and cursors don't end.
 * Warm: 1 GET a shard. Cold: 1 LIST + 1 GET a shard, 304: 1 LIST; 1 GET a shard more where it changed since the first page.
 */
export async function listSessions(call: Call, request: ListRequest): Promise<ListOutcome> {
	const { filter, limit, cursor } = request;
	const { catalogue, scope, namespace } = call;
	const place = cursor === undefined ? undefined : decodeCursor(cursor, namespace, filter);
	if (cursor !== undefined && place === undefined) {
		return badCursor("The cursor is not one of this list");
	}
	const pinned = filter.order === "modified" ? place?.versions : undefined;
	if (pinned !== undefined && pinned.length !== catalogue.settings.shards) return endedCursor;

	const versions = await catalogue.versions(scope, namespace);
	const etag = etagOf([versions, namespace, filter, limit, cursor]);
	if (request.ifNoneMatch?.some((tag) => tag === "*" || etag === `W/${tag}`))
		return { kind: "unchanged", etag };
	// A shard that is still what it was is read once: −1 costs nothing.
	const isSame = versions.map((version, shard) => pinned === undefined || pinned[shard] === version);
	const [found, earlier] = await Promise.all([
		catalogue.at(scope, namespace, versions),
		catalogue.at(
			scope,
			namespace,
			versions.map((_, shard) => (isSame[shard] ? -1 : pinned![shard]!)),
		),
	]);
	if (earlier === undefined) return endedCursor;
	const current = valuesOf(found ?? (await catalogue.read(scope, namespace)));
	const ordered = current.map((shard, at) => (isSame[at] ? shard : earlier[at]!.value));
	const { sessions, next } = sessionPage(ordered, current, { filter, limit, ...(place && { after: place }) });
	if (next === undefined) return { kind: "list", sessions, etag };
	const position = { ...next, versions: filter.order === "modified" ? (pinned ?? versions) : [] };
	return { kind: "list", sessions, nextCursor: encodeCursor(position, namespace, filter), etag };
}

const endedCursor = badCursor("The cursor has ended; begin again without one");

function badCursor(message: string): Refusal {
	return refuse("invalid_request", message, [{ path: "cursor", message }]);
}

function valuesOf(snapshots: readonly { readonly value: Shard }[]): readonly Shard[] {
	return snapshots.map(({ value }) => value);
}

function etagOf(what: unknown): string {
	const hash = createHash("sha256").update(JSON.stringify(what)).digest("base64url").slice(0, 16);
	return `W/"list-${hash}"`;
}
