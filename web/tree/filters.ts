import { kindOf } from "./kinds.ts";
import type { TreeNode } from "./tree.ts";

/** Which entries a tree shows. */
export const filters = ["conversation", "no tools", "users", "labelled", "all"] as const;

export type Filter = (typeof filters)[number];

/** True for an entry that the filter shows and that has each of these words in its preview, label or id. */
export function shows(node: TreeNode, filter: Filter, words: readonly string[]): boolean {
	return passes(node, filter) && words.every((word) => hasWord(node, word));
}

/** The words of a search, in lower case. */
export function wordsOf(search: string): string[] {
	return search.toLowerCase().split(/\s+/u).filter(Boolean);
}

function passes(node: TreeNode, filter: Filter): boolean {
	const kind = kindOf(node);
	switch (filter) {
		case "all":
			return true;
		case "labelled":
			return node.label !== undefined;
		case "users":
			return kind === "user";
		case "no tools":
			return isTalk(node) && kind !== "tool" && !isToolCall(node);
		case "conversation":
			return isTalk(node);
	}
}

/** What is said or summed up, and what changes that; not the settings and marks beside it. */
function isTalk(node: TreeNode): boolean {
	const kind = kindOf(node);
	return kind !== "setting" && kind !== "mark" && node.type !== "custom";
}

/** An assistant's message without text calls tools, or thinks. */
function isToolCall(node: TreeNode): boolean {
	return node.role === "assistant" && node.preview === "" && node.children.length > 0;
}

function hasWord(node: TreeNode, word: string): boolean {
	return [node.preview, node.label ?? "", node.id].some((text) => text.toLowerCase().includes(word));
}
