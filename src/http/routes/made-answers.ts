import type { z } from "@hono/zod-openapi";
import type { Session } from "../../../schemas/session.ts";
import type { AnswerSpec } from "../endpoint.ts";

/** The answers of a call that makes something once. */
export function madeAnswers(schema: z.ZodType): Readonly<Record<number, AnswerSpec>> {
	return {
		201: { description: "It is made", schema },
		200: replayAnswer(schema),
	};
}

/** Where what was made is. */
export function locationOf(session: Session): Record<string, string> {
	return { Location: `/v1/sessions/${session.id}` };
}

/** The answer to a repeat. */
export function replayAnswer(schema: z.ZodType): AnswerSpec {
	return {
		description: "It was done before; this is what was answered then",
		schema,
		headers: { "Idempotency-Replayed": "`true`" },
	};
}
