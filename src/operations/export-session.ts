import { type ExportPlan, exportedLine, planExport } from "../session/export.ts";
import type { Call } from "./call.ts";
import { type Lines, readLines } from "./entry-lines.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { versionOf } from "./version.ts";

export interface ExportedFile {
	/** The first line. */
	readonly header: Uint8Array;
	readonly entries: Lines;
	/** The line that the file ends with, where it needs one to be opened at the leaf. */
	readonly marker?: Uint8Array;
}

/** A session as a file: `pi` for pi to open at the same leaf, `log` the log as it is stored. */
export async function exportSession(
	call: Call,
	id: string,
	format: "pi" | "log",
): Promise<Outcome<ExportedFile>> {
	const opened = await openSession(call, id, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const plan: ExportPlan = format === "pi" ? planExport(view) : { seqs: allSeqs(view.length) };
	const shape = (seq: number, line: Uint8Array) => (format === "pi" ? exportedLine(view, seq, line) : line);
	const [header, entries] = await Promise.all([view.genesisBody(), readLines(view, plan.seqs, shape)]);
	const marker = plan.marker && new TextEncoder().encode(JSON.stringify(plan.marker));
	return done({ header, entries, ...(marker && { marker }) }, versionOf(view));
}

function allSeqs(length: number): number[] {
	return Array.from({ length }, (_, at) => at + 1);
}
