import { exportedLine, planExport } from "../session/export.ts";
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
	const version = versionOf(view);
	if (format === "log") {
		const all = Array.from({ length: view.length }, (_, at) => at + 1);
		const entries = await readLines(view, all, (_seq, line) => line);
		return done({ header: await view.genesisBody(), entries }, version);
	}
	const plan = planExport(view);
	const entries = await readLines(view, plan.seqs, (seq, line) => exportedLine(view, seq, line));
	const marker = plan.marker && new TextEncoder().encode(JSON.stringify(plan.marker));
	return done({ header: await view.genesisBody(), entries, ...(marker && { marker }) }, version);
}
