import { branch, branchPage, siblings } from "../session/branch.ts";
import type { Call } from "./call.ts";
import { entryLines, type Lines } from "./entry-lines.ts";
import { linkedLines, type MediaHref } from "./link-media.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { refuse } from "./refusal.ts";
import { versionOf } from "./version.ts";

export interface BranchRequest {
	readonly id: string;
	/** An entry's id; the leaf unless given. */
	readonly from?: string;
	/** The newest so many. */
	readonly limit?: number;
	/** An entry on the path: strictly older ones. */
	readonly before?: string;
	readonly siblings: boolean;
	/** Puts links in the place of base64 data. */
	readonly media?: MediaHref;
}

export interface BranchAnswer {
	/** Root first. */
	readonly entries: Lines;
	readonly leafId: string | null;
	readonly seq: number;
	readonly nextBefore?: string;
	readonly siblings?: Readonly<Record<string, readonly string[]>>;
}

/** The path from the root to the leaf or to `from`, or a page of it. */
export async function readBranch(call: Call, request: BranchRequest): Promise<Outcome<BranchAnswer>> {
	const opened = await openSession(call, request.id, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const path = branch(view, request.from);
	if (path === undefined) return refuse("not_found", "No entry has the id that `from` names");
	if (request.before !== undefined && view.seqOf(request.before) === undefined) {
		return refuse("not_found", "No entry has the id that `before` names");
	}
	const page = branchPage(view, path, request);
	if (page === undefined) return refuse("unprocessable", "The entry that `before` names is not on this path");
	return done(
		{
			entries: linkedLines(await entryLines(view, page.seqs), request.media),
			leafId: view.head,
			seq: view.length,
			...(page.nextBefore !== undefined && { nextBefore: page.nextBefore }),
			...(request.siblings && { siblings: Object.fromEntries(siblings(view, page.seqs)) }),
		},
		versionOf(view),
	);
}
