import { limits } from "../../../schemas/limits.ts";
import { noParams, sessionParams } from "../../../schemas/query.ts";
import { listChildrenQuery, listSessionsQuery, sessionListSchema } from "../../../schemas/session-list.ts";
import { listChildren } from "../../operations/list-children.ts";
import { type ListOutcome, listSessions } from "../../operations/list-sessions.ts";
import type { Refusal } from "../../operations/refusal.ts";
import { json } from "../answer.ts";
import { type Answer, endpoint, type Unchanged } from "../endpoint.ts";

const lag =
	"Existence, names and parents are current; `leafId`, `seq`, counts, `firstMessage` and `modified` may lag some seconds behind appends.";

export const sessionListEndpoints = [
	endpoint(
		{
			operationId: "listSessions",
			method: "get",
			path: "/v1/sessions",
			summary: "The caller's sessions, newest first",
			description: lag,
			tag: "Sessions",
			scope: "sessions:read",
			params: noParams,
			query: listSessionsQuery,
			answers: { 200: { description: "A page of them", schema: sessionListSchema } },
			refusals: [],
			conditional: "own tag",
		},
		async (call, { query, held }) => {
			const { limit = limits.sessionsPageDefault, cursor, order = "modified", ...filter } = query;
			return page(
				await listSessions(call, { filter: { ...filter, order }, limit, cursor, ifNoneMatch: held }),
			);
		},
	),
	endpoint(
		{
			operationId: "listChildren",
			method: "get",
			path: "/v1/sessions/{id}/children",
			summary: "The sessions that were made from this one, newest first",
			description: lag,
			tag: "Sessions",
			scope: "sessions:read",
			params: sessionParams,
			query: listChildrenQuery,
			answers: { 200: { description: "A page of them", schema: sessionListSchema } },
			refusals: ["not_found", "gone"],
			conditional: "own tag",
		},
		async (call, { params, query, held }) => {
			const { limit = limits.sessionsPageDefault, cursor } = query;
			return page(await listChildren(call, { id: params.id, limit, cursor, ifNoneMatch: held }));
		},
	),
];

function page(outcome: ListOutcome): Answer | Unchanged | Refusal {
	if (outcome.kind !== "list") return outcome;
	const { sessions, nextCursor, etag } = outcome;
	return { kind: "answer", body: json({ sessions, ...(nextCursor !== undefined && { nextCursor }) }), etag };
}
