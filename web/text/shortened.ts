import type { TreeNode } from "../tree/tree.ts";

/** Characters at which the service cuts previews: those of assistants share their place with the model. */
const cut = { assistant: 56, other: 80 };

/** A preview as a row shows it: an assistant's without the marks of Markdown, and with dots where it was cut. */
export function shortened({ preview, role }: Pick<TreeNode, "preview" | "role">): string {
	const wasCut = preview.length >= (role === "assistant" ? cut.assistant : cut.other) - 1;
	const plain = (role === "assistant" ? withoutMarks(preview) : preview).trim();
	return wasCut && plain !== "" ? `${plain} …` : plain;
}

/** Pairs of marks around words, and one that the cut parted from its other half. */
function withoutMarks(text: string): string {
	return text
		.replaceAll(/\*\*(?=\S)([^*]*[^*\s])\*\*/g, "$1")
		.replaceAll(/`([^`]+)`/g, "$1")
		.replace(/(^|\s)\*\*(?=[^*\s][^*]*$)/, "$1")
		.replace(/(^|\s)`(?=[^`]*$)/, "$1")
		.replace(/(^|\s)```\s*/, "$1");
}
