import type { Projected } from "../api/api.ts";
import type { Entry } from "../tree/grow.ts";

/** What became of an entry of the path on its way to the model. */
export type ContextRow =
	| { readonly kind: "hidden"; readonly ids: readonly string[] }
	| {
			/** As it was said; with another content; taken out by an edit; or one that says nothing to the model. */
			readonly kind: "shown" | "edited" | "removed" | "silent";
			readonly id: string;
			readonly messages: Projected["messages"];
			/** The edit that did it. */
			readonly editId?: string;
	  };

/**
 * The context in the order in which the model reads it, and before it what a compaction hides of the path.
 * `path` holds the ids from the root to where the context is taken; `entries` and `projected` are the answers of
 * `view=entries` and `view=projection` there.
 */
export function contextRows(
	path: readonly string[],
	entries: readonly Entry[],
	projected: readonly Projected[],
): ContextRow[] {
	const edits = new Map(
		entries
			.filter(({ type }) => type === "context_edit")
			.map((edit) => [String(edit.targetId), edit] as const),
	);
	const inContext = new Set(projected.map(({ sourceEntryId }) => sourceEntryId));
	const hidden = path.filter((id) => !inContext.has(id));
	const rows = projected.map(({ sourceEntryId: id, messages }): ContextRow => {
		const edit = edits.get(id);
		const said = messages.length > 0;
		if (edit === undefined) return { kind: said ? "shown" : "silent", id, messages };
		return { kind: said ? "edited" : "removed", id, messages, editId: edit.id };
	});
	return hidden.length === 0 ? rows : [{ kind: "hidden", ids: hidden }, ...rows];
}
