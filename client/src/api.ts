// Generated from schemas/openapi.json by `npm run generate`.

export type Session = {
	readonly id: string;
	readonly version: 3;
	/** When it was made, ISO 8601. */
	readonly timestamp: string;
	readonly cwd: string;
	/** The session it was made from. It need not exist any more. */
	readonly parentSession?: string | undefined;
	readonly name?: string | undefined;
	readonly leafId: string | null;
	/** Entries stored, `leaf` entries not counted. */
	readonly entryCount: number;
	/** `message` entries of all branches. */
	readonly messageCount: number;
	/** The first text of a user, cut at 256 characters. */
	readonly firstMessage?: string | undefined;
	/** Time of the latest user or assistant message, else of the creation. */
	readonly modified: string;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
	/** The caller's own, at most 8192 bytes of JSON. */
	readonly metadata?: {
		readonly [key: string]: unknown;
	} | undefined;
};

export type Problem = {
	readonly type: string;
	readonly title: string;
	readonly status: number;
	readonly detail: string;
	readonly code: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "internal" | "not_configured" | "storage_unavailable" | "contention" | "summarizer_unavailable";
	readonly errors?: readonly (Issue)[] | undefined;
	readonly requestId?: string | undefined;
};

export type Issue = {
	readonly path: string;
	readonly message: string;
	/** Line of an imported file, from 1. */
	readonly line?: number | undefined;
};

export type CreateSession = {
	readonly id?: string | undefined;
	readonly cwd?: string | undefined;
	/** At most 512 characters. Stored as a session_info entry after the entries. */
	readonly name?: string | undefined;
	readonly parentSession?: string | undefined;
	/** The caller's own, at most 8192 bytes of JSON. */
	readonly metadata?: {
		readonly [key: string]: unknown;
	} | undefined;
	readonly entries?: readonly (NewEntry)[] | undefined;
};

export type NewEntry = MessageNewEntry | ModelChangeNewEntry | ThinkingLevelChangeNewEntry | CompactionNewEntry | ContextEditNewEntry | BranchSummaryNewEntry | UsageNewEntry | CustomNewEntry | CustomMessageNewEntry | LabelNewEntry | SessionInfoNewEntry | LeafNewEntry;

export type MessageNewEntry = {
	readonly type: "message";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly message: Message;
	readonly [key: string]: unknown;
};

export type EntryId = string;

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage | BashExecutionMessage | CustomMessage | BranchSummaryMessage | CompactionSummaryMessage | OtherMessage;

export type SystemMessage = {
	readonly role: "system";
	readonly content: string | (readonly (TextContent)[]);
	/** Patches of the prompt by name; null removes. */
	readonly sections?: {
		readonly [key: string]: string | null;
	} | undefined;
	readonly toolsAdded?: readonly ({
		readonly name: string;
		readonly description: string;
		readonly parameters: {
			readonly [key: string]: unknown;
		};
		readonly [key: string]: unknown;
	})[] | undefined;
	readonly toolsRemoved?: readonly ({
		readonly name: string;
		readonly [key: string]: unknown;
	})[] | undefined;
	/** Epoch milliseconds. */
	readonly timestamp?: number | undefined;
	readonly [key: string]: unknown;
};

export type TextContent = {
	readonly type: "text";
	readonly text: string;
	readonly textSignature?: string | undefined;
	readonly [key: string]: unknown;
};

export type UserMessage = {
	readonly role: "user";
	readonly content: string | (readonly (TextContent | ImageContent)[]);
	/** Epoch milliseconds. */
	readonly timestamp?: number | undefined;
	readonly [key: string]: unknown;
};

export type ImageContent = {
	readonly type: "image";
	/** Base64. */
	readonly data: string;
	readonly mimeType: string;
	readonly [key: string]: unknown;
};

export type AssistantMessage = {
	readonly role: "assistant";
	readonly content: readonly (TextContent | ThinkingContent | ToolCall)[];
	readonly api?: string | undefined;
	readonly provider?: string | undefined;
	readonly model?: string | undefined;
	readonly responseModel?: string | undefined;
	readonly responseId?: string | undefined;
	readonly providerThinkingLevel?: string | undefined;
	readonly thinkingLevel?: string | undefined;
	readonly diagnostics?: readonly (unknown)[] | undefined;
	readonly usage?: Usage | undefined;
	readonly stopReason?: "pending" | "stop" | "length" | "toolUse" | "error" | "aborted" | "deferred" | undefined;
	readonly deferred?: {
		readonly [key: string]: unknown;
	} | undefined;
	readonly errorMessage?: string | undefined;
	readonly rawStopReason?: string | undefined;
	readonly endTurn?: boolean | undefined;
	/** Epoch milliseconds. */
	readonly timestamp?: number | undefined;
	readonly [key: string]: unknown;
};

export type ThinkingContent = {
	readonly type: "thinking";
	readonly thinking: string;
	readonly thinkingSignature?: string | undefined;
	readonly redacted?: boolean | undefined;
	readonly [key: string]: unknown;
};

export type ToolCall = {
	readonly type: "toolCall";
	readonly id: string;
	readonly name: string;
	readonly arguments: {
		readonly [key: string]: unknown;
	};
	readonly thoughtSignature?: string | undefined;
	readonly namespace?: string | undefined;
	readonly [key: string]: unknown;
};

export type Usage = {
	readonly input?: number | undefined;
	readonly output?: number | undefined;
	readonly cacheRead?: number | undefined;
	readonly cacheWrite?: number | undefined;
	readonly cacheWrite1h?: number | undefined;
	readonly reasoning?: number | undefined;
	readonly totalTokens?: number | undefined;
	readonly cost?: {
		readonly input?: number | undefined;
		readonly output?: number | undefined;
		readonly cacheRead?: number | undefined;
		readonly cacheWrite?: number | undefined;
		readonly total?: number | undefined;
		readonly [key: string]: unknown;
	} | undefined;
	readonly [key: string]: unknown;
};

export type ToolResultMessage = {
	readonly role: "toolResult";
	readonly toolCallId: string;
	readonly toolName?: string | undefined;
	readonly content: readonly (TextContent | ImageContent)[];
	readonly details?: unknown | undefined;
	readonly usage?: Usage | undefined;
	readonly nestedCalls?: {
		readonly calls: readonly ({
			readonly id: string;
			readonly name: string;
			readonly status: "ok" | "error" | "unfinished";
			readonly [key: string]: unknown;
		})[];
		readonly complete: boolean;
		readonly [key: string]: unknown;
	} | undefined;
	readonly isError?: boolean | undefined;
	/** Epoch milliseconds. */
	readonly timestamp?: number | undefined;
	readonly [key: string]: unknown;
};

export type BashExecutionMessage = {
	readonly role: "bashExecution";
	readonly command: string;
	readonly output: string;
	readonly exitCode?: number | null | undefined;
	readonly cancelled?: boolean | undefined;
	readonly truncated?: boolean | undefined;
	readonly fullOutputPath?: string | undefined;
	readonly excludeFromContext?: boolean | undefined;
	/** Epoch milliseconds. */
	readonly timestamp?: number | undefined;
	readonly [key: string]: unknown;
};

export type CustomMessage = {
	readonly role: "custom";
	readonly customType: string;
	readonly content: string | (readonly (TextContent | ImageContent)[]);
	readonly display?: boolean | undefined;
	readonly details?: unknown | undefined;
	/** Epoch milliseconds. */
	readonly timestamp?: number | undefined;
	readonly [key: string]: unknown;
};

export type BranchSummaryMessage = {
	readonly role: "branchSummary";
	readonly summary: string;
	readonly fromId: string | null;
	/** Epoch milliseconds. */
	readonly timestamp?: number | undefined;
	readonly [key: string]: unknown;
};

export type CompactionSummaryMessage = {
	readonly role: "compactionSummary";
	readonly summary: string;
	readonly tokensBefore: number;
	/** Epoch milliseconds. */
	readonly timestamp?: number | undefined;
	readonly [key: string]: unknown;
};

/** A message of an application's own role. */
export type OtherMessage = {
	readonly role: string;
	readonly [key: string]: unknown;
};

export type ModelChangeNewEntry = {
	readonly type: "model_change";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly provider: string;
	readonly modelId: string;
	readonly [key: string]: unknown;
};

export type ThinkingLevelChangeNewEntry = {
	readonly type: "thinking_level_change";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly thinkingLevel: string;
	readonly [key: string]: unknown;
};

export type CompactionNewEntry = {
	readonly type: "compaction";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly summary: string;
	readonly firstKeptEntryId: (EntryId) | null;
	readonly tokensBefore: number;
	readonly details?: unknown | undefined;
	readonly usage?: Usage | undefined;
	readonly fromHook?: boolean | undefined;
	readonly systemMessage?: SystemMessage | undefined;
	readonly [key: string]: unknown;
};

export type ContextEditNewEntry = {
	readonly type: "context_edit";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly targetId: EntryId;
	readonly replacement: null | ({
		readonly content: string | (readonly (unknown)[]);
		readonly [key: string]: unknown;
	});
	readonly [key: string]: unknown;
};

export type BranchSummaryNewEntry = {
	readonly type: "branch_summary";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly fromId: string;
	readonly summary: string;
	readonly details?: unknown | undefined;
	readonly usage?: Usage | undefined;
	readonly fromHook?: boolean | undefined;
	readonly [key: string]: unknown;
};

export type UsageNewEntry = {
	readonly type: "usage";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly kind: string;
	readonly provider: string;
	readonly model: string;
	readonly usage: Usage;
	readonly note?: string | undefined;
	readonly [key: string]: unknown;
};

export type CustomNewEntry = {
	readonly type: "custom";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly customType: string;
	readonly data?: unknown | undefined;
	readonly [key: string]: unknown;
};

export type CustomMessageNewEntry = {
	readonly type: "custom_message";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly customType: string;
	readonly content: string | (readonly (TextContent | ImageContent)[]);
	readonly display: boolean;
	readonly details?: unknown | undefined;
	readonly [key: string]: unknown;
};

export type LabelNewEntry = {
	readonly type: "label";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly targetId: EntryId;
	readonly label?: string | undefined;
	readonly [key: string]: unknown;
};

export type SessionInfoNewEntry = {
	readonly type: "session_info";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly name: string;
	readonly metadata?: ({
		readonly [key: string]: unknown;
	}) | null | undefined;
	readonly [key: string]: unknown;
};

export type LeafNewEntry = {
	readonly type: "leaf";
	readonly id?: EntryId | undefined;
	readonly parentId?: (EntryId) | null | undefined;
	readonly timestamp?: string | undefined;
	readonly targetId: (EntryId) | null;
	readonly [key: string]: unknown;
};

export type UpdateSession = {
	/** At most 512 characters. An empty one takes the name away. */
	readonly name?: string | undefined;
	/** The caller's own, at most 8192 bytes of JSON. */
	readonly metadata?: {
		readonly [key: string]: unknown;
	} | undefined;
};

export type SessionList = {
	readonly sessions: readonly (Session)[];
	/** Left out on the last page. */
	readonly nextCursor?: string | undefined;
};

export type Appended = {
	/** Those sent, as they are stored. */
	readonly entries: readonly (Entry)[];
	readonly leafId: (EntryId) | null;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type Entry = MessageEntry | ModelChangeEntry | ThinkingLevelChangeEntry | CompactionEntry | ContextEditEntry | BranchSummaryEntry | UsageEntry | CustomEntry | CustomMessageEntry | LabelEntry | SessionInfoEntry | LeafEntry;

export type MessageEntry = {
	readonly type: "message";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly message: Message;
	readonly [key: string]: unknown;
};

export type ModelChangeEntry = {
	readonly type: "model_change";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly provider: string;
	readonly modelId: string;
	readonly [key: string]: unknown;
};

export type ThinkingLevelChangeEntry = {
	readonly type: "thinking_level_change";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly thinkingLevel: string;
	readonly [key: string]: unknown;
};

export type CompactionEntry = {
	readonly type: "compaction";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly summary: string;
	readonly firstKeptEntryId: (EntryId) | null;
	readonly tokensBefore: number;
	readonly details?: unknown | undefined;
	readonly usage?: Usage | undefined;
	readonly fromHook?: boolean | undefined;
	readonly systemMessage?: SystemMessage | undefined;
	readonly [key: string]: unknown;
};

export type ContextEditEntry = {
	readonly type: "context_edit";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly targetId: EntryId;
	readonly replacement: null | ({
		readonly content: string | (readonly (unknown)[]);
		readonly [key: string]: unknown;
	});
	readonly [key: string]: unknown;
};

export type BranchSummaryEntry = {
	readonly type: "branch_summary";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly fromId: string;
	readonly summary: string;
	readonly details?: unknown | undefined;
	readonly usage?: Usage | undefined;
	readonly fromHook?: boolean | undefined;
	readonly [key: string]: unknown;
};

export type UsageEntry = {
	readonly type: "usage";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly kind: string;
	readonly provider: string;
	readonly model: string;
	readonly usage: Usage;
	readonly note?: string | undefined;
	readonly [key: string]: unknown;
};

export type CustomEntry = {
	readonly type: "custom";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly customType: string;
	readonly data?: unknown | undefined;
	readonly [key: string]: unknown;
};

export type CustomMessageEntry = {
	readonly type: "custom_message";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly customType: string;
	readonly content: string | (readonly (TextContent | ImageContent)[]);
	readonly display: boolean;
	readonly details?: unknown | undefined;
	readonly [key: string]: unknown;
};

export type LabelEntry = {
	readonly type: "label";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly targetId: EntryId;
	readonly label?: string | undefined;
	readonly [key: string]: unknown;
};

export type SessionInfoEntry = {
	readonly type: "session_info";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly name: string;
	readonly metadata?: ({
		readonly [key: string]: unknown;
	}) | null | undefined;
	readonly [key: string]: unknown;
};

export type LeafEntry = {
	readonly type: "leaf";
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly timestamp: string;
	readonly targetId: (EntryId) | null;
	readonly [key: string]: unknown;
};

export type Append = MessageNewEntry | ModelChangeNewEntry | ThinkingLevelChangeNewEntry | CompactionNewEntry | ContextEditNewEntry | BranchSummaryNewEntry | UsageNewEntry | CustomNewEntry | CustomMessageNewEntry | LabelNewEntry | SessionInfoNewEntry | LeafNewEntry | ({
	readonly entries: readonly (NewEntry)[];
});

export type Entries = {
	/** In the order in which they were written. */
	readonly entries: readonly (Entry)[];
	/** `after` of the next page, where there is more. */
	readonly nextCursor?: number | undefined;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type EntryAnswer = {
	readonly entry: Entry;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
	readonly label?: string | undefined;
	/** In tree order. */
	readonly children: readonly (EntryId)[];
};

export type Leaf = {
	readonly leafId: (EntryId) | null;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type LeafMoved = (Leaf) & ({
	readonly entry?: (Entry) | undefined;
});

export type SetLeaf = {
	readonly targetId: string | null;
};

export type Branch = {
	/** Root first. */
	readonly entries: readonly (Entry)[];
	readonly leafId: (EntryId) | null;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
	readonly nextBefore?: (EntryId) | undefined;
	/** For each entry that has any: all children of its parent in tree order, itself included. */
	readonly siblings?: {
		readonly [key: string]: readonly (EntryId)[];
	} | undefined;
};

export type Context = {
	/** With `view=messages`. */
	readonly messages?: readonly (Message)[] | undefined;
	/** With `view=entries`. */
	readonly entries?: readonly (Entry)[] | undefined;
	/** With `view=projection`. */
	readonly projection?: readonly ({
		readonly sourceEntryId: EntryId;
		readonly messages: readonly (Message)[];
	})[] | undefined;
	readonly thinkingLevel: string;
	/** That of the path's last model change or assistant message. */
	readonly model: ({
		readonly provider?: string | undefined;
		readonly modelId?: string | undefined;
	}) | null;
	readonly leafId: (EntryId) | null;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type Tree = {
	readonly roots: readonly (EntryId)[];
	readonly nodes: readonly (TreeNode)[];
	readonly leafId: (EntryId) | null;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type TreeNode = {
	readonly id: EntryId;
	readonly parentId: (EntryId) | null;
	readonly type: string;
	readonly role?: string | undefined;
	readonly toolCallId?: string | undefined;
	readonly timestamp: string;
	readonly preview: string;
	readonly label?: string | undefined;
	readonly labelTimestamp?: string | undefined;
	/** By timestamp, then log order. */
	readonly children: readonly (EntryId)[];
};

export type Labels = {
	readonly labels: readonly (Label)[];
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type Label = {
	readonly targetId: EntryId;
	readonly label: string;
	readonly timestamp: string;
};

export type Navigation = {
	readonly oldLeafId: (EntryId) | null;
	readonly newLeafId: (EntryId) | null;
	readonly commonAncestorId: (EntryId) | null;
	/** The text of a target that a user wrote. */
	readonly editorText?: string | undefined;
	/** What is left behind, root first. */
	readonly entriesToSummarize: readonly (Entry)[];
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type Navigated = {
	readonly leafId: (EntryId) | null;
	readonly editorText?: string | undefined;
	readonly summaryEntry?: (Entry) | undefined;
	readonly commonAncestorId: (EntryId) | null;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type Navigate = {
	readonly targetId: string;
	/** The caller's own summary of what is left behind. An empty text is none. */
	readonly summary?: {
		readonly text: string;
		readonly details?: unknown | undefined;
		readonly usage?: Usage | undefined;
		readonly fromHook?: boolean | undefined;
	} | undefined;
	/** The configured summarizer writes the summary, if anything is left behind. */
	readonly summarize?: boolean | undefined;
	/** For the summarizer, beside its own instructions. */
	readonly customInstructions?: string | undefined;
	/** The instructions given stand instead of its own. */
	readonly replaceInstructions?: boolean | undefined;
	/** For the summary entry, or for the target where there is none. */
	readonly label?: string | undefined;
};

export type Stats = {
	readonly totalMessages: number;
	readonly userMessages: number;
	readonly assistantMessages: number;
	readonly toolResults: number;
	readonly toolCalls: number;
	readonly tokens: {
		readonly input: number;
		readonly output: number;
		readonly cacheRead: number;
		readonly cacheWrite: number;
		readonly total: number;
	};
	/** In the currency of the messages' own costs. */
	readonly cost: number;
	/** What assistant messages and usage entries used, by `provider/model`. */
	readonly models: readonly ({
		readonly model: string;
		readonly tokens: number;
		readonly cost: number;
	})[];
	/** Of the live context, in part an estimate. */
	readonly contextTokens: number;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type CompactionPlan = {
	/** The context has more tokens than the window less the reserve. */
	readonly shouldCompact: boolean;
	readonly firstKeptEntryId: EntryId;
	readonly tokensBefore: number;
	readonly entriesToSummarize: readonly (Entry)[];
	/** The cut is inside a turn. */
	readonly isSplitTurn: boolean;
	/** The beginning of the turn that the cut splits. */
	readonly turnPrefixEntries?: readonly (Entry)[] | undefined;
	/** To be carried on by the next one. */
	readonly previousSummary?: string | undefined;
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type Compacted = {
	readonly entry: (Entry);
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type Compact = {
	/** Without it the configured summarizer writes one. */
	readonly summary?: string | undefined;
	/** Where what stays begins; null keeps nothing. Without it the plan's. */
	readonly firstKeptEntryId?: string | null | undefined;
	readonly tokensBefore?: number | undefined;
	readonly details?: unknown | undefined;
	readonly keepRecentTokens?: number | undefined;
	/** For the summarizer, beside its own instructions. */
	readonly customInstructions?: string | undefined;
};

export type ForkPoints = {
	readonly points: readonly (ForkPoint)[];
	/** The session's version: the number of entries in its log, `leaf` entries included. */
	readonly seq: number;
};

export type ForkPoint = {
	readonly entryId: EntryId;
	readonly text: string;
	readonly timestamp: string;
};

export type Forked = {
	readonly session: Session;
	/** The text of the user message that the fork was made before. */
	readonly selectedText?: string | undefined;
};

export type Fork = {
	readonly entryId: string;
	/** `before`: the path to the parent of a user message. `at`: the path to the entry. */
	readonly position?: "before" | "at" | undefined;
	readonly id?: string | undefined;
	/** Unless given, the source's. */
	readonly cwd?: string | undefined;
};

export type Cloned = {
	readonly session: Session;
};

export type Clone = {
	readonly id?: string | undefined;
	/** Unless given, the source's. */
	readonly cwd?: string | undefined;
};

export type Copy = {
	readonly id?: string | undefined;
	/** Unless given, the source's. */
	readonly cwd?: string | undefined;
};

export type CreateBranchedSession = {
	/** The entry that the new session ends at. */
	readonly leafId: string;
	readonly id?: string | undefined;
	/** Unless given, the source's. */
	readonly cwd?: string | undefined;
	readonly name?: string | undefined;
};

export type Imported = {
	readonly session: Session;
	/** Entries that were stored. */
	readonly imported: number;
	/** With `repair=true`. */
	readonly repairs?: readonly (Repair)[] | undefined;
};

export type Repair = {
	readonly line: number;
	readonly problem: string;
	readonly action: string;
};

export type ShareMade = {
	readonly id: string;
	/** Sent as `Leaflog-Share`. Shown here only, and not stored. */
	readonly token: string;
	/** ISO 8601. */
	readonly expiresAt: string;
};

export type CreateShare = {
	/** `fork` may also be forked into a namespace of the reader's own. */
	readonly scope: "read" | "fork";
	/** Only what a session made of the path to this entry would hold (`createBranchedSession`). Unless given, the whole session, with all that is still to come. */
	readonly leafId?: string | undefined;
	/** 604800 unless given. */
	readonly expiresInSeconds?: number | undefined;
};

export type Shares = {
	readonly shares: readonly ({
		readonly id: string;
		/** `fork` may also be forked into a namespace of the reader's own. */
		readonly scope: "read" | "fork";
		readonly leafId?: string | undefined;
		readonly createdAt: string;
		readonly expiresAt: string;
	})[];
};

export type Erasure = {
	/** No content of the namespace is in the bucket any more. */
	readonly done: boolean;
	/** Sessions that this call has deleted. */
	readonly deleted: number;
	/** Sessions still to be deleted: call again. */
	readonly remaining: number;
	/** Deleted sessions whose content leaves the bucket after the purge delay, by itself. */
	readonly purging: number;
};

/** The calls: what each takes and answers. */
export interface Operations {
	createSession: {
		path: Record<never, never>;
		query: Record<never, never>;
		body: CreateSession;
		answer: Session;
	};
	listSessions: {
		path: Record<never, never>;
		query: { limit?: number | undefined; cursor?: string | undefined; cwd?: string | undefined; q?: string | undefined; parent?: string | undefined; order?: "modified" | "created" | undefined; };
		body: undefined;
		answer: SessionList;
	};
	getSession: {
		path: { id: string; };
		query: Record<never, never>;
		body: undefined;
		answer: Session;
	};
	updateSession: {
		path: { id: string; };
		query: Record<never, never>;
		body: UpdateSession;
		answer: Session;
	};
	deleteSession: {
		path: { id: string; };
		query: Record<never, never>;
		body: undefined;
		answer: undefined;
	};
	listChildren: {
		path: { id: string; };
		query: { limit?: number | undefined; cursor?: string | undefined; };
		body: undefined;
		answer: SessionList;
	};
	appendEntry: {
		path: { id: string; };
		query: { keepLeaf?: boolean | undefined; };
		body: Append;
		answer: Appended;
	};
	listEntries: {
		path: { id: string; };
		query: { after?: number | undefined; limit?: number | undefined; type?: readonly ("message" | "model_change" | "thinking_level_change" | "compaction" | "context_edit" | "branch_summary" | "usage" | "custom" | "custom_message" | "label" | "session_info" | "leaf")[] | undefined; media?: "link" | undefined; };
		body: undefined;
		answer: Entries;
	};
	getEntry: {
		path: { id: string; entryId: string; };
		query: { media?: "link" | undefined; };
		body: undefined;
		answer: EntryAnswer;
	};
	getMedia: {
		path: { id: string; entryId: string; k: number; };
		query: { expires?: number | undefined; owner?: string | undefined; signature?: string | undefined; };
		body: undefined;
		answer: string;
	};
	watchSession: {
		path: { id: string; };
		query: { after?: number | undefined; wait?: number | undefined; media?: "link" | undefined; };
		body: undefined;
		answer: Entries;
	};
	getLeaf: {
		path: { id: string; };
		query: Record<never, never>;
		body: undefined;
		answer: Leaf;
	};
	setLeaf: {
		path: { id: string; };
		query: Record<never, never>;
		body: SetLeaf;
		answer: LeafMoved;
	};
	getBranch: {
		path: { id: string; };
		query: { from?: string | undefined; limit?: number | undefined; before?: string | undefined; include?: readonly ("siblings")[] | undefined; media?: "link" | undefined; };
		body: undefined;
		answer: Branch;
	};
	buildContext: {
		path: { id: string; };
		query: { from?: string | undefined; view?: "messages" | "entries" | "projection" | undefined; format?: "agent" | "llm" | undefined; media?: "link" | undefined; };
		body: undefined;
		answer: Context;
	};
	getTree: {
		path: { id: string; };
		query: { types?: readonly ("message" | "model_change" | "thinking_level_change" | "compaction" | "context_edit" | "branch_summary" | "usage" | "custom" | "custom_message" | "label" | "session_info" | "leaf")[] | undefined; q?: string | undefined; labeled?: boolean | undefined; };
		body: undefined;
		answer: Tree;
	};
	listLabels: {
		path: { id: string; };
		query: Record<never, never>;
		body: undefined;
		answer: Labels;
	};
	previewNavigation: {
		path: { id: string; };
		query: { targetId: string; tokenBudget?: number | undefined; };
		body: undefined;
		answer: Navigation;
	};
	navigateTree: {
		path: { id: string; };
		query: Record<never, never>;
		body: Navigate;
		answer: Navigated;
	};
	getStats: {
		path: { id: string; };
		query: Record<never, never>;
		body: undefined;
		answer: Stats;
	};
	planCompaction: {
		path: { id: string; };
		query: { keepRecentTokens?: number | undefined; contextWindow?: number | undefined; reserveTokens?: number | undefined; };
		body: undefined;
		answer: CompactionPlan;
	};
	compactSession: {
		path: { id: string; };
		query: Record<never, never>;
		body: Compact;
		answer: Compacted;
	};
	listForkPoints: {
		path: { id: string; };
		query: Record<never, never>;
		body: undefined;
		answer: ForkPoints;
	};
	forkSession: {
		path: { id: string; };
		query: Record<never, never>;
		body: Fork;
		answer: Forked;
	};
	cloneSession: {
		path: { id: string; };
		query: Record<never, never>;
		body: Clone;
		answer: Cloned;
	};
	copySession: {
		path: { id: string; };
		query: Record<never, never>;
		body: Copy;
		answer: Session;
	};
	createBranchedSession: {
		path: { id: string; };
		query: Record<never, never>;
		body: CreateBranchedSession;
		answer: Session;
	};
	importSession: {
		path: Record<never, never>;
		query: { id?: string | undefined; repair?: boolean | undefined; };
		body: string;
		answer: Imported;
	};
	exportSession: {
		path: { id: string; };
		query: { format?: "pi" | "log" | undefined; };
		body: undefined;
		answer: string;
	};
	createShare: {
		path: { id: string; };
		query: Record<never, never>;
		body: CreateShare;
		answer: ShareMade;
	};
	listShares: {
		path: { id: string; };
		query: Record<never, never>;
		body: undefined;
		answer: Shares;
	};
	revokeShare: {
		path: { id: string; shareId: string; };
		query: Record<never, never>;
		body: undefined;
		answer: undefined;
	};
	eraseNamespace: {
		path: Record<never, never>;
		query: Record<never, never>;
		body: undefined;
		answer: Erasure;
	};
}

/** Where each call is. */
export const operations = {
	createSession: { method: "POST", path: "/v1/sessions" },
	listSessions: { method: "GET", path: "/v1/sessions" },
	getSession: { method: "GET", path: "/v1/sessions/{id}" },
	updateSession: { method: "PATCH", path: "/v1/sessions/{id}" },
	deleteSession: { method: "DELETE", path: "/v1/sessions/{id}" },
	listChildren: { method: "GET", path: "/v1/sessions/{id}/children" },
	appendEntry: { method: "POST", path: "/v1/sessions/{id}/entries" },
	listEntries: { method: "GET", path: "/v1/sessions/{id}/entries" },
	getEntry: { method: "GET", path: "/v1/sessions/{id}/entries/{entryId}" },
	getMedia: { method: "GET", path: "/v1/sessions/{id}/entries/{entryId}/media/{k}" },
	watchSession: { method: "GET", path: "/v1/sessions/{id}/events" },
	getLeaf: { method: "GET", path: "/v1/sessions/{id}/leaf" },
	setLeaf: { method: "PUT", path: "/v1/sessions/{id}/leaf" },
	getBranch: { method: "GET", path: "/v1/sessions/{id}/branch" },
	buildContext: { method: "GET", path: "/v1/sessions/{id}/context" },
	getTree: { method: "GET", path: "/v1/sessions/{id}/tree" },
	listLabels: { method: "GET", path: "/v1/sessions/{id}/labels" },
	previewNavigation: { method: "GET", path: "/v1/sessions/{id}/navigation" },
	navigateTree: { method: "POST", path: "/v1/sessions/{id}/navigate" },
	getStats: { method: "GET", path: "/v1/sessions/{id}/stats" },
	planCompaction: { method: "GET", path: "/v1/sessions/{id}/compaction-plan" },
	compactSession: { method: "POST", path: "/v1/sessions/{id}/compact" },
	listForkPoints: { method: "GET", path: "/v1/sessions/{id}/fork-points" },
	forkSession: { method: "POST", path: "/v1/sessions/{id}/fork" },
	cloneSession: { method: "POST", path: "/v1/sessions/{id}/clone" },
	copySession: { method: "POST", path: "/v1/sessions/{id}/copies" },
	createBranchedSession: { method: "POST", path: "/v1/sessions/{id}/branched-sessions" },
	importSession: { method: "POST", path: "/v1/sessions/import" },
	exportSession: { method: "GET", path: "/v1/sessions/{id}/export" },
	createShare: { method: "POST", path: "/v1/sessions/{id}/shares" },
	listShares: { method: "GET", path: "/v1/sessions/{id}/shares" },
	revokeShare: { method: "DELETE", path: "/v1/sessions/{id}/shares/{shareId}" },
	eraseNamespace: { method: "DELETE", path: "/v1/namespace" },
} as const;
