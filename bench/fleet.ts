import { type Prices, r2, s3 } from "./prices.ts";
import type { Measurement } from "./requests.ts";
import { bytes, dollars, table } from "./table.ts";

/** What a fleet is asked to do. */
export interface Load {
	readonly sessions: number;
	/** Appends a second, on average. */
	readonly appends: number;
	/** Of each other operation, how many there are for one append. */
	readonly perAppend: Readonly<Record<"context" | "page" | "tree", number>>;
}

/**
 * A turn of an agent is a user's message, some answers with tool calls, and their results; each call of the model
 * takes a context. Somebody looks at a page now and then, and at the tree seldom.
 */
export const load: Load = {
	sessions: 100e6,
	appends: 10_000,
	perAppend: { context: 0.5, page: 0.1, tree: 0.02 },
};

const secondsOfMonth = 30.44 * 24 * 3600;

/** Writes and reads that S3 serves below one partition of its key space: https://repost.aws/knowledge-center/s3-object-key-naming-pattern */
const partition = { writes: 3500, reads: 5500 };

/** Workers, standard usage: https://developers.cloudflare.com/workers/platform/pricing/ */
const workers = { million: 0.3, millionCpuMs: 0.02 };

/** The fleet where a share of the calls meets an instance that knows the session. */
export interface Fleet {
	/** Share of warm calls. */
	readonly warm: number;
	/** Requests a second. */
	readonly puts: number;
	readonly lists: number;
	readonly gets: number;
	/** Bytes a second. */
	readonly read: number;
	readonly written: number;
	/** Processors that are busy all the time. */
	readonly processors: number;
	/** Calls of the API a second. */
	readonly calls: number;
}

/** Requests of all operations, by the counts of sessions of one length. `meanAppend`: bytes of an append on average. */
export function fleetOf(measured: readonly Measurement[], meanAppend: number, warm: number): Fleet {
	const sum = { puts: 0, lists: 0, gets: 0, read: 0, written: 0, processors: 0, calls: 0 };
	const add = (operation: string, rate: number): void => {
		const found = measured.find((row) => row.operation === operation);
		if (found === undefined) throw new Error(`nothing was measured of ${operation}`);
		sum.puts += found.puts * rate;
		sum.lists += found.lists * rate;
		sum.gets += found.gets * rate;
		sum.read += found.bytesRead * rate;
		sum.written += (found.puts > 0 ? meanAppend : 0) * rate;
		sum.processors += (found.cpu / 1000) * rate;
		sum.calls += rate;
	};
	const { appends, perAppend } = load;
	add("append, warm", appends * warm);
	add("append, cold", appends * (1 - warm));
	add("context of 1 MB, warm", appends * perAppend.context * warm);
	add("context of 1 MB, cold", appends * perAppend.context * (1 - warm));
	// Only their cold form is measured; a warm one is a GET, as a warm context is.
	for (const [operation, share] of [
		["page of 50, cold", perAppend.page],
		["tree, cold", perAppend.tree],
	] as const) {
		add("context of 1 MB, warm", appends * share * warm);
		add(operation, appends * share * (1 - warm));
	}
	return { warm, ...sum };
}

export function rateTable(fleets: readonly Fleet[]): string {
	return table(fleets, [
		{ title: "warm", cell: ({ warm }) => `${warm * 100}%` },
		{ title: "PUT/s", cell: ({ puts }) => Math.round(puts) },
		{ title: "LIST/s", cell: ({ lists }) => Math.round(lists) },
		{ title: "GET/s", cell: ({ gets }) => Math.round(gets) },
		{ title: "S3 partitions", cell: partitions },
		{ title: "read a second", cell: ({ read }) => bytes(read) },
		{ title: "written a second", cell: ({ written }) => bytes(written) },
		{ title: "processors", cell: ({ processors }) => Math.ceil(processors) },
	]);
}

/** Partitions that S3 must have split the bucket into. A LIST counts as a read here; its price is a write's. */
function partitions({ puts, lists, gets }: Fleet): number {
	return Math.ceil(Math.max(puts / partition.writes, (gets + lists) / partition.reads));
}

/** Dollars a month. */
export function costTable(fleets: readonly Fleet[]): string {
	const requests = (fleet: Fleet, prices: Prices) =>
		(((fleet.puts + fleet.lists) * prices.write + fleet.gets * prices.read) / 1e6) * secondsOfMonth;
	const compute = ({ calls, processors }: Fleet) =>
		((calls * workers.million + processors * 1000 * workers.millionCpuMs) / 1e6) * secondsOfMonth;
	const stored = ({ written }: Fleet) => written * secondsOfMonth;
	return table(fleets, [
		{ title: "warm", cell: ({ warm }) => `${warm * 100}%` },
		{ title: "requests, S3", cell: (fleet) => dollars(requests(fleet, s3)) },
		{ title: "requests, R2", cell: (fleet) => dollars(requests(fleet, r2)) },
		{ title: "Workers", cell: (fleet) => dollars(compute(fleet)) },
		{ title: "new data", cell: (fleet) => bytes(stored(fleet)) },
		{
			title: "to keep it a month, S3",
			cell: (fleet) => dollars((stored(fleet) / 1e9) * s3.storage),
		},
		{ title: "R2", cell: (fleet) => dollars((stored(fleet) / 1e9) * r2.storage) },
	]);
}
