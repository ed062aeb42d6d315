/**
 * The summarizer port: a model that makes a short text of a long one.
 *
 * Every backend owes these guarantees:
 * - It never throws for what the model's service did or didn't do: the outcome is a value.
 * - A summary is the whole answer. One that was cut off, that asks for a tool, or that says nothing is none.
 * - Neither the key nor any text appears in an outcome other than the summary itself.
 */
export interface Summarizer {
	summarize(request: SummaryRequest): Promise<SummaryOutcome>;
}

export interface SummaryRequest {
	/** What the model is to be, for every request alike. */
	readonly system: string;
	/** What to summarize, and how. */
	readonly prompt: string;
	/** Aborted where nobody waits for the answer any more. */
	readonly signal?: AbortSignal;
}

export type SummaryOutcome =
	| {
			readonly kind: "summary";
			readonly text: string;
			/** The model that answered, as it calls itself, else as it was asked for. */
			readonly model: string;
			/** Left out where the service told none. */
			readonly usage?: SummaryUsage;
	  }
	| { readonly kind: "unavailable"; readonly reason: UnavailableReason; readonly status?: number };

export type UnavailableReason =
	/** The request's signal said so. */
	| "aborted"
	| "timeout"
	/** No connection, or it broke off before the answer was whole. */
	| "unreachable"
	/** The service answered, but not with success; `status` tells which. */
	| "rejected"
	/** Not an answer of this protocol. */
	| "malformed"
	/** The answer ran into a limit of its length. */
	| "truncated"
	| "tool_call"
	/** The model, or a filter before it, would not. */
	| "refused"
	| "empty";

/** Tokens, and what they cost in US dollars; costs are 0 where nobody knows them. */
export interface SummaryUsage {
	/** Tokens read anew; those of a cache are in the next but one. */
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly totalTokens: number;
	readonly cost: {
		readonly input: number;
		readonly output: number;
		readonly cacheRead: number;
		readonly cacheWrite: number;
		readonly total: number;
	};
}
