import { labels } from "../session/labels.ts";
import { childIds } from "../session/tree-shape.ts";
import type { Call } from "./call.ts";
import { entryLine } from "./entry-lines.ts";
import { linkedLine, type MediaHref } from "./link-media.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { refuse } from "./refusal.ts";
import { versionOf } from "./version.ts";

export interface EntryAnswer {
	/** The entry's JSON text. */
	readonly line: Uint8Array;
	/** The session's version, as in every answer about it. */
	readonly seq: number;
	readonly label?: string;
	/** Ids, in tree order. */
	readonly children: readonly string[];
}

/** One entry, and what hangs on it. `media` puts links in the place of its base64 data. */
export async function readEntry(
	call: Call,
	id: string,
	entryId: string,
	media?: MediaHref,
): Promise<Outcome<EntryAnswer>> {
	const opened = await openSession(call, id, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const seq = view.seqOf(entryId);
	if (seq === undefined) return refuse("not_found", "No entry of this session has this id");
	const line = await entryLine(view, seq);
	const label = labels(view).get(entryId)?.label;
	return done(
		{
			line: media ? linkedLine(line, media) : line,
			seq: view.length,
			...(label !== undefined && { label }),
			children: childIds(view, entryId),
		},
		versionOf(view),
	);
}
