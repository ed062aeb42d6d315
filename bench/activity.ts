import { load } from "./fleet.ts";
import type { IndexSize } from "./index-size.ts";
import { priceOfMillion, s3 } from "./prices.ts";
import { bytes, dollars, table } from "./table.ts";

/** Seconds between two appends of a session that somebody works on. */
const secondsBetween = 20;

/** Sessions that are worked on at the same time. */
export const activeSessions = load.appends * secondsBetween;

/** Bytes of bodies that an instance keeps of a session whose context it serves. */
const contextBytes = 1e6;

/** What keeping all active sessions warm takes, an instance's cache being so large. */
export function memoryTable(sizes: readonly IndexSize[], cacheBytes: number): string {
	return table(
		sizes.flatMap((size) =>
			[0, contextBytes].map((bodies) => ({
				entries: size.entries,
				bodies,
				each: size.heap + size.buffers + bodies,
			})),
		),
		[
			{ title: "entries", cell: ({ entries }) => entries },
			{ title: "index", cell: ({ each, bodies }) => bytes(each - bodies) },
			{ title: "and bodies", cell: ({ bodies }) => bytes(bodies) },
			{ title: "sessions in an instance's cache", cell: ({ each }) => Math.floor(cacheBytes / each) },
			{ title: "memory for all active", cell: ({ each }) => bytes(each * activeSessions) },
			{ title: "instances", cell: ({ each }) => Math.ceil((each * activeSessions) / cacheBytes) },
		],
	);
}

/**
 * PUTs of the catalogue for what appends change in lists, at some values of `ACTIVITY_LAG_SECONDS`. A window begins
 * with the first append after the one before is over. `apart`: each append meets another instance, with its own window.
 */
export function activityTable(lags: readonly number[]): string {
	const together = (lag: number) => activeSessions / (lag + secondsBetween / 2);
	const month = (puts: number) => priceOfMillion({ puts, lists: 0, gets: 0 }, s3) * 1e-6 * 30.44 * 86_400;
	return table(lags, [
		{ title: "lag, s", cell: (lag) => lag },
		{ title: "PUT/s", cell: (lag) => Math.round(Math.min(load.appends, together(lag))) },
		{ title: "a month, S3", cell: (lag) => dollars(month(Math.min(load.appends, together(lag)))) },
		{ title: "PUT/s, each append elsewhere", cell: () => load.appends },
		{ title: "a month", cell: () => dollars(month(load.appends)) },
	]);
}
