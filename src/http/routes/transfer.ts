import { noParams, noQuery, sessionParams } from "../../../schemas/query.ts";
import { branchSessionSchema, sessionSchema } from "../../../schemas/session.ts";
import {
	exportQuery,
	importBody,
	importBodyDescription,
	importedSchema,
	importQuery,
} from "../../../schemas/transfer.ts";
import { createBranchedSession } from "../../operations/create-branched-session.ts";
import { exportSession } from "../../operations/export-session.ts";
import { importSession } from "../../operations/import-session.ts";
import { answered, ndjson } from "../answer.ts";
import { endpoint } from "../endpoint.ts";
import { locationOf, madeAnswers } from "./made-answers.ts";

export const transferEndpoints = [
	endpoint(
		{
			operationId: "createBranchedSession",
			method: "post",
			path: "/v1/sessions/{id}/branched-sessions",
			summary: "Make a session of the path to an entry",
			description:
				"Entry ids stay the same. Labels are taken out of the path, and those of kept entries put at its end. The new session appears whole or not at all, and shares nothing with its source.",
			tag: "Sessions from others",
			scope: "sessions:write",
			shared: "fork",
			params: sessionParams,
			query: noQuery,
			body: { kind: "json", schema: branchSessionSchema, limit: "appendBytes" },
			answers: madeAnswers(sessionSchema),
			refusals: ["not_found", "gone", "conflict", "unprocessable"],
		},
		async (call, { params, body, write }) =>
			answered(await createBranchedSession(call, { source: params.id, ...body, ...write }), {
				status: 201,
				headers: locationOf,
			}),
	),
	endpoint(
		{
			operationId: "importSession",
			method: "post",
			path: "/v1/sessions/import",
			summary: "Make a session of a pi session file",
			description:
				"Strict unless `repair=true`: whatever is wrong with a line is told with its number, and nothing is stored. Lines that need no migration are stored byte for byte.",
			tag: "Sessions from others",
			scope: "sessions:write",
			params: noParams,
			query: importQuery,
			body: { kind: "ndjson", schema: importBody, limit: "importBytes", description: importBodyDescription },
			answers: madeAnswers(importedSchema),
			refusals: ["conflict", "gone", "unprocessable"],
		},
		async (call, { query, body, write }) =>
			answered(
				await importSession(call, {
					file: body,
					...(query.id !== undefined && { id: query.id }),
					repair: query.repair ?? false,
					...write,
				}),
				{ status: 201, headers: ({ session }) => locationOf(session) },
			),
	),
	endpoint(
		{
			operationId: "exportSession",
			method: "get",
			path: "/v1/sessions/{id}/export",
			summary: "The session as a file",
			tag: "Sessions from others",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: exportQuery,
			answers: { 200: { description: "A session file", type: "application/x-ndjson" } },
			refusals: ["not_found", "gone"],
			conditional: "anything",
		},
		async (call, { params, query }) =>
			answered(await exportSession(call, params.id, query.format ?? "pi"), {
				body: ({ header, entries, marker }) => ndjson([header], entries, marker ? [marker] : []),
				headers: () => ({ "Content-Disposition": `attachment; filename="${params.id}.jsonl"` }),
			}),
	),
];
