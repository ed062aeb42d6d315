import type { Command } from "../keys.ts";
import type { View } from "../route.ts";
import { type Layout, sibling, sideBranches } from "../tree/layout.ts";
import { pathTo, type Tree } from "../tree/tree.ts";
import type { Actions } from "./use-actions.ts";

/** What the keys act upon. */
export interface Desk {
	readonly picture: Layout;
	readonly tree: Tree;
	readonly selected: string | undefined;
	readonly folded: ReadonlySet<string>;
	readonly rowsOnScreen: number;
	setFolded(folded: ReadonlySet<string>): void;
	select(id: string): void;
	open(id: string, view: View): void;
	search(): void;
	mark(id: string): void;
	compare(id: string): void;
	label(id: string): void;
	readonly actions: Pick<Actions, "setLeaf" | "fork" | "copy">;
	help(): void;
	back(): void;
}

const always: ReadonlyMap<Command, (desk: Desk) => void> = new Map([
	["search", (desk: Desk) => desk.search()],
	["help", (desk: Desk) => desk.help()],
	["back", (desk: Desk) => desk.back()],
	["fold others", (desk: Desk) => desk.setFolded(foldOthers(desk))],
]);

const fold = (desk: Desk, id: string) => {
	if (desk.picture.families.has(id)) desk.setFolded(toggled(desk.folded, id));
};

/** What is done to the selected entry. `in` and `out` come here where they don't move. */
const toSelected: ReadonlyMap<Command, (desk: Desk, id: string) => void> = new Map([
	["fold", fold],
	["in", (desk: Desk, id: string) => desk.folded.has(id) && fold(desk, id)],
	["out", (desk: Desk, id: string) => !desk.folded.has(id) && fold(desk, id)],
	["open", (desk: Desk, id: string) => desk.open(id, "entry")],
	["context", (desk: Desk, id: string) => desk.open(id, "context")],
	["mark", (desk: Desk, id: string) => desk.mark(id)],
	["compare", (desk: Desk, id: string) => desk.compare(id)],
	["label", (desk: Desk, id: string) => desk.label(id)],
	["set leaf", (desk: Desk, id: string) => void desk.actions.setLeaf(id)],
	["fork", (desk: Desk, id: string) => void desk.actions.fork(id)],
	["copy", (desk: Desk, id: string) => void desk.actions.copy(id)],
]);

/** Does what a key asks for; nothing where there is nothing to do it to. */
export function runCommand(command: Command, desk: Desk): void {
	const general = always.get(command);
	const to = destination(command, desk);
	if (general !== undefined) general(desk);
	else if (to !== undefined) desk.select(to);
	else if (desk.selected !== undefined && desk.picture.parents.has(desk.selected))
		toSelected.get(command)?.(desk, desk.selected);
}

/** The entry that a movement leads to; undefined where it leads nowhere, or the command is none. */
function destination(command: Command, desk: Desk): string | undefined {
	const { picture, selected, rowsOnScreen } = desk;
	const { rows, rowOf, parents, families } = picture;
	const at = selected === undefined ? undefined : rowOf.get(selected);
	const row = (index: number) => rows[Math.max(0, Math.min(rows.length - 1, index))]?.id;
	switch (command) {
		case "top":
			return row(0);
		case "bottom":
			return row(rows.length - 1);
		case "to leaf":
			return picture.leaf ?? undefined;
		case "down":
			return row((at ?? -1) + 1);
		case "up":
			return row((at ?? 1) - 1);
		case "page down":
			return row((at ?? 0) + rowsOnScreen);
		case "page up":
			return row((at ?? 0) - rowsOnScreen);
	}
	if (selected === undefined || at === undefined) return undefined;
	const { joins } = rows[at]!;
	const family = families.get(selected) ?? [];
	switch (command) {
		case "next sibling":
			return sibling(picture, selected, 1);
		case "previous sibling":
			return sibling(picture, selected, -1);
		case "in":
			return desk.folded.has(selected) ? undefined : family[0];
		case "out":
			// At the begin of a branch the first time folds it, the second time leaves it.
			return joins && family.length > 0 && !desk.folded.has(selected)
				? undefined
				: (parents.get(selected) ?? undefined);
	}
	return undefined;
}

/** All branches but the live one folded; all unfolded where they are. */
export function foldOthers({
	picture,
	tree,
	folded,
}: Pick<Desk, "picture" | "tree" | "folded">): ReadonlySet<string> {
	const others = sideBranches(picture, new Set(pathTo(tree, tree.leafId)));
	return new Set(others.every((id) => folded.has(id)) ? [] : others);
}

export function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
	const other = new Set(set);
	if (!other.delete(id)) other.add(id);
	return other;
}
