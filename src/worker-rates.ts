import type { RateKind, RateLimiter } from "./http/rates.ts";

/** https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/ */
interface RateLimitBinding {
	limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** Workers' own counters where `READS` and `WRITES` are bound; each counts per data centre. Another one's elsewhere. */
export function bindingRates(
	bindings: { readonly [name: string]: unknown },
	fallback: RateLimiter,
): RateLimiter {
	const bound: Record<RateKind, unknown> = { reads: bindings.READS, writes: bindings.WRITES };
	return {
		async take(kind, caller) {
			const binding = bound[kind];
			if (!isRateLimit(binding)) return fallback.take(kind, caller);
			const { success } = await binding.limit({ key: caller.key });
			return success ? { kind: "taken" } : { kind: "exceeded", seconds: 60 };
		},
	};
}

function isRateLimit(value: unknown): value is RateLimitBinding {
	return typeof value === "object" && value !== null && "limit" in value && typeof value.limit === "function";
}
