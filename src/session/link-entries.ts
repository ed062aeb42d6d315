import { isEntryId } from "../../schemas/entry.ts";
import { cutCycles } from "./cut-cycles.ts";
import type { Entry, JsonRecord, LeafEntry } from "./entry.ts";
import { equalJson } from "./equal-json.ts";
import type { Findings } from "./findings.ts";
import { entryOf, recordOf, type SessionRecord } from "./record.ts";

/** An entry of a file before its links are looked at. */
export interface Draft {
	readonly line: number;
	/** Its id is not to be relied on. */
	readonly record: SessionRecord;
	/** As the file has them; undefined where they are missing, or of another type. */
	readonly id: string | undefined;
	readonly parentId: string | null | undefined;
	readonly targetId: string | null | undefined;
	/** It is the mark that an export ends with. */
	readonly isMarker: boolean;
}

/** What is known of an entry while the links of a file are put right. */
interface Link {
	readonly draft: Draft;
	id: string;
	parentId: string | null;
	/** What to change in its line. */
	changes: { id?: string; parentId?: string | null; targetId?: string | null; firstKeptEntryId?: string };
}

/**
 * Gives the entries of a file their final ids and parents, and follows the leaf. What doesn't hold together is
 * reported: ids that are missing or come twice, parents that are missing or go round in a circle, leafs at nothing.
 */
export function linkEntries(
	drafts: readonly Draft[],
	newId: () => string,
	findings: Findings,
): { records: SessionRecord[]; head: string | null } {
	const taken = new Set(drafts.map((draft) => draft.id));
	const freshId = () => {
		let id = newId();
		while (taken.has(id)) id = newId();
		taken.add(id);
		return id;
	};
	const renamed = new Map<string, string>();
	const links = identify(drafts, freshId, renamed, findings);
	const places = new Map(links.map((link, place) => [link.id, place]));
	for (const link of links) findParent(link, places, renamed, findings);
	const cut = cutCycles(links.map(({ parentId }) => (parentId === null ? -1 : (places.get(parentId) ?? -1))));
	for (const place of cut) {
		const link = links[place];
		if (link === undefined) continue;
		findings.add(link.draft.line, `entry ${link.id} is its own ancestor`, "made a root");
		link.parentId = link.changes.parentId = null;
	}
	return new Leaf(links, places, renamed, findings).records();
}

/** Fixes each entry's id; leaves out what merely repeats an earlier line. */
function identify(
	drafts: readonly Draft[],
	freshId: () => string,
	renamed: Map<string, string>,
	findings: Findings,
): Link[] {
	const links: Link[] = [];
	const byId = new Map<string, Draft>();
	for (const draft of drafts) {
		const link: Link = { draft, id: draft.id ?? "", parentId: null, changes: {} };
		const earlier = byId.get(link.id);
		if (!isEntryId(draft.id)) {
			link.id = link.changes.id = freshId();
			const problem = draft.id === undefined ? "an entry without id" : "an id that is not allowed";
			// A leaf entry is nobody's parent, and older writers gave it no id.
			const expected = draft.id === undefined && draft.record.kind === "leaf";
			if (!expected) findings.add(draft.line, problem, `given the id ${link.id}`);
			if (draft.id !== undefined && !renamed.has(draft.id)) renamed.set(draft.id, link.id);
		} else if (earlier !== undefined) {
			const problem = `entry ${draft.id} is already on line ${earlier.line}`;
			if (equalJson(entryOf(earlier.record.bytes), entryOf(draft.record.bytes))) {
				findings.add(draft.line, problem, "dropped, since it is the same");
				continue;
			}
			link.id = link.changes.id = freshId();
			findings.add(draft.line, problem, `given the id ${link.id}`);
		} else byId.set(link.id, draft);
		links.push(link);
	}
	return links;
}

function findParent(
	link: Link,
	places: ReadonlyMap<string, number>,
	renamed: ReadonlyMap<string, string>,
	findings: Findings,
): void {
	const { draft } = link;
	if (draft.parentId === undefined) {
		if (draft.record.kind === "leaf") return;
		findings.add(draft.line, `entry ${link.id} has no parentId`, "made a root");
		link.changes.parentId = null;
	} else if (draft.parentId !== null && draft.parentId !== "") {
		const parentId = renamed.get(draft.parentId) ?? draft.parentId;
		if (parentId !== draft.parentId) link.changes.parentId = parentId;
		if (places.has(parentId)) link.parentId = parentId;
		else {
			findings.add(draft.line, `there is no parent ${parentId}`, "made a root");
			link.changes.parentId = null;
		}
	}
}

/** Follows the leaf through a file, and makes the records. */
class Leaf {
	readonly #links: readonly Link[];
	readonly #places: ReadonlyMap<string, number>;
	readonly #renamed: ReadonlyMap<string, string>;
	readonly #findings: Findings;
	#head: string | null = null;

	constructor(
		links: readonly Link[],
		places: ReadonlyMap<string, number>,
		renamed: ReadonlyMap<string, string>,
		findings: Findings,
	) {
		this.#links = links;
		this.#places = places;
		this.#renamed = renamed;
		this.#findings = findings;
	}

	records(): { records: SessionRecord[]; head: string | null } {
		const records = this.#links.map((link, place) => {
			if (link.draft.isMarker && place === this.#links.length - 1) return this.#fromMarker(link);
			if (link.draft.record.kind === "leaf") return this.#fromLeafEntry(link);
			this.#head = link.id;
			return this.#record(link);
		});
		return { records, head: this.#head };
	}

	#fromLeafEntry(link: Link): SessionRecord {
		const { draft } = link;
		if (draft.parentId === undefined) link.changes.parentId = this.#head;
		const target = typeof draft.targetId === "string" ? this.#now(draft.targetId) : draft.targetId;
		if (target === undefined || (target !== null && !this.#places.has(target))) {
			this.#findings.add(draft.line, "the leaf is put at no entry", "left where it was");
			link.changes.targetId = this.#head;
		} else {
			if (target !== draft.targetId) link.changes.targetId = target;
			this.#head = this.#above(target);
		}
		return { ...this.#record(link), head: this.#head };
	}

	/** The mark at the end of an export becomes the `leaf` entry that it stands for. */
	#fromMarker(link: Link): SessionRecord {
		const { timestamp } = entryOf(link.draft.record.bytes);
		const targetId = this.#above(link.parentId);
		const entry: LeafEntry = { type: "leaf", id: link.id, parentId: this.#head, timestamp, targetId };
		this.#head = targetId;
		return recordOf(entry);
	}

	#record(link: Link): SessionRecord {
		const { draft, changes } = link;
		if (
			draft.record.kind !== "leaf" &&
			typeof draft.targetId === "string" &&
			this.#renamed.has(draft.targetId)
		) {
			changes.targetId = this.#now(draft.targetId);
		}
		const firstKept = draft.record.meta.f;
		if (typeof firstKept === "string" && this.#renamed.has(firstKept)) {
			changes.firstKeptEntryId = this.#now(firstKept);
		}
		if (Object.keys(changes).length === 0) return draft.record;
		const { type, id, parentId, ...rest }: JsonRecord = entryOf(draft.record.bytes);
		return recordOf({ type, id, parentId, ...rest, ...changes } as Entry);
	}

	#now(id: string): string {
		return this.#renamed.get(id) ?? id;
	}

	/** An entry that the leaf can be at: itself, or what a `leaf` entry reads as hanging below. */
	#above(id: string | null): string | null {
		let at = id;
		while (at !== null) {
			const link: Link | undefined = this.#links[this.#places.get(at) ?? -1];
			if (link === undefined) return null;
			if (link.draft.record.kind !== "leaf") return at;
			at = link.parentId;
		}
		return null;
	}
}
