import { branchQuery, branchSchema, labelsSchema, treeQuery, treeSchema } from "../../../schemas/branch.ts";
import { contextQuery, contextSchema } from "../../../schemas/context.ts";
import { noQuery, sessionParams } from "../../../schemas/query.ts";
import { mediaHrefOf } from "../../operations/media-links.ts";
import { readBranch } from "../../operations/read-branch.ts";
import { readContext } from "../../operations/read-context.ts";
import { listLabels, readTree } from "../../operations/read-tree.ts";
import { answered, json, jsonWithLines } from "../answer.ts";
import { endpoint } from "../endpoint.ts";

export const branchEndpoints = [
	endpoint(
		{
			operationId: "getBranch",
			method: "get",
			path: "/v1/sessions/{id}/branch",
			summary: "The path from the root to the leaf",
			tag: "Branches",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: branchQuery,
			answers: { 200: { description: "The path, or a page of it", schema: branchSchema } },
			refusals: ["not_found", "gone", "unprocessable"],
			conditional: "same view",
		},
		async (call, { params, query }) =>
			answered(
				await readBranch(call, {
					id: params.id,
					...(query.from !== undefined && { from: query.from }),
					...(query.limit !== undefined && { limit: query.limit }),
					...(query.before !== undefined && { before: query.before }),
					siblings: query.include?.includes("siblings") ?? false,
					...(query.media && { media: mediaHrefOf(call, params.id) }),
				}),
				{ body: ({ entries, ...rest }) => jsonWithLines("entries", entries, rest) },
			),
	),
	endpoint(
		{
			operationId: "buildContext",
			method: "get",
			path: "/v1/sessions/{id}/context",
			summary: "What the model is sent at the leaf",
			description: "Compactions, context edits and branch summaries applied.",
			tag: "Branches",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: contextQuery,
			answers: { 200: { description: "The context", schema: contextSchema } },
			refusals: ["not_found", "gone"],
			conditional: "same view",
		},
		async (call, { params, query }) =>
			answered(
				await readContext(call, {
					id: params.id,
					...(query.from !== undefined && { from: query.from }),
					view: query.view ?? "messages",
					format: query.format ?? "agent",
					...(query.media && { media: mediaHrefOf(call, params.id) }),
				}),
				{
					body: ({ shown, ...rest }) => {
						if (shown.view === "entries") return jsonWithLines("entries", shown.entries, rest);
						const { view: _, ...member } = shown;
						return json({ ...member, ...rest });
					},
				},
			),
	),
	endpoint(
		{
			operationId: "getTree",
			method: "get",
			path: "/v1/sessions/{id}/tree",
			summary: "All branches, flat",
			description: "`leaf` entries are left out. A filter leaves the nodes that match, and their ancestors.",
			tag: "Branches",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: treeQuery,
			answers: { 200: { description: "The tree", schema: treeSchema } },
			refusals: ["not_found", "gone"],
			conditional: "anything",
		},
		async (call, { params, query }) =>
			answered(
				await readTree(call, params.id, {
					...(query.types && { types: query.types }),
					...(query.q !== undefined && { q: query.q }),
					...(query.labeled && { labeled: true }),
				}),
			),
	),
	endpoint(
		{
			operationId: "listLabels",
			method: "get",
			path: "/v1/sessions/{id}/labels",
			summary: "The labels that hold now",
			tag: "Branches",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: noQuery,
			answers: { 200: { description: "The labels of all branches", schema: labelsSchema } },
			refusals: ["not_found", "gone"],
			conditional: "anything",
		},
		async (call, { params }) => answered(await listLabels(call, params.id)),
	),
];
