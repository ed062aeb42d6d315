import { erasureSchema } from "../../../schemas/namespace.ts";
import { noParams, noQuery } from "../../../schemas/query.ts";
import { eraseNamespace } from "../../operations/erase-namespace.ts";
import { json } from "../answer.ts";
import { endpoint } from "../endpoint.ts";

export const namespaceEndpoints = [
	endpoint(
		{
			operationId: "eraseNamespace",
			method: "delete",
			path: "/v1/namespace",
			summary: "Erase all that the caller's namespace holds",
			description:
				"202 while there is something left, 200 when nothing is. Deletes some sessions at each call: call again while `remaining` is not 0. What was deleted is 410 at once, and its content leaves the bucket after the purge delay. Sessions that are made meanwhile are deleted by the next call. Can be repeated at any time.",
			tag: "Namespace",
			scope: "sessions:delete",
			params: noParams,
			query: noQuery,
			answers: {
				200: { description: "Nothing is left", schema: erasureSchema },
				202: { description: "How far it is", schema: erasureSchema },
			},
			refusals: [],
		},
		async (call) => {
			const outcome = await eraseNamespace(call);
			if (outcome.kind === "refused") return outcome;
			const { kind: _, ...progress } = outcome;
			return { kind: "answer", status: progress.done ? 200 : 202, body: json(progress) };
		},
	),
];
