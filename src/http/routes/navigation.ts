import {
	navigatedSchema,
	navigateSchema,
	navigationQuery,
	navigationSchema,
} from "../../../schemas/navigation.ts";
import { noQuery, sessionParams } from "../../../schemas/query.ts";
import { navigateTree } from "../../operations/navigate-tree.ts";
import { previewNavigation } from "../../operations/preview-navigation.ts";
import { answered, jsonWithLines, jsonWithMember } from "../answer.ts";
import { endpoint } from "../endpoint.ts";

export const navigationEndpoints = [
	endpoint(
		{
			operationId: "previewNavigation",
			method: "get",
			path: "/v1/sessions/{id}/navigation",
			summary: "What going to an entry would do",
			description:
				"Where the leaf would be, what would go back into the editor, and what would be left behind.",
			tag: "Moving about",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: navigationQuery,
			answers: { 200: { description: "The navigation", schema: navigationSchema } },
			refusals: ["not_found", "gone", "unprocessable"],
			conditional: "same view",
		},
		async (call, { params, query }) =>
			answered(
				await previewNavigation(call, {
					id: params.id,
					targetId: query.targetId,
					...(query.tokenBudget !== undefined && { tokenBudget: query.tokenBudget }),
				}),
				{
					body: ({ entriesToSummarize, ...rest }) =>
						jsonWithLines("entriesToSummarize", entriesToSummarize, rest),
				},
			),
	),
	endpoint(
		{
			operationId: "navigateTree",
			method: "post",
			path: "/v1/sessions/{id}/navigate",
			summary: "Go to an entry",
			description:
				"In one commit: the leaf goes to the target, or before it where a user wrote it, with a summary of what is left behind and a label where they are asked for. Decided against the leaf it commits on. Nothing happens where the target is the leaf; with an `Idempotency-Key` a `leaf` entry is written even then. With `summarize` the summary is made first. Where the branch that is left has changed meanwhile it is made anew, up to three times in all, then the answer is 409; nothing is stored unless a summary is there.",
			tag: "Moving about",
			scope: "sessions:write",
			params: sessionParams,
			query: noQuery,
			body: { kind: "json", schema: navigateSchema, limit: "appendBytes" },
			answers: { 200: { description: "The leaf is there", schema: navigatedSchema } },
			refusals: ["not_found", "gone", "conflict", "unprocessable", "summarizer_unavailable"],
		},
		async (call, { params, body, write }) =>
			answered(await navigateTree(call, { id: params.id, ...write }, body), {
				body: ({ summaryEntry, ...rest }) => jsonWithMember("summaryEntry", summaryEntry, rest),
			}),
	),
];
