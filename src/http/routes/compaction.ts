import {
	compactedSchema,
	compactionPlanQuery,
	compactionPlanSchema,
	compactSchema,
} from "../../../schemas/compaction.ts";
import { noQuery, sessionParams } from "../../../schemas/query.ts";
import { statsSchema } from "../../../schemas/stats.ts";
import { compactSession } from "../../operations/compact-session.ts";
import { previewCompaction } from "../../operations/plan-compaction.ts";
import { readStats } from "../../operations/read-stats.ts";
import { answered, jsonWithLists, jsonWithMember } from "../answer.ts";
import { endpoint } from "../endpoint.ts";
import { madeAnswers } from "./made-answers.ts";

export const compactionEndpoints = [
	endpoint(
		{
			operationId: "getStats",
			method: "get",
			path: "/v1/sessions/{id}/stats",
			summary: "Messages, tokens and costs of all branches",
			tag: "Compaction",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: noQuery,
			answers: { 200: { description: "The totals", schema: statsSchema } },
			refusals: ["not_found", "gone"],
			conditional: "anything",
		},
		async (call, { params }) => answered(await readStats(call, params.id)),
	),
	endpoint(
		{
			operationId: "planCompaction",
			method: "get",
			path: "/v1/sessions/{id}/compaction-plan",
			summary: "Where a compaction would cut, and what it would sum up",
			description: "422 where there is nothing to compact.",
			tag: "Compaction",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: compactionPlanQuery,
			answers: { 200: { description: "The plan", schema: compactionPlanSchema } },
			refusals: ["not_found", "gone", "unprocessable"],
			conditional: "same view",
		},
		async (call, { params, query }) =>
			answered(await previewCompaction(call, { id: params.id, ...query }), {
				body: ({ entriesToSummarize, turnPrefixEntries, ...rest }) =>
					jsonWithLists({ entriesToSummarize, turnPrefixEntries }, rest),
			}),
	),
	endpoint(
		{
			operationId: "compactSession",
			method: "post",
			path: "/v1/sessions/{id}/compact",
			summary: "Replace the older part of the context by a summary",
			description:
				"Appends a `compaction` entry at the leaf. Without `summary` the summarizer writes one first, of what the plan says or of all before `firstKeptEntryId`. What it summed up must still be just what the compaction hides when it is committed: entries that came after it are kept, other changes have it made anew, up to three times in all, then the answer is 409. Nothing is stored unless a summary is there.",
			tag: "Compaction",
			scope: "sessions:write",
			params: sessionParams,
			query: noQuery,
			body: { kind: "json", schema: compactSchema, limit: "appendBytes", optional: true },
			answers: madeAnswers(compactedSchema),
			refusals: ["not_found", "gone", "conflict", "unprocessable", "summarizer_unavailable"],
		},
		async (call, { params, body, write }) =>
			answered(await compactSession(call, { id: params.id, ...write }, body), {
				status: 201,
				body: ({ entry, seq }) => jsonWithMember("entry", entry, { seq }),
				headers: ({ entryId }) => ({ Location: `/v1/sessions/${params.id}/entries/${entryId}` }),
			}),
	),
];
