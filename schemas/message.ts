import { z } from "@hono/zod-openapi";

/**
 * Messages as pi's page on message types gives them; unknown fields and unknown roles are kept.
 * What a message says must be there, and whatever is there must have pi's type. What only describes it (its time,
 * usage, provider, flags) may be left out: old sessions and other products' messages come without.
 */

const count = z.number();
const epochMs = z.number().optional().openapi({ description: "Epoch milliseconds." });

export const textBlockSchema = z
	.looseObject({ type: z.literal("text"), text: z.string(), textSignature: z.string().optional() })
	.openapi("TextContent");

export const imageBlockSchema = z
	.looseObject({
		type: z.literal("image"),
		data: z.string().openapi({ description: "Base64." }),
		mimeType: z.string(),
	})
	.openapi("ImageContent");

const thinkingBlockSchema = z
	.looseObject({
		type: z.literal("thinking"),
		thinking: z.string(),
		thinkingSignature: z.string().optional(),
		redacted: z.boolean().optional(),
	})
	.openapi("ThinkingContent");

const toolCallSchema = z
	.looseObject({
		type: z.literal("toolCall"),
		id: z.string(),
		name: z.string(),
		arguments: z.looseObject({}),
		thoughtSignature: z.string().optional(),
		namespace: z.string().optional(),
	})
	.openapi("ToolCall");

const mediaBlocks = z.array(z.discriminatedUnion("type", [textBlockSchema, imageBlockSchema]));

/** A text, or blocks of text and images. */
export const plainContentSchema = z.union(
	[z.string(), mediaBlocks],
	"expected a text, or text and image blocks",
);

export const usageSchema = z
	.looseObject({
		input: count.optional(),
		output: count.optional(),
		cacheRead: count.optional(),
		cacheWrite: count.optional(),
		cacheWrite1h: count.optional(),
		reasoning: count.optional(),
		totalTokens: count.optional(),
		cost: z
			.looseObject({
				input: count.optional(),
				output: count.optional(),
				cacheRead: count.optional(),
				cacheWrite: count.optional(),
				total: count.optional(),
			})
			.optional(),
	})
	.openapi("Usage");

const toolSchema = z.looseObject({
	name: z.string(),
	description: z.string(),
	parameters: z.looseObject({}),
});

export const systemMessageSchema = z
	.looseObject({
		role: z.literal("system"),
		content: z.union([z.string(), z.array(textBlockSchema)], "expected a text, or text blocks"),
		sections: z
			.record(z.string(), z.string().nullable())
			.optional()
			.openapi({ description: "Patches of the prompt by name; null removes." }),
		toolsAdded: z.array(toolSchema).optional(),
		toolsRemoved: z.array(z.looseObject({ name: z.string() })).optional(),
		timestamp: epochMs,
	})
	.openapi("SystemMessage");

const userMessageSchema = z
	.looseObject({ role: z.literal("user"), content: plainContentSchema, timestamp: epochMs })
	.openapi("UserMessage");

const assistantMessageSchema = z
	.looseObject({
		role: z.literal("assistant"),
		content: z.array(z.discriminatedUnion("type", [textBlockSchema, thinkingBlockSchema, toolCallSchema])),
		api: z.string().optional(),
		provider: z.string().optional(),
		model: z.string().optional(),
		responseModel: z.string().optional(),
		responseId: z.string().optional(),
		providerThinkingLevel: z.string().optional(),
		thinkingLevel: z.string().optional(),
		diagnostics: z.array(z.unknown()).optional(),
		usage: usageSchema.optional(),
		stopReason: z.enum(["pending", "stop", "length", "toolUse", "error", "aborted", "deferred"]).optional(),
		deferred: z.looseObject({}).optional(),
		errorMessage: z.string().optional(),
		rawStopReason: z.string().optional(),
		endTurn: z.boolean().optional(),
		timestamp: epochMs,
	})
	.openapi("AssistantMessage");

const toolResultMessageSchema = z
	.looseObject({
		role: z.literal("toolResult"),
		toolCallId: z.string(),
		toolName: z.string().optional(),
		content: mediaBlocks,
		details: z.unknown().optional(),
		usage: usageSchema.optional(),
		nestedCalls: z
			.looseObject({
				calls: z.array(
					z.looseObject({
						id: z.string(),
						name: z.string(),
						status: z.enum(["ok", "error", "unfinished"]),
					}),
				),
				complete: z.boolean(),
			})
			.optional(),
		isError: z.boolean().optional(),
		timestamp: epochMs,
	})
	.openapi("ToolResultMessage");

const bashExecutionMessageSchema = z
	.looseObject({
		role: z.literal("bashExecution"),
		command: z.string(),
		output: z.string(),
		exitCode: z.number().nullable().optional(),
		cancelled: z.boolean().optional(),
		truncated: z.boolean().optional(),
		fullOutputPath: z.string().optional(),
		excludeFromContext: z.boolean().optional(),
		timestamp: epochMs,
	})
	.openapi("BashExecutionMessage");

const customRoleMessageSchema = z
	.looseObject({
		role: z.literal("custom"),
		customType: z.string(),
		content: plainContentSchema,
		display: z.boolean().optional(),
		details: z.unknown().optional(),
		timestamp: epochMs,
	})
	.openapi("CustomMessage");

const branchSummaryMessageSchema = z
	.looseObject({
		role: z.literal("branchSummary"),
		summary: z.string(),
		fromId: z.string().nullable(),
		timestamp: epochMs,
	})
	.openapi("BranchSummaryMessage");

const compactionSummaryMessageSchema = z
	.looseObject({
		role: z.literal("compactionSummary"),
		summary: z.string(),
		tokensBefore: count,
		timestamp: epochMs,
	})
	.openapi("CompactionSummaryMessage");

const otherMessageSchema = z
	.looseObject({ role: z.string().min(1) })
	.openapi("OtherMessage", { description: "A message of an application's own role." });

/** The message schemas by role. */
export const messageSchemas = new Map<string, z.ZodType>([
	["system", systemMessageSchema],
	["user", userMessageSchema],
	["assistant", assistantMessageSchema],
	["toolResult", toolResultMessageSchema],
	["bashExecution", bashExecutionMessageSchema],
	["custom", customRoleMessageSchema],
	["branchSummary", branchSummaryMessageSchema],
	["compactionSummary", compactionSummaryMessageSchema],
]);

/** Any message. To check one, take the schema of its role: that tells better what is wrong. */
export const messageSchema = z
	.union([
		systemMessageSchema,
		userMessageSchema,
		assistantMessageSchema,
		toolResultMessageSchema,
		bashExecutionMessageSchema,
		customRoleMessageSchema,
		branchSummaryMessageSchema,
		compactionSummaryMessageSchema,
		otherMessageSchema,
	])
	.openapi("Message");
