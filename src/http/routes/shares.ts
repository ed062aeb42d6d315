import { noQuery, sessionParams } from "../../../schemas/query.ts";
import { createShareSchema, shareMadeSchema, shareParams, sharesSchema } from "../../../schemas/share.ts";
import { createShare, listShares, revokeShare } from "../../operations/manage-shares.ts";
import { answered, json } from "../answer.ts";
import { endpoint } from "../endpoint.ts";
import { madeAnswers } from "./made-answers.ts";

export const shareEndpoints = [
	endpoint(
		{
			operationId: "createShare",
			method: "post",
			path: "/v1/sessions/{id}/shares",
			summary: "Let others read a session, or one path of it",
			description:
				"Whoever sends the token as `Leaflog-Share` may read, and with the scope `fork` take a copy into a namespace of their own. Shares end with their time, with `revokeShare`, and with the session; links to pictures that a reader was given before go on for up to 65 minutes.",
			tag: "Shares",
			scope: "sessions:write",
			params: sessionParams,
			query: noQuery,
			body: { kind: "json", schema: createShareSchema, limit: "appendBytes" },
			answers: madeAnswers(shareMadeSchema),
			refusals: ["not_found", "gone", "conflict", "unprocessable"],
		},
		async (call, { params, body, write }) =>
			answered(await createShare(call, { session: params.id, ...body, ...write }), {
				status: 201,
				headers: ({ id }) => ({ Location: `/v1/sessions/${params.id}/shares/${id}` }),
			}),
	),
	endpoint(
		{
			operationId: "listShares",
			method: "get",
			path: "/v1/sessions/{id}/shares",
			summary: "The shares of a session that are not over, without their tokens",
			tag: "Shares",
			scope: "sessions:read",
			params: sessionParams,
			query: noQuery,
			answers: { 200: { description: "The shares", schema: sharesSchema } },
			refusals: ["not_found", "gone"],
			conditional: "own tag",
		},
		async (call, { params, held }) => {
			const outcome = await listShares(call, params.id);
			if (outcome.kind === "refused") return outcome;
			const { shares, tag } = outcome;
			const etag = `W/"list-${tag}"`;
			if (held.includes("*") || held.includes(`"list-${tag}"`)) return { kind: "unchanged", etag };
			return { kind: "answer", body: json({ shares }), etag };
		},
	),
	endpoint(
		{
			operationId: "revokeShare",
			method: "delete",
			path: "/v1/sessions/{id}/shares/{shareId}",
			summary: "End a share at once",
			tag: "Shares",
			scope: "sessions:write",
			params: shareParams,
			query: noQuery,
			answers: { 204: { description: "Its token leads nowhere from now on" } },
			refusals: ["not_found", "gone"],
		},
		async (call, { params, write }) => {
			const outcome = await revokeShare(call, {
				session: params.id,
				shareId: params.shareId,
				...(write.ifMatch && { ifMatch: write.ifMatch }),
			});
			return outcome.kind === "refused" ? outcome : { kind: "answer", status: 204, body: { kind: "none" } };
		},
	),
];
