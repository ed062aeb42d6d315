import { z } from "@hono/zod-openapi";
import {
	appendedSchema,
	appendQuery,
	appendSchema,
	entriesQuery,
	entriesSchema,
	entryAnswerSchema,
	entryQuery,
} from "../../../schemas/entries.ts";
import { limits } from "../../../schemas/limits.ts";
import { entryParams, sessionParams } from "../../../schemas/query.ts";
import { appendEntries } from "../../operations/append-entries.ts";
import { listEntries } from "../../operations/list-entries.ts";
import { mediaHrefOf } from "../../operations/media-links.ts";
import { readEntry } from "../../operations/read-entry.ts";
import { answered, jsonWithLines, jsonWithMember } from "../answer.ts";
import { endpoint } from "../endpoint.ts";
import { replayAnswer } from "./made-answers.ts";

export const entryEndpoints = [
	endpoint(
		{
			operationId: "appendEntry",
			method: "post",
			path: "/v1/sessions/{id}/entries",
			summary: "Append an entry, or up to 1000 in one commit",
			description:
				"All of them or none. The leaf moves to the last one. `parentId` left out is the leaf at the place of the commit (in a batch: where the entry before left it); given, it grows a branch there. Unknown fields are kept.",
			tag: "Entries",
			scope: "sessions:write",
			params: sessionParams,
			query: appendQuery,
			body: { kind: "json", schema: z.unknown(), documented: appendSchema, limit: "appendBytes" },
			answers: {
				201: { description: "They are stored", schema: appendedSchema },
				200: replayAnswer(appendedSchema),
			},
			refusals: ["not_found", "gone", "conflict", "unprocessable", "payload_too_large"],
		},
		async (call, { params, query, body, write }) =>
			answered(
				await appendEntries(call, { id: params.id, body, keepLeaf: query.keepLeaf ?? false, ...write }),
				{ status: 201, body: ({ entries, ...rest }) => jsonWithLines("entries", entries, rest) },
			),
	),
	endpoint(
		{
			operationId: "listEntries",
			method: "get",
			path: "/v1/sessions/{id}/entries",
			summary: "The log in the order in which it was written",
			description:
				"Every type, `leaf` included. Ask again with `after` set to the `seq` you know to get what is new.",
			tag: "Entries",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: entriesQuery,
			answers: { 200: { description: "A page of the log", schema: entriesSchema } },
			refusals: ["not_found", "gone"],
			conditional: "anything",
		},
		async (call, { params, query }) =>
			answered(
				await listEntries(call, {
					id: params.id,
					after: query.after ?? 0,
					limit: query.limit ?? limits.entriesPageDefault,
					...(query.type && { types: query.type }),
					...(query.media && { media: mediaHrefOf(call, params.id) }),
				}),
				{ body: ({ entries, ...rest }) => jsonWithLines("entries", entries, rest) },
			),
	),
	endpoint(
		{
			operationId: "getEntry",
			method: "get",
			path: "/v1/sessions/{id}/entries/{entryId}",
			summary: "One entry, its label and its children",
			tag: "Entries",
			scope: "sessions:read",
			shared: "read",
			params: entryParams,
			query: entryQuery,
			answers: { 200: { description: "The entry", schema: entryAnswerSchema } },
			refusals: ["not_found", "gone"],
			conditional: "same view",
		},
		async (call, { params, query }) => {
			const media = query.media && mediaHrefOf(call, params.id);
			return answered(await readEntry(call, params.id, params.entryId, media), {
				body: ({ line, ...rest }) => jsonWithMember("entry", line, rest),
			});
		},
	),
];
