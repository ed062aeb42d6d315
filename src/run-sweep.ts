import { type SweepSettings, sweep } from "./operations/sweep.ts";
import type { SweepReport } from "./operations/sweep-report.ts";
import type { InstanceParts } from "./parts.ts";

/** What one run may use up; the next one goes on where it stopped. */
export interface SweepBounds {
	/** Requests to the store, about. */
	readonly requests: number;
	readonly milliseconds: number;
}

/**
 * Sweeps the bucket with the parts of an instance, and writes the report down as a line of JSON.
 * @throws StoreUnavailable
 */
export async function runSweep(
	parts: InstanceParts,
	settings: SweepSettings,
	bounds: SweepBounds = { requests: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY },
): Promise<SweepReport> {
	const { log, catalogue, clock } = parts;
	const { store, counts } = parts.meter();
	const start = clock.monotonic();
	const requests = () => {
		const { get, put, list, delete: remove } = counts();
		return get.requests + put.requests + list.requests + remove.requests;
	};
	const stop = () => requests() >= bounds.requests || clock.monotonic() - start >= bounds.milliseconds;
	const report = await sweep({ log, catalogue, scope: { store } }, settings, { stop });
	console.log(
		JSON.stringify({ time: new Date(clock.now()).toISOString(), sweep: report, requests: requests() }),
	);
	return report;
}
