import { z } from "@hono/zod-openapi";
import { newEntrySchema } from "../../../schemas/entry.ts";
import { noParams, noQuery, sessionParams } from "../../../schemas/query.ts";
import { createSessionSchema, sessionSchema, updateSessionSchema } from "../../../schemas/session.ts";
import { createSession } from "../../operations/create-session.ts";
import { deleteSession } from "../../operations/delete-session.ts";
import { readSession } from "../../operations/read-session.ts";
import { updateSession } from "../../operations/update-session.ts";
import { answered } from "../answer.ts";
import { endpoint } from "../endpoint.ts";
import { locationOf, madeAnswers } from "./made-answers.ts";

export const sessionEndpoints = [
	endpoint(
		{
			operationId: "createSession",
			method: "post",
			path: "/v1/sessions",
			summary: "Create a session, empty or with entries",
			tag: "Sessions",
			scope: "sessions:write",
			params: noParams,
			query: noQuery,
			body: {
				kind: "json",
				schema: createSessionSchema,
				documented: createSessionSchema
					.extend({ entries: z.array(newEntrySchema).optional() })
					.openapi("CreateSession"),
				limit: "appendBytes",
				optional: true,
			},
			answers: madeAnswers(sessionSchema),
			refusals: ["not_found", "conflict", "gone", "unprocessable"],
		},
		async (call, { body, write }) =>
			answered(await createSession(call, { ...body, ...write }), { status: 201, headers: locationOf }),
	),
	endpoint(
		{
			operationId: "getSession",
			method: "get",
			path: "/v1/sessions/{id}",
			summary: "What a session is, without its entries",
			tag: "Sessions",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: noQuery,
			answers: { 200: { description: "The session", schema: sessionSchema } },
			refusals: ["not_found", "gone"],
			conditional: "anything",
		},
		async (call, { params }) => answered(await readSession(call, params.id)),
	),
	endpoint(
		{
			operationId: "updateSession",
			method: "patch",
			path: "/v1/sessions/{id}",
			summary: "Rename a session, or give it other metadata",
			description:
				"Appends a `session_info` entry, which repeats the name where only metadata is given. Nothing given: nothing is written.",
			tag: "Sessions",
			scope: "sessions:write",
			params: sessionParams,
			query: noQuery,
			body: { kind: "json", schema: updateSessionSchema, limit: "appendBytes" },
			answers: { 200: { description: "The session as it is now", schema: sessionSchema } },
			refusals: ["not_found", "conflict", "gone"],
		},
		async (call, { params, body, write }) =>
			answered(await updateSession(call, { id: params.id, ...body, ...write })),
	),
	endpoint(
		{
			operationId: "deleteSession",
			method: "delete",
			path: "/v1/sessions/{id}",
			summary: "Delete a session for ever",
			description:
				"Afterwards every call on it is 410, and its id is never used again. The content leaves the bucket some time later.",
			tag: "Sessions",
			scope: "sessions:delete",
			params: sessionParams,
			query: noQuery,
			answers: { 204: { description: "It is gone" } },
			refusals: ["not_found", "gone"],
		},
		async (call, { params, write }) => {
			const outcome = await deleteSession(call, {
				id: params.id,
				...(write.ifMatch && { ifMatch: write.ifMatch }),
			});
			return outcome.kind === "refused" ? outcome : { kind: "answer", status: 204, body: { kind: "none" } };
		},
	),
];
