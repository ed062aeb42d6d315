/** One column of a table: its heading, and what stands in it for a row. */
export interface Column<Row> {
	readonly title: string;
	/** Numbers are set to the right, texts to the left. */
	readonly cell: (row: Row) => string | number;
}

/** A Markdown table whose columns are aligned in plain text too. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
	const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
	const texts = cells.map((row) => row.map((cell) => (typeof cell === "number" ? grouped(cell) : cell)));
	const toTheRight = columns.map((_, k) => cells.length > 0 && cells.every((row) => isNumeric(row[k]!)));
	const widths = columns.map(({ title }, k) =>
		Math.max(title.length, 3, ...texts.map((row) => row[k]!.length)),
	);
	const line = (row: readonly string[]) =>
		`| ${row.map((text, k) => (toTheRight[k] ? text.padStart(widths[k]!) : text.padEnd(widths[k]!))).join(" | ")} |`;
	const rule = widths.map((width, k) => (toTheRight[k] ? `${"-".repeat(width - 1)}:` : "-".repeat(width)));
	return [line(columns.map(({ title }) => title)), line(rule), ...texts.map(line)].join("\n");
}

/** Numbers, and what begins with one: amounts with their unit. */
function isNumeric(cell: string | number): boolean {
	return typeof cell === "number" || /^(\$?[\d.,]+( ?([KMGTP]?B|m?s|×|%))?)?$/.test(cell);
}

function grouped(value: number): string {
	return value.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

/** Bytes in the unit that suits them. */
export function bytes(count: number): string {
	if (count < 1000) return `${Math.round(count)} B`;
	const units = ["KB", "MB", "GB", "TB", "PB"];
	let amount = count / 1000;
	let unit = 0;
	for (; amount >= 1000 && unit < units.length - 1; unit++) amount /= 1000;
	return `${amount.toPrecision(amount < 10 ? 2 : 3)} ${units[unit]}`;
}

/** Milliseconds, or seconds where they are many. */
export function milliseconds(ms: number): string {
	if (ms >= 10_000) return `${grouped(Math.round(ms / 1000))} s`;
	return ms < 10 ? `${ms.toFixed(1)} ms` : `${grouped(Math.round(ms))} ms`;
}

/** How many times as much. */
export function times(ratio: number): string {
	if (ratio >= 10) return `${grouped(Math.round(ratio))}×`;
	return `${ratio.toFixed(ratio < 0.095 ? 2 : 1)}×`;
}

export function dollars(amount: number): string {
	if (amount >= 1000) return `$${grouped(Math.round(amount))}`;
	return `$${amount.toFixed(amount < 0.1 ? 3 : 2)}`;
}
