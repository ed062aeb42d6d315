/** What a key does to the tree. */
export type Command =
	| "down"
	| "up"
	| "page down"
	| "page up"
	| "top"
	| "bottom"
	| "in"
	| "out"
	| "next sibling"
	| "previous sibling"
	| "to leaf"
	| "open"
	| "fold"
	| "fold others"
	| "search"
	| "context"
	| "mark"
	| "compare"
	| "label"
	| "set leaf"
	| "fork"
	| "copy"
	| "help"
	| "back";

/** The keys, in the order in which the help shows them. */
export const keys: readonly {
	readonly keys: readonly string[];
	readonly command: Command;
	readonly does: string;
}[] = [
	{ keys: ["j", "ArrowDown"], command: "down", does: "next row" },
	{ keys: ["k", "ArrowUp"], command: "up", does: "row before" },
	{ keys: ["l", "ArrowRight"], command: "in", does: "unfold, or to the first child" },
	{ keys: ["h", "ArrowLeft"], command: "out", does: "fold a branch’s begin, or to the parent" },
	{ keys: ["]", "J"], command: "next sibling", does: "next sibling" },
	{ keys: ["[", "K"], command: "previous sibling", does: "sibling before" },
	{ keys: [" "], command: "fold", does: "fold, unfold" },
	{ keys: ["z"], command: "fold others", does: "fold all branches but the live one, or unfold all" },
	{ keys: ["."], command: "to leaf", does: "to the leaf" },
	{ keys: ["g", "Home"], command: "top", does: "to the top" },
	{ keys: ["G", "End"], command: "bottom", does: "to the bottom" },
	{ keys: ["PageDown"], command: "page down", does: "a page down" },
	{ keys: ["PageUp"], command: "page up", does: "a page up" },
	{ keys: ["Enter"], command: "open", does: "read the entry; again: scroll in it" },
	{ keys: ["/"], command: "search", does: "search the first words, labels and ids" },
	{ keys: ["x"], command: "context", does: "the context, as the model sees it here" },
	{ keys: ["m"], command: "mark", does: "mark as the other side of a comparison" },
	{ keys: ["c"], command: "compare", does: "compare with the mark, or with the leaf" },
	{ keys: ["t"], command: "label", does: "label" },
	{ keys: ["s"], command: "set leaf", does: "set the leaf" },
	{ keys: ["f"], command: "fork", does: "fork into a new session" },
	{ keys: ["y"], command: "copy", does: "copy the text" },
	{ keys: ["?"], command: "help", does: "these keys" },
	{ keys: ["Escape"], command: "back", does: "back" },
];

const commands = new Map(keys.flatMap(({ keys: names, command }) => names.map((name) => [name, command])));

/** What a key does; nothing with Ctrl, Alt or Meta, which belong to the browser. */
export function commandOf(key: {
	readonly key: string;
	readonly ctrlKey: boolean;
	readonly altKey: boolean;
	readonly metaKey: boolean;
}): Command | undefined {
	return key.ctrlKey || key.altKey || key.metaKey ? undefined : commands.get(key.key);
}
