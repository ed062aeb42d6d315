import { derivedSessionId } from "../../src/operations/new-id.ts";

/** A call of the API, as the tests that hold for all of them need to know it. */
export interface Route {
	readonly operationId: string;
	readonly method: string;
	/** The address, for a session's address (`/v1/sessions/x`) and one of its entries. */
	readonly path: (session: string, entryId: string, shareId?: string, k?: string) => string;
	/** What must be asked. */
	readonly query?: (entryId: string) => string;
	/** The address names a session that must be there. */
	readonly onSession: boolean;
	readonly status: number;
	/** A body that does. */
	readonly body?: (entryId: string) => unknown;
	/** Of the body, where it isn't `application/json`. */
	readonly type?: string;
	/** Headers that it is asked with. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Unless it is that of all others. */
	readonly cacheControl?: string;
	readonly scope: "sessions:read" | "sessions:write" | "sessions:delete";
}

/** The `Idempotency-Key` of the share that is there to be revoked, and its id for `Session.1` of `tests`. */
export const shareKey = "the-share";
export const share = derivedSessionId(JSON.stringify(["tests", "Session.1", "share"]), shareKey);

/** Where a route answers, with the query that it must have. */
export function addressOf(route: Route, session: string, entryId: string): string {
	const query = route.query?.(entryId);
	return query === undefined ? route.path(session, entryId) : `${route.path(session, entryId)}?${query}`;
}

const on = (tail: string) => (session: string) => `${session}${tail}`;

/** All calls under /v1. */
export const everyRoute: readonly Route[] = [
	{
		operationId: "createSession",
		method: "POST",
		path: () => "/v1/sessions",
		onSession: false,
		status: 201,
		body: () => ({ cwd: "/work" }),
		scope: "sessions:write",
	},
	{
		operationId: "getSession",
		method: "GET",
		path: on(""),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "updateSession",
		method: "PATCH",
		path: on(""),
		onSession: true,
		status: 200,
		body: () => ({ name: "A name" }),
		scope: "sessions:write",
	},
	{
		operationId: "listSessions",
		method: "GET",
		path: () => "/v1/sessions",
		onSession: false,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "listChildren",
		method: "GET",
		path: on("/children"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "appendEntry",
		method: "POST",
		path: on("/entries"),
		onSession: true,
		status: 201,
		body: () => ({ type: "custom", customType: "note", data: { n: 1 } }),
		scope: "sessions:write",
	},
	{
		operationId: "listEntries",
		method: "GET",
		path: on("/entries"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "getEntry",
		method: "GET",
		path: (session, entryId) => `${session}/entries/${entryId}`,
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "getMedia",
		method: "GET",
		path: (session, entryId, _shareId, k = "0") => `${session}/entries/${entryId}/media/${k}`,
		cacheControl: "private, max-age=31536000, immutable",
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "watchSession",
		method: "GET",
		path: on("/events"),
		headers: { Accept: "application/json" },
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "getLeaf",
		method: "GET",
		path: on("/leaf"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "setLeaf",
		method: "PUT",
		path: on("/leaf"),
		onSession: true,
		status: 200,
		body: () => ({ targetId: null }),
		scope: "sessions:write",
	},
	{
		operationId: "getBranch",
		method: "GET",
		path: on("/branch"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "buildContext",
		method: "GET",
		path: on("/context"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "getTree",
		method: "GET",
		path: on("/tree"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "listLabels",
		method: "GET",
		path: on("/labels"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "previewNavigation",
		method: "GET",
		path: on("/navigation"),
		query: (entryId) => `targetId=${entryId}`,
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "navigateTree",
		method: "POST",
		path: on("/navigate"),
		onSession: true,
		status: 200,
		body: (entryId) => ({ targetId: entryId, label: "here" }),
		scope: "sessions:write",
	},
	{
		operationId: "getStats",
		method: "GET",
		path: on("/stats"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "planCompaction",
		method: "GET",
		path: on("/compaction-plan"),
		query: () => "keepRecentTokens=0",
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "compactSession",
		method: "POST",
		path: on("/compact"),
		onSession: true,
		status: 201,
		body: (entryId) => ({ summary: "all of it", firstKeptEntryId: entryId }),
		scope: "sessions:write",
	},
	{
		operationId: "listForkPoints",
		method: "GET",
		path: on("/fork-points"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "forkSession",
		method: "POST",
		path: on("/fork"),
		onSession: true,
		status: 201,
		body: (entryId) => ({ entryId }),
		scope: "sessions:write",
	},
	{
		operationId: "cloneSession",
		method: "POST",
		path: on("/clone"),
		onSession: true,
		status: 201,
		body: () => ({ cwd: "/work" }),
		scope: "sessions:write",
	},
	{
		operationId: "copySession",
		method: "POST",
		path: on("/copies"),
		onSession: true,
		status: 201,
		body: () => ({ cwd: "/work" }),
		scope: "sessions:write",
	},
	{
		operationId: "createBranchedSession",
		method: "POST",
		path: on("/branched-sessions"),
		onSession: true,
		status: 201,
		body: (entryId) => ({ leafId: entryId }),
		scope: "sessions:write",
	},
	{
		operationId: "importSession",
		method: "POST",
		path: () => "/v1/sessions/import",
		onSession: false,
		status: 201,
		body: () =>
			'{"type":"session","version":3,"id":"imported","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n',
		type: "application/x-ndjson",
		scope: "sessions:write",
	},
	{
		operationId: "exportSession",
		method: "GET",
		path: on("/export"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "createShare",
		method: "POST",
		path: on("/shares"),
		onSession: true,
		status: 201,
		body: (entryId) => ({ scope: "read", leafId: entryId }),
		scope: "sessions:write",
	},
	{
		operationId: "listShares",
		method: "GET",
		path: on("/shares"),
		onSession: true,
		status: 200,
		scope: "sessions:read",
	},
	{
		operationId: "revokeShare",
		method: "DELETE",
		path: (session, _entryId, shareId = share) => `${session}/shares/${shareId}`,
		onSession: true,
		status: 204,
		scope: "sessions:write",
	},
	{
		operationId: "eraseNamespace",
		method: "DELETE",
		path: () => "/v1/namespace",
		onSession: false,
		status: 202,
		scope: "sessions:delete",
	},
	{
		operationId: "deleteSession",
		method: "DELETE",
		path: on(""),
		onSession: true,
		status: 204,
		scope: "sessions:delete",
	},
];
