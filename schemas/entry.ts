import { z } from "@hono/zod-openapi";
import { limits } from "./limits.ts";
import {
	messageSchema,
	messageSchemas,
	plainContentSchema,
	systemMessageSchema,
	usageSchema,
} from "./message.ts";

/** The `customType` of the entry that an export ends with where the leaf isn't the last entry. */
export const leafMarkerType = "leaflog.leaf";

const entryIdPattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.entryIdCharacters}}$`);

export const entryIdSchema = z
	.string()
	.regex(entryIdPattern, "1 to 64 of A-Z, a-z, 0-9, _ and -")
	.openapi("EntryId", { example: "a1b2c3d4" });

/** True for an id that entries may have. */
export function isEntryId(value: unknown): value is string {
	return typeof value === "string" && entryIdPattern.test(value);
}

const timestampSchema = z.iso
	.datetime({ offset: true })
	.refine((text) => !Number.isNaN(Date.parse(text)), "no such date")
	.openapi({ example: "2025-06-03T10:00:01.000Z" });

const replacementSchema = z.union([
	z.null(),
	z.looseObject({ content: z.union([z.string(), z.array(z.unknown())]) }),
]);

/** The fields of each entry type, besides `type`, `id`, `parentId` and `timestamp`. */
const fields = {
	message: { message: messageSchema },
	model_change: { provider: z.string(), modelId: z.string() },
	thinking_level_change: { thinkingLevel: z.string() },
	compaction: {
		summary: z.string(),
		firstKeptEntryId: entryIdSchema.nullable().openapi({
			description:
				"The first entry of the path that is kept. The compaction's own id keeps nothing, as does null.",
		}),
		tokensBefore: z.number(),
		details: z.unknown().optional(),
		usage: usageSchema.optional(),
		fromHook: z.boolean().optional(),
		systemMessage: systemMessageSchema.optional(),
	},
	context_edit: { targetId: entryIdSchema, replacement: replacementSchema },
	branch_summary: {
		fromId: z.string(),
		summary: z.string(),
		details: z.unknown().optional(),
		usage: usageSchema.optional(),
		fromHook: z.boolean().optional(),
	},
	usage: {
		kind: z.string(),
		provider: z.string(),
		model: z.string(),
		usage: usageSchema,
		note: z.string().optional(),
	},
	custom: {
		customType: z.string().refine((type) => type !== leafMarkerType, "is kept for exports"),
		data: z.unknown().optional(),
	},
	custom_message: {
		customType: z.string(),
		content: plainContentSchema,
		display: z.boolean(),
		details: z.unknown().optional(),
	},
	label: { targetId: entryIdSchema, label: z.string().optional() },
	session_info: { name: z.string(), metadata: z.looseObject({}).nullable().optional() },
	leaf: { targetId: entryIdSchema.nullable() },
};

export type EntryType = keyof typeof fields;

export const entryTypes = Object.keys(fields) as [EntryType, ...EntryType[]];

const stored = { id: entryIdSchema, parentId: entryIdSchema.nullable(), timestamp: z.string() };
const sent = {
	id: entryIdSchema.optional(),
	parentId: entryIdSchema.nullable().optional(),
	timestamp: timestampSchema.optional(),
};

function schemasWith<Base extends z.core.$ZodLooseShape>(base: Base, suffix: string) {
	const of = <Type extends EntryType>(type: Type) =>
		z
			.looseObject({ type: z.literal(type), ...base, ...fields[type] })
			.openapi(`${type.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}${suffix}`);
	return [
		of("message"),
		of("model_change"),
		of("thinking_level_change"),
		of("compaction"),
		of("context_edit"),
		of("branch_summary"),
		of("usage"),
		of("custom"),
		of("custom_message"),
		of("label"),
		of("session_info"),
		of("leaf"),
	] as const;
}

/** A stored entry, for documents. Imported files are kept as they are, so a stored one may be of any other shape. */
export const entrySchema = z.discriminatedUnion("type", schemasWith(stored, "Entry")).openapi("Entry");

/** An entry to append, for documents; `newEntryIssues` is what judges one. */
export const newEntrySchema = z.discriminatedUnion("type", schemasWith(sent, "NewEntry")).openapi("NewEntry");

/** What judges a message entry and a context edit apart from their message and replacement. */
const loosely = new Map<EntryType, z.ZodType>(
	entryTypes.map((type) => [
		type,
		z.looseObject({
			type: z.literal(type),
			...sent,
			...fields[type],
			...(type === "message" ? { message: z.looseObject({ role: z.string().min(1) }) } : {}),
			// Its replacement is judged against the state, after the target.
			...(type === "context_edit" ? { replacement: z.unknown().optional() } : {}),
		}),
	]),
);

/** One thing wrong with an entry; the path leads to it from the entry. */
export interface EntryIssue {
	readonly path: readonly (string | number)[];
	readonly message: string;
}

/**
 * What is wrong with an entry that a client sent, nothing where it is a NewEntry. The value itself is what to keep:
 * a schema's output may lack a `__proto__` key.
 */
export function newEntryIssues(value: unknown): EntryIssue[] {
	if (typeof value !== "object" || value === null || Array.isArray(value)) {
		return [{ path: [], message: "expected an object" }];
	}
	const entry = value as { readonly [field: string]: unknown };
	const schema = loosely.get(entry.type as EntryType);
	if (schema === undefined) return [{ path: ["type"], message: `expected one of ${entryTypes.join(", ")}` }];
	const issues = issuesOf(schema, entry, []);
	if (issues.length > 0) return issues;
	if (entry.type === "message") return messageIssues(entry.message, ["message"]);
	if (entry.type === "compaction") return sectionIssues(entry.systemMessage, ["systemMessage"]);
	return [];
}

function messageIssues(value: unknown, path: readonly string[]): EntryIssue[] {
	const message = value as { readonly [field: string]: unknown };
	const schema = messageSchemas.get(message.role as string);
	if (schema === undefined) return [];
	const issues = issuesOf(schema, message, path);
	return issues.length > 0 ? issues : sectionIssues(message, path);
}

/** Records skip a key `__proto__`, so that section is looked at here. */
function sectionIssues(value: unknown, path: readonly string[]): EntryIssue[] {
	const message = value as { readonly role?: unknown; readonly sections?: object } | undefined;
	if (message?.role !== "system" || message.sections === undefined) return [];
	const section = Object.getOwnPropertyDescriptor(message.sections, "__proto__");
	const fine = section === undefined || section.value === null || typeof section.value === "string";
	return fine ? [] : [{ path: [...path, "sections", "__proto__"], message: "expected string or null" }];
}

function issuesOf(schema: z.ZodType, value: unknown, path: readonly string[]): EntryIssue[] {
	const result = schema.safeParse(value);
	if (result.success) return [];
	return result.error.issues.slice(0, 100).map((issue) => ({
		path: [...path, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))],
		message: issue.message,
	}));
}

/** The JSON Schema of stored entries, for `entry.schema.json`. */
export function entryJsonSchema(): object {
	return z.toJSONSchema(entrySchema, { io: "input", unrepresentable: "any" });
}
