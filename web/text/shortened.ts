import type { TreeNode } from "../tree/tree.ts";

/** Characters at which the service cuts previews: those of assistants share their place with the model. */
const cut = { assistant: 56, other: 80 };

/** A preview as a row shows it: without the marks of Markdown, and with dots where it was cut. */
export function shortened({ preview, role }: Pick<TreeNode, "preview" | "role">): string {
	const wasCut = preview.length >= (role === "assistant" ? cut.assistant : cut.other) - 1;
	const plain = preview.replaceAll(/\*\*|`+/g, "").trim();
	return wasCut && plain !== "" ? `${plain} …` : plain;
}
