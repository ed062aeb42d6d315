import type { Precondition, Version } from "../operations/version.ts";

/**
 * The ETag of an answer about a session: `W/"<seq>-<commit>-<view>"`. The commit is left out where a later entry
 * shares it, so that a tag with a commit names one state of the session. The view tells apart what answers show.
 */
export function formatEtag(version: Version, view = ""): string {
	const commit = version.commit === undefined ? "" : `-${version.commit}`;
	return `W/"${version.seq}${commit}${view === "" ? "" : `-${view}`}"`;
}

export interface EntityTag extends Version {
	readonly view: string;
}

/** The tags of an `If-Match` or `If-None-Match` header. Those that are none of ours match nothing and are left out. */
export function parseEtags(header: string): "any" | readonly EntityTag[] {
	if (header.trim() === "*") return "any";
	return [...header.matchAll(/"([^"]*)"/g)].flatMap(([, opaque = ""]) => {
		const parts = /^(\d{1,9})(?:-(\d{1,9})(?=$|[^0-9a-z]))?(?:[^0-9](.*))?$/i.exec(opaque);
		if (parts === null) return [];
		const [, seq, commit, view = ""] = parts;
		return [{ seq: Number(seq), commit: commit === undefined ? undefined : Number(commit), view }];
	});
}

/** The tags of a header as they are, with their quotes and without `W/`; `*` for any. */
export function opaqueTags(header: string | undefined): readonly string[] {
	if (header === undefined) return [];
	return header.trim() === "*" ? ["*"] : (header.match(/"[^"]*"/g) ?? []);
}

/** What `If-Match` demands; the view and `W/` are of no matter. */
export function preconditionOf(header: string | undefined): Precondition | undefined {
	if (header === undefined) return undefined;
	const tags = parseEtags(header);
	return tags === "any" ? "any" : tags.map((tag) => tag.seq);
}

/** True where the client already has this state. A tag that names no commit is never sure enough. */
export function hasState(tags: "any" | readonly EntityTag[], version: Version): boolean {
	if (tags === "any") return true;
	return tags.some(
		(tag) => tag.commit !== undefined && tag.commit === version.commit && tag.seq === version.seq,
	);
}
