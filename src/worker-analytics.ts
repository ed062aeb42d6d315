import type { LogLine } from "./http/request-log.ts";
import type { StoreCounts } from "./store/metering.ts";

/**
 * Writes a data point a request: blobs method, route, status; doubles ms, GETs, PUTs, LISTs. Nothing of callers or of
 * what they say. https://developers.cloudflare.com/analytics/analytics-engine/
 */
export function analytics(dataset: AnalyticsEngineDataset): (line: LogLine) => void {
	return ({ method, route, status, ms, store }) => {
		const counts = store as StoreCounts | undefined;
		dataset.writeDataPoint({
			indexes: [route],
			blobs: [method, route, String(status)],
			doubles: [ms, counts?.get.requests ?? 0, counts?.put.requests ?? 0, counts?.list.requests ?? 0],
		});
	};
}
