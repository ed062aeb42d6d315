import { z } from "@hono/zod-openapi";
import { entryIdSchema, entrySchema, entryTypes } from "./entry.ts";
import { limits } from "./limits.ts";
import { entryIdParameter, flag, mediaParameter, several, wholeNumber } from "./query.ts";
import { seqSchema } from "./session.ts";

export const leafIdSchema = entryIdSchema
	.nullable()
	.openapi({ description: "Null where nothing is current yet." });

export const leafSchema = z.object({ leafId: leafIdSchema, seq: seqSchema }).openapi("Leaf");

export const setLeafSchema = z.strictObject({ targetId: z.string().nullable() }).openapi("SetLeaf");

export const leafMovedSchema = leafSchema
	.extend({
		entry: entrySchema.optional().openapi({ description: "The `leaf` entry, where one was written." }),
	})
	.openapi("LeafMoved");

export const branchQuery = z.strictObject({
	from: entryIdParameter.optional().openapi({ description: "The path of this entry instead of the leaf's." }),
	limit: wholeNumber({ min: 1, max: limits.sessionEntries })
		.optional()
		.openapi({ description: "The newest so many. Without it the whole path." }),
	before: entryIdParameter
		.optional()
		.openapi({ description: "An entry on the path: only strictly older ones." }),
	include: several(["siblings"]).optional(),
	media: mediaParameter,
});

export const branchSchema = z
	.object({
		entries: z.array(entrySchema).openapi({ description: "Root first." }),
		leafId: leafIdSchema,
		seq: seqSchema,
		nextBefore: entryIdSchema.optional().openapi({ description: "`before` of the next older page." }),
		siblings: z.record(z.string(), z.array(entryIdSchema)).optional().openapi({
			description: "For each entry that has any: all children of its parent in tree order, itself included.",
		}),
	})
	.openapi("Branch");

export const treeQuery = z.strictObject({
	types: several(entryTypes).optional(),
	q: z.string().optional().openapi({ description: "Text in id, preview or label, whatever its case." }),
	labeled: flag.optional().openapi({ description: "Only entries that have a label." }),
});

export const treeSchema = z
	.object({
		roots: z.array(entryIdSchema),
		nodes: z.array(
			z
				.object({
					id: entryIdSchema,
					parentId: entryIdSchema.nullable(),
					type: z.string(),
					role: z.string().optional(),
					toolCallId: z.string().optional(),
					timestamp: z.string(),
					preview: z.string(),
					label: z.string().optional(),
					labelTimestamp: z.string().optional(),
					children: z.array(entryIdSchema).openapi({ description: "By timestamp, then log order." }),
				})
				.openapi("TreeNode"),
		),
		leafId: leafIdSchema,
		seq: seqSchema,
	})
	.openapi("Tree");

export const labelsSchema = z
	.object({
		labels: z.array(
			z.object({ targetId: entryIdSchema, label: z.string(), timestamp: z.string() }).openapi("Label"),
		),
		seq: seqSchema,
	})
	.openapi("Labels");
