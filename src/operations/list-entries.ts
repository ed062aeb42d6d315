import { typeOfKind } from "../session/kind.ts";
import type { Call } from "./call.ts";
import { entryLines, type Lines } from "./entry-lines.ts";
import { linkedLines, type MediaHref } from "./link-media.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { versionOf } from "./version.ts";

export interface EntriesRequest {
	readonly id: string;
	/** Only entries with a higher seq. */
	readonly after: number;
	readonly limit: number;
	readonly types?: readonly string[];
	/** Puts links in the place of base64 data. */
	readonly media?: MediaHref;
}

export interface EntriesAnswer {
	readonly entries: Lines;
	/** The seq to go on after, where there is more. */
	readonly nextCursor?: number;
	readonly seq: number;
}

/** A page of the log, in the order in which it was written. */
export async function listEntries(call: Call, request: EntriesRequest): Promise<Outcome<EntriesAnswer>> {
	const opened = await openSession(call, request.id, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const types = request.types && new Set(request.types);
	const seqs: number[] = [];
	let more = false;
	for (let seq = request.after + 1; seq <= view.length && !more; seq++) {
		if (types && !types.has(typeOfKind(view.kind(seq)))) continue;
		if (seqs.length === request.limit) more = true;
		else seqs.push(seq);
	}
	const nextCursor = more ? seqs.at(-1) : undefined;
	return done(
		{
			entries: linkedLines(await entryLines(view, seqs), request.media),
			...(nextCursor !== undefined && { nextCursor }),
			seq: view.length,
		},
		versionOf(view),
	);
}
