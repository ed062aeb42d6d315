import { acceptSchema, eventsQuery, lastEventIdSchema, polledSchema } from "../../../schemas/events.ts";
import { sessionParams } from "../../../schemas/query.ts";
import { mediaHrefOf } from "../../operations/media-links.ts";
import { awaitEntries, type Watch, watchSession } from "../../operations/watch-session.ts";
import { answered, jsonWithLines } from "../answer.ts";
import { endpoint, type ServerEvent } from "../endpoint.ts";
import { Problem } from "../errors.ts";
import { checked } from "../validate.ts";

/** Milliseconds after which a client that was cut off comes back. */
const retry = 1000;

const decoder = new TextDecoder();

export const eventEndpoints = [
	endpoint(
		{
			operationId: "watchSession",
			method: "get",
			path: "/v1/sessions/{id}/events",
			summary: "What is appended, as it happens",
			description:
				"Server-Sent Events: `event: entry`, its data the entry, its id the entry's seq; every type, `leaf` included, in log order. " +
				"A stream starts now, or after the seq that `Last-Event-ID` or `after` names, and goes on there without gap and without repeat, on whatever instance. " +
				"A comment is sent every 15 seconds; `event: deleted` is the last one of a deleted session. " +
				"Streams end after some minutes, so that a client comes back. " +
				"With `Accept: application/json` it answers once: with the entries there are, or the next within `wait` seconds.",
			tag: "Entries",
			scope: "sessions:read",
			shared: "read",
			params: sessionParams,
			query: eventsQuery,
			headers: [acceptSchema.optional(), lastEventIdSchema.optional()],
			answers: {
				200: {
					description: "A stream of events; or a page of the log, in JSON",
					type: "text/event-stream",
					json: polledSchema,
				},
			},
			refusals: ["not_found", "gone"],
		},
		async (call, { params, query, header }) => {
			const cursor = cursorOf(header("Last-Event-ID")) ?? query.after;
			const request = {
				id: params.id,
				...(cursor !== undefined && { after: cursor }),
				...(query.media && { media: mediaHrefOf(call, params.id) }),
			};
			const vary = () => ({ Vary: "Accept" });
			if (wantsJson(header("Accept"))) {
				const wait = (query.wait ?? 0) * 1000;
				return answered(await awaitEntries(call, { ...request, wait }), {
					body: ({ entries, ...rest }) =>
						jsonWithLines("entries", { first: entries.map(({ line }) => line) }, rest),
					headers: vary,
				});
			}
			if (query.wait !== undefined) {
				const message = "Only with `Accept: application/json`";
				throw new Problem("invalid_request", message, { errors: [{ path: "wait", message }] });
			}
			return answered(await watchSession(call, request), {
				body: (watch) => ({
					kind: "events",
					events: eventsOf(watch, params.id, cursor === undefined),
					close: watch.close,
				}),
				headers: vary,
			});
		},
	),
];

function cursorOf(lastEventId: string | undefined): number | undefined {
	if (lastEventId === undefined || lastEventId === "") return undefined;
	return checked(lastEventIdSchema, lastEventId, "header Last-Event-ID");
}

/** JSON has to be asked for: who takes anything gets the stream. */
function wantsJson(accept = ""): boolean {
	return /\bapplication\/json\b/i.test(accept) && !/\btext\/event-stream\b/i.test(accept);
}

async function* eventsOf(watch: Watch, id: string, fresh: boolean): AsyncGenerator<ServerEvent> {
	// Who is cut off before the first entry must come back to the same place: an id without data says it.
	yield { retry, ...(fresh && { id: String(watch.start) }) };
	for await (const step of watch.steps) {
		if (step.kind === "quiet") yield { comment: "still here" };
		else if (step.kind === "deleted") yield { event: "deleted", data: JSON.stringify({ id }) };
		else
			for (const { seq, line } of step.entries)
				yield { event: "entry", data: decoder.decode(line), id: String(seq) };
	}
}
