import { isRecord, numberOf } from "./entry.ts";
import { calculateContextTokens } from "./tokens.ts";

/**
 * The numbers of a usage that totals and the context size need: input, output, cacheRead, cacheWrite, cost, and
 * the context's tokens where they aren't the sum of the first four. Missing ones are null, those at the end left out.
 */
export function packUsage(usage: unknown): readonly (number | null)[] | undefined {
	if (!isRecord(usage)) return undefined;
	const cost = isRecord(usage.cost) ? usage.cost.total : undefined;
	const parts = [usage.input, usage.output, usage.cacheRead, usage.cacheWrite].map(numberOf);
	const sum = parts.some((part) => part === undefined)
		? 0
		: parts.reduce<number>((total, part) => total + (part ?? 0), 0);
	const context = calculateContextTokens(usage);
	const packed = [...parts, numberOf(cost), context === sum ? undefined : context].map(
		(part) => part ?? null,
	);
	while (packed.length > 0 && packed.at(-1) === null) packed.pop();
	return packed;
}

export interface UsageNumbers {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly cost: number;
	/** Tokens of the context it reports; 0 if unknown. */
	readonly contextTokens: number;
}

/** The numbers of a packed usage, or undefined where there was none; what is missing counts 0. */
export function unpackUsage(packed: unknown): UsageNumbers | undefined {
	if (!Array.isArray(packed)) return undefined;
	const numbers = Array.from({ length: 6 }, (_, place) => numberOf(packed[place]));
	const [input, output, cacheRead, cacheWrite, cost, context] = numbers;
	const known = numbers.slice(0, 4).every((part) => part !== undefined);
	const sum = (input ?? 0) + (output ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
	return {
		input: input ?? 0,
		output: output ?? 0,
		cacheRead: cacheRead ?? 0,
		cacheWrite: cacheWrite ?? 0,
		cost: cost ?? 0,
		contextTokens: context ?? (known ? sum : 0),
	};
}
