import { leafMovedSchema, leafSchema, setLeafSchema } from "../../../schemas/branch.ts";
import { noQuery, sessionParams } from "../../../schemas/query.ts";
import { readLeaf } from "../../operations/read-leaf.ts";
import { setLeaf } from "../../operations/set-leaf.ts";
import { answered, jsonWithMember } from "../answer.ts";
import { endpoint } from "../endpoint.ts";

export const leafEndpoints = [
	endpoint(
		{
			operationId: "getLeaf",
			method: "get",
			path: "/v1/sessions/{id}/leaf",
			summary: "Where the session's leaf is",
			tag: "Branches",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: noQuery,
			answers: { 200: { description: "The leaf", schema: leafSchema } },
			refusals: ["not_found", "gone"],
			conditional: "anything",
		},
		async (call, { params }) => answered(await readLeaf(call, params.id)),
	),
	endpoint(
		{
			operationId: "setLeaf",
			method: "put",
			path: "/v1/sessions/{id}/leaf",
			summary: "Move the leaf",
			description:
				"Persists a `leaf` entry. Nothing is written where the leaf already is there, unless a key is given.",
			tag: "Branches",
			scope: "sessions:write",
			params: sessionParams,
			query: noQuery,
			body: { kind: "json", schema: setLeafSchema, limit: "appendBytes" },
			answers: { 200: { description: "The leaf is there", schema: leafMovedSchema } },
			refusals: ["not_found", "gone", "conflict", "unprocessable"],
		},
		async (call, { params, body, write }) =>
			answered(await setLeaf(call, { id: params.id, targetId: body.targetId, ...write }), {
				body: ({ entry, ...rest }) => jsonWithMember("entry", entry, rest),
			}),
	),
];
