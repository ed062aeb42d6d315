import { isOnPath } from "./ancestors.ts";
import { checkpoint } from "./checkpoint.ts";
import { type Bodies, editedContent } from "./context.ts";
import { type Entry, type FixedEntry, type LeafEntry, messageOf } from "./entry.ts";
import { roleOfKind } from "./kind.ts";
import { storedLabel } from "./labels.ts";
import { sanitizeName } from "./name.ts";
import { IndexOverlay, type SessionIndex } from "./session-index.ts";
import { isReplacement } from "./summary.ts";
import { ToolCalls } from "./tool-calls.ts";

/** Why an entry cannot be appended where it would land. */
export type AppendProblem =
	| { readonly kind: "not_found"; readonly field: string; readonly detail: string }
	| { readonly kind: "unprocessable"; readonly detail: string }
	/** `parentId`: the entry that it belongs below. */
	| { readonly kind: "conflict"; readonly detail: string; readonly parentId?: string };

type Placement =
	| { readonly kind: "placed"; readonly entry: Entry }
	| { readonly kind: "problem"; readonly problem: AppendProblem }
	/** Bring the bodies of these entries along and ask again. */
	| { readonly kind: "bodies"; readonly seqs: readonly number[] };

export type BatchPlacement =
	/** `leafEntry`: what puts the leaf back, after the entries. */
	| {
			readonly kind: "placed";
			readonly entries: readonly Entry[];
			readonly leafEntry?: LeafEntry;
			readonly head: string | null;
	  }
	| { readonly kind: "problem"; readonly at: number; readonly problem: AppendProblem }
	| { readonly kind: "bodies"; readonly seqs: readonly number[] };

/**
 * Places entries at the end of a session, one after the other, each on what the one before left: checks what must
 * hold there, and fills in what was left out. All or nothing; the index is not touched.
 * `keepLeaf` is the id and timestamp of a `leaf` entry that puts the leaf back afterwards.
 */
export function placeEntries(
	index: SessionIndex,
	entries: readonly FixedEntry[],
	options: {
		readonly bodies?: Bodies;
		readonly keepLeaf?: { readonly id: string; readonly timestamp: string };
	} = {},
): BatchPlacement {
	const overlay = new IndexOverlay(index);
	const ground = { overlay, bodies: options.bodies ?? new Map(), toolCalls: new ToolCalls(overlay) };
	const placed: Entry[] = [];
	for (const [at, entry] of entries.entries()) {
		const placement = placeEntry(ground, entry);
		if (placement.kind === "problem") return { ...placement, at };
		if (placement.kind === "bodies") return placement;
		placed.push(placement.entry);
	}
	if (options.keepLeaf === undefined) return { kind: "placed", entries: placed, head: overlay.head };
	const leafEntry: LeafEntry = {
		type: "leaf",
		id: options.keepLeaf.id,
		parentId: overlay.head,
		timestamp: options.keepLeaf.timestamp,
		targetId: index.head,
	};
	return { kind: "placed", entries: placed, leafEntry, head: index.head };
}

/** What entries are placed on. */
interface Ground {
	readonly overlay: IndexOverlay;
	readonly bodies: Bodies;
	readonly toolCalls: ToolCalls;
}

function placeEntry(ground: Ground, entry: FixedEntry): Placement {
	const { overlay } = ground;
	if (overlay.seqOf(entry.id) !== undefined) {
		return problem({ kind: "conflict", detail: `The session already has an entry ${entry.id}` });
	}
	const parentId = entry.parentId === undefined ? overlay.head : entry.parentId;
	const parent = parentId === null ? 0 : overlay.seqOf(parentId);
	if (parent === undefined) return notFound("parentId", parentId);
	if (parent !== 0 && overlay.kind(parent) === "leaf") {
		return unprocessable(`Nothing hangs below a leaf entry, and ${parentId} is one`);
	}
	const check = Object.hasOwn(checks, entry.type) ? checks[entry.type] : undefined;
	const checked = check?.(ground, entry, parent) ?? {};
	if ("kind" in checked) return checked;
	const placed: Entry = { ...inOrder(entry, parentId), ...checked.changes };
	overlay.push(placed);
	return { kind: "placed", entry: placed };
}

/** An entry that names its parent was made elsewhere, and its line stays as it was. Others begin as all lines do. */
function inOrder(entry: FixedEntry, parentId: string | null): Entry {
	const { type, id, parentId: given, timestamp, ...rest } = entry;
	return given === undefined ? { type, id, parentId, timestamp, ...rest } : { ...entry, parentId };
}

type Checked = { readonly changes?: { readonly [field: string]: unknown } } | Placement;

/** What an entry type asks of the state it lands on, and what it changes in the entry. */
const checks: {
	readonly [type: string]: ((ground: Ground, entry: FixedEntry, parent: number) => Checked) | undefined;
} = {
	label: ({ overlay }, entry) => {
		if (targetOf(overlay, entry) === undefined) return notFound("targetId", entry.targetId);
		return typeof entry.label === "string" ? { changes: { label: storedLabel(entry.label) } } : {};
	},
	leaf: ({ overlay }, entry) => {
		if (entry.targetId === null) return {};
		const target = targetOf(overlay, entry);
		if (target === undefined) return notFound("targetId", entry.targetId);
		return overlay.kind(target) === "leaf"
			? unprocessable(`The leaf cannot be a leaf entry, and ${entry.targetId} is one`)
			: {};
	},
	session_info: (_ground, entry) => ({
		changes: { name: sanitizeName(typeof entry.name === "string" ? entry.name : "") },
	}),
	context_edit: checkContextEdit,
	compaction: checkCompaction,
	message: checkMessage,
};

function checkContextEdit({ overlay }: Ground, entry: FixedEntry, parent: number): Checked {
	const { replacement } = entry;
	if (replacement !== null && !isReplacement(replacement)) {
		return unprocessable("A replacement is null, or has a content that is a text or a list of blocks");
	}
	const target = targetOf(overlay, entry);
	if (target === undefined) return notFound("targetId", entry.targetId);
	if (!isOnPath(overlay, parent, target)) {
		return unprocessable(`The entry ${entry.targetId} is not on the branch of this edit`);
	}
	const kind = overlay.kind(target);
	const role = kind === "custom_message" ? "custom" : roleOfKind(kind);
	if (kind !== "custom_message" && role !== "user" && role !== "assistant" && role !== "toolResult") {
		return unprocessable(`The entry ${entry.targetId} gives the model nothing that could be edited`);
	}
	if (replacement === null) return {};
	const content = editedContent(role, replacement.content);
	return content === replacement.content ? {} : { changes: { replacement: { ...replacement, content } } };
}

function checkCompaction({ overlay, bodies }: Ground, entry: FixedEntry, parent: number): Checked {
	const firstKept = entry.firstKeptEntryId ?? entry.id;
	if (firstKept !== entry.id) {
		const kept = typeof firstKept === "string" ? overlay.seqOf(firstKept) : undefined;
		if (kept === undefined) return notFound("firstKeptEntryId", firstKept);
		if (!isOnPath(overlay, parent, kept)) {
			return unprocessable(`The first kept entry ${firstKept} is not on the branch of this compaction`);
		}
	}
	const changes = { firstKeptEntryId: firstKept };
	if (entry.systemMessage !== undefined) return { changes };
	const system = checkpoint(overlay, parent, entry.timestamp, bodies);
	if (system.kind === "bodies") return system;
	return { changes: system.message === undefined ? changes : { ...changes, systemMessage: system.message } };
}

/** A tool result that names no parent belongs where its call is, unless nobody knows that call. */
function checkMessage({ overlay, toolCalls }: Ground, entry: FixedEntry): Checked {
	const message = messageOf(entry);
	const call = message?.toolCallId;
	if (entry.parentId !== undefined || message?.role !== "toolResult" || typeof call !== "string") return {};
	const stranded = toolCalls.stranded(call);
	if (stranded === undefined) return {};
	const parentId = overlay.id(stranded);
	return problem({
		kind: "conflict",
		parentId,
		detail: `The leaf moved away from the branch of tool call ${call}; its result belongs below entry ${parentId}`,
	});
}

function targetOf(overlay: IndexOverlay, entry: FixedEntry): number | undefined {
	return typeof entry.targetId === "string" ? overlay.seqOf(entry.targetId) : undefined;
}

function problem(cause: AppendProblem): Placement {
	return { kind: "problem", problem: cause };
}

function notFound(field: string, id: unknown): Placement {
	return problem({ kind: "not_found", field, detail: `The session has no entry ${id} (${field})` });
}

function unprocessable(detail: string): Placement {
	return problem({ kind: "unprocessable", detail });
}
