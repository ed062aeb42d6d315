/**
 * Entries as they are stored: plain JSON values, all fields kept. Files come from anywhere, so beyond the
 * four fields of `Entry` nothing may be taken for granted; readers look at fields with the functions below.
 */

/** Any JSON object, as parsed. */
export type JsonRecord = { readonly [key: string]: unknown };

/** What every stored entry has; all other fields are of any shape. */
export interface Entry {
	readonly type: string;
	readonly id: string;
	/** The entry it hangs below, as it was given; null for a root. */
	readonly parentId: string | null;
	/** ISO 8601 where the writer kept to the rules. */
	readonly timestamp: string;
	readonly [field: string]: unknown;
}

/** An entry as a client sends it: what is left out is filled in where it lands. */
export interface NewEntry {
	readonly type: string;
	readonly id?: string;
	readonly parentId?: string | null;
	readonly timestamp?: string;
	readonly [field: string]: unknown;
}

/** An entry to be placed: its id and timestamp are fixed, its parent may not be. */
export interface FixedEntry extends NewEntry {
	readonly id: string;
	readonly timestamp: string;
}

/** The first line of a session. */
export interface SessionHeader {
	readonly type: "session";
	readonly version: number;
	readonly id: string;
	readonly timestamp: string;
	readonly cwd: string;
	readonly parentSession?: string;
	readonly [field: string]: unknown;
}

/** A message, of whatever role. */
export interface Message {
	readonly role: string;
	readonly [field: string]: unknown;
}

export interface MessageEntry extends Entry {
	readonly type: "message";
	readonly message: Message;
}
export interface ModelChangeEntry extends Entry {
	readonly type: "model_change";
	readonly provider: string;
	readonly modelId: string;
}
export interface ThinkingLevelChangeEntry extends Entry {
	readonly type: "thinking_level_change";
	readonly thinkingLevel: string;
}
export interface CompactionEntry extends Entry {
	readonly type: "compaction";
	readonly summary: string;
	readonly firstKeptEntryId: string;
	readonly tokensBefore: number;
	readonly details?: unknown;
	readonly usage?: unknown;
	readonly fromHook?: boolean;
	readonly systemMessage?: Message;
}
export interface ContextEditEntry extends Entry {
	readonly type: "context_edit";
	readonly targetId: string;
	readonly replacement: { readonly content: string | readonly unknown[] } | null;
}
export interface BranchSummaryEntry extends Entry {
	readonly type: "branch_summary";
	/** The leaf that was left, or "root". */
	readonly fromId: string;
	readonly summary: string;
	readonly details?: unknown;
	readonly usage?: unknown;
	readonly fromHook?: boolean;
}
export interface UsageEntry extends Entry {
	readonly type: "usage";
	readonly kind: string;
	readonly provider: string;
	readonly model: string;
	readonly usage: unknown;
	readonly note?: string;
}
export interface CustomEntry extends Entry {
	readonly type: "custom";
	readonly customType: string;
	readonly data?: unknown;
}
export interface CustomMessageEntry extends Entry {
	readonly type: "custom_message";
	readonly customType: string;
	readonly content: string | readonly unknown[];
	readonly display: boolean;
	readonly details?: unknown;
}
export interface LabelEntry extends Entry {
	readonly type: "label";
	readonly targetId: string;
	readonly label?: string;
}
export interface SessionInfoEntry extends Entry {
	readonly type: "session_info";
	readonly name: string;
	readonly metadata?: unknown;
}
export interface LeafEntry extends Entry {
	readonly type: "leaf";
	readonly targetId: string | null;
}

/** True for a JSON object; false for null, arrays and everything else. */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value where it is a string. */
export function stringOf(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

/** The value where it is a finite number. */
export function numberOf(value: unknown): number | undefined {
	return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The message of a `message` entry, if it has one that is an object. */
export function messageOf(entry: { readonly [field: string]: unknown }): JsonRecord | undefined {
	return isRecord(entry.message) ? entry.message : undefined;
}

/** An entry's time as epoch milliseconds, NaN where its timestamp is none. */
export function epochOf(timestamp: unknown): number {
	return typeof timestamp === "string" || typeof timestamp === "number"
		? new Date(timestamp).getTime()
		: Number.NaN;
}

/** The id of the entry's parent as it was given; null where it has none, or one that is no string. */
export function parentIdOf(entry: { readonly parentId?: unknown }): string | null {
	return typeof entry.parentId === "string" ? entry.parentId : null;
}
