import type { TreeNode } from "./tree.ts";

/** What an entry is to somebody who looks at it; also the name of its colour. */
export type Kind =
	| "user"
	| "assistant"
	| "tool"
	| "system"
	| "summary"
	| "edit"
	| "setting"
	| "mark"
	| "custom";

const ofRole: ReadonlyMap<string, Kind> = new Map([
	["user", "user"],
	["assistant", "assistant"],
	["toolResult", "tool"],
	["bashExecution", "tool"],
	["system", "system"],
	["branchSummary", "summary"],
	["compactionSummary", "summary"],
]);

const ofType: ReadonlyMap<string, Kind> = new Map([
	["compaction", "summary"],
	["branch_summary", "summary"],
	["context_edit", "edit"],
	["model_change", "setting"],
	["thinking_level_change", "setting"],
	["label", "mark"],
	["session_info", "mark"],
	["leaf", "mark"],
	["usage", "mark"],
]);

export function kindOf({ type, role }: Pick<TreeNode, "type" | "role">): Kind {
	return (type === "message" ? ofRole.get(role ?? "") : ofType.get(type)) ?? "custom";
}

const titles: ReadonlyMap<string, string> = new Map([
	["user", "User"],
	["assistant", "Assistant"],
	["toolResult", "Tool result"],
	["bashExecution", "Shell"],
	["system", "System"],
	["branchSummary", "Summary of a branch"],
	["compactionSummary", "Summary"],
	["compaction", "Compaction"],
	["branch_summary", "Summary of a branch"],
	["context_edit", "Edit of the context"],
	["model_change", "Model"],
	["thinking_level_change", "Thinking level"],
	["label", "Label"],
	["session_info", "Name"],
	["usage", "Usage"],
	["custom", "Extension’s data"],
	["custom_message", "Extension’s message"],
]);

/** What people call such an entry. Other types and roles are called what they are. */
export function titleOf({ type, role }: Pick<TreeNode, "type" | "role">): string {
	const name = type === "message" ? (role ?? "") : type;
	return titles.get(name) ?? (name || "Message");
}
