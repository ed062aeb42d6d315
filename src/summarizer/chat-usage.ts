import type { SummaryUsage } from "./summarizer.ts";

/** US dollars for a million tokens. */
export interface TokenPrices {
	readonly input: number;
	readonly output: number;
	/** Of input that a cache held; as other input unless given. */
	readonly cacheRead?: number;
}

/**
 * A service's `usage` as ours. What it says of the cost (`usage.cost`, as routers do) counts before the prices.
 * Undefined where it says nothing of tokens.
 */
export function usageOf(reported: unknown, prices?: TokenPrices): SummaryUsage | undefined {
	if (!isRecord(reported)) return undefined;
	const prompt = countOf(reported.prompt_tokens);
	const output = countOf(reported.completion_tokens);
	if (prompt === undefined && output === undefined) return undefined;
	const details = isRecord(reported.prompt_tokens_details) ? reported.prompt_tokens_details : {};
	const cacheRead = Math.min(countOf(details.cached_tokens) ?? 0, prompt ?? 0);
	const input = (prompt ?? 0) - cacheRead;
	const cost = {
		input: (input * (prices?.input ?? 0)) / 1e6,
		output: ((output ?? 0) * (prices?.output ?? 0)) / 1e6,
		cacheRead: (cacheRead * (prices?.cacheRead ?? prices?.input ?? 0)) / 1e6,
		cacheWrite: 0,
	};
	return {
		input,
		output: output ?? 0,
		cacheRead,
		cacheWrite: 0,
		totalTokens: countOf(reported.total_tokens) ?? (prompt ?? 0) + (output ?? 0),
		cost: { ...cost, total: countOf(reported.cost) ?? cost.input + cost.output + cost.cacheRead },
	};
}

export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function countOf(value: unknown): number | undefined {
	return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
