import { z } from "@hono/zod-openapi";
import { entriesSchema } from "./entries.ts";
import { limits } from "./limits.ts";
import { mediaParameter, wholeNumber } from "./query.ts";

export const eventsQuery = z.strictObject({
	after: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional().openapi({
		description: "A seq: only later entries; 0 for all. Left out: those written from now on.",
	}),
	wait: wholeNumber({ min: 0, max: limits.waitSeconds }).optional().openapi({
		default: 0,
		description: "With `Accept: application/json`: seconds to wait for an entry before the answer is empty.",
	}),
	media: mediaParameter,
});

export const lastEventIdSchema = wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }).openapi({
	param: { name: "Last-Event-ID", in: "header" },
	description: "The id of the last event that was seen; goes before `after`.",
});

export const acceptSchema = z.string().openapi({
	param: { name: "Accept", in: "header" },
	description: "`text/event-stream` unless it says `application/json`: then one answer instead of a stream.",
	example: "text/event-stream",
});

/** What a long poll answers: the same as a page of the log. */
export const polledSchema = entriesSchema;
