import {
	clonedSchema,
	cloneSchema,
	copySchema,
	forkedSchema,
	forkPointsSchema,
	forkSchema,
} from "../../../schemas/fork.ts";
import { noQuery, sessionParams } from "../../../schemas/query.ts";
import { sessionSchema } from "../../../schemas/session.ts";
import { cloneSession, copySession, forkSession } from "../../operations/fork-session.ts";
import { listForkPoints } from "../../operations/list-fork-points.ts";
import { answered, jsonWithLines } from "../answer.ts";
import { endpoint } from "../endpoint.ts";
import { locationOf, madeAnswers } from "./made-answers.ts";

export const forkEndpoints = [
	endpoint(
		{
			operationId: "listForkPoints",
			method: "get",
			path: "/v1/sessions/{id}/fork-points",
			summary: "The user messages that a fork can be made before",
			description: "Those of all branches that have text, in log order.",
			tag: "Sessions from others",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: noQuery,
			answers: { 200: { description: "The messages", schema: forkPointsSchema } },
			refusals: ["not_found", "gone"],
			conditional: "anything",
		},
		async (call, { params }) =>
			answered(await listForkPoints(call, params.id), {
				body: ({ points, ...rest }) => jsonWithLines("points", points, rest),
			}),
	),
	endpoint(
		{
			operationId: "forkSession",
			method: "post",
			path: "/v1/sessions/{id}/fork",
			summary: "Make a session of what led to an entry",
			description:
				"`before` needs a user message, and gives its text back; before the first one the new session is empty. `If-Match` is about the source.",
			tag: "Sessions from others",
			scope: "sessions:write",
			shared: "fork",
			params: sessionParams,
			query: noQuery,
			body: { kind: "json", schema: forkSchema, limit: "appendBytes" },
			answers: madeAnswers(forkedSchema),
			refusals: ["not_found", "gone", "conflict", "unprocessable"],
		},
		async (call, { params, body, write }) =>
			answered(
				await forkSession(call, {
					source: params.id,
					...body,
					position: body.position ?? "before",
					...write,
				}),
				{ status: 201, headers: ({ session }) => locationOf(session) },
			),
	),
	endpoint(
		{
			operationId: "cloneSession",
			method: "post",
			path: "/v1/sessions/{id}/clone",
			summary: "Make a session of the path to the leaf",
			description: "`If-Match` is about the source.",
			tag: "Sessions from others",
			scope: "sessions:write",
			shared: "fork",
			params: sessionParams,
			query: noQuery,
			body: { kind: "json", schema: cloneSchema, limit: "appendBytes", optional: true },
			answers: madeAnswers(clonedSchema),
			refusals: ["not_found", "gone", "conflict", "unprocessable"],
		},
		async (call, { params, body, write }) =>
			answered(await cloneSession(call, { source: params.id, ...body, ...write }), {
				status: 201,
				headers: ({ session }) => locationOf(session),
			}),
	),
	endpoint(
		{
			operationId: "copySession",
			method: "post",
			path: "/v1/sessions/{id}/copies",
			summary: "Make a session of the whole tree",
			description:
				"Every entry of every branch with its id, `leaf` entries included, and the leaf where it is. `If-Match` is about the source.",
			tag: "Sessions from others",
			scope: "sessions:write",
			shared: "fork",
			params: sessionParams,
			query: noQuery,
			body: { kind: "json", schema: copySchema, limit: "appendBytes", optional: true },
			answers: madeAnswers(sessionSchema),
			refusals: ["not_found", "gone", "conflict"],
		},
		async (call, { params, body, write }) =>
			answered(await copySession(call, { source: params.id, ...body, ...write }), {
				status: 201,
				headers: locationOf,
			}),
	),
];
