import { plain } from "./plain.ts";
import type { OnProgress, SyncResult } from "./sync.ts";
import { type Printer, ProgressBar } from "./terminal.ts";

/** Does a push or a pull, and tells of it: how far it is, what changed, and how many of each. */
export async function syncFolder(
	printer: Printer,
	work: (onProgress: OnProgress) => Promise<SyncResult[]>,
): Promise<{ readonly fine: boolean }> {
	const bar = new ProgressBar(printer.terminal);
	let results: SyncResult[];
	try {
		results = await work((done, total, result) => {
			const line = printer.json ? undefined : lineOf(result);
			if (line !== undefined) {
				bar.clear();
				printer.say(line);
			}
			bar.show(done, total);
		});
	} finally {
		bar.clear();
	}
	const counts: Record<string, number> = {};
	for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
	if (printer.json) printer.value({ results, counts });
	else {
		const parts = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
		printer.say(`${counted(results.length, "session")}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}`);
	}
	return { fine: !counts.conflict && !counts.failed };
}

/** Undefined where there is nothing to tell. */
function lineOf({ outcome, path, entries, detail }: SyncResult): string | undefined {
	if (outcome === "unchanged" && detail === undefined) return undefined;
	const size = outcome === "created" || outcome === "updated" ? ` (${counted(entries, "entry")})` : "";
	return `${outcome} ${plain(path)}${size}${detail === undefined ? "" : `: ${plain(detail)}`}`;
}

function counted(count: number, thing: "session" | "entry"): string {
	const many = thing === "entry" ? "entries" : "sessions";
	return `${count} ${count === 1 ? thing : many}`;
}
