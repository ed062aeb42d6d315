import { priceOfMillion, r2, s3 } from "./prices.ts";
import type { Measurement } from "./requests.ts";
import { bytes, dollars, milliseconds, table, times } from "./table.ts";

/** A table for each operation: the designs one below the other, each as the session grows. */
export function requestTables(measurements: readonly Measurement[]): string {
	const parts: string[] = [];
	for (const [operation, ofOperation] of Map.groupBy(measurements, ({ operation }) => operation)) {
		const rows = [...Map.groupBy(ofOperation, ({ design }) => design).values()].flat();
		parts.push(`### ${operation}\n\n${requestTable(rows)}\n`);
	}
	return parts.join("\n");
}

function requestTable(rows: readonly Measurement[]): string {
	const first = (row: Measurement) => rows.find(({ design }) => design === row.design)!;
	const ours = (row: Measurement) => rows.find(({ entries }) => entries === row.entries)!;
	return table(rows, [
		{ title: "design", cell: ({ design }) => design },
		{ title: "entries", cell: ({ entries }) => entries },
		{ title: "LIST", cell: ({ lists }) => lists },
		{ title: "GET", cell: ({ gets }) => gets },
		{ title: "PUT", cell: ({ puts }) => puts },
		{ title: "trips", cell: ({ roundTrips }) => roundTrips },
		{ title: "read", cell: (row) => bytes(row.bytesRead) },
		{ title: "written", cell: (row) => bytes(row.bytesWritten) },
		{ title: "time", cell: ({ time }) => milliseconds(time) },
		{ title: "at 50 MB/s", cell: (row) => milliseconds(row.timeWithTransfer) },
		{ title: "growth", cell: (row) => times(row.timeWithTransfer / first(row).timeWithTransfer) },
		{ title: "to Leaflog", cell: (row) => times(row.timeWithTransfer / ours(row).timeWithTransfer) },
		{ title: "CPU", cell: ({ cpu }) => milliseconds(cpu) },
	]);
}

/** What a million operations cost, by the counted requests. */
export function priceTable(measurements: readonly Measurement[]): string {
	const priced = measurements.filter(({ operation }) => /append|context|page/.test(operation));
	const rows = [...Map.groupBy(priced, (row) => `${row.operation}/${row.entries}`).values()];
	rows.sort(([one], [other]) => priced.indexOf(one!) - priced.indexOf(other!));
	const sorted = [...Map.groupBy(rows, ([row]) => row!.operation).values()].flat();
	const designs = [...new Set(priced.map(({ design }) => design))];
	return table(sorted, [
		{ title: "a million of", cell: ([row]) => row!.operation },
		{ title: "entries", cell: ([row]) => row!.entries },
		...designs.flatMap((design, k) =>
			[s3, r2].map((prices) => ({
				title: `${prices.name}, ${design}`,
				cell: (row: readonly Measurement[]) => dollars(priceOfMillion(row[k]!, prices)),
			})),
		),
	]);
}
