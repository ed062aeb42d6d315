import type { LogView } from "../log/log.ts";
import { editorText, type NavigationMove } from "../session/navigation.ts";
import { entryOf } from "../session/record.ts";

/** What a navigation puts back into the editor; undefined where its target isn't something that a user wrote. */
export async function editorTextOf(view: LogView, move: NavigationMove): Promise<string | undefined> {
	if (move.editorSeq === undefined) return undefined;
	const line = (await view.bodies([move.editorSeq])).get(move.editorSeq);
	return line && editorText(entryOf(line));
}
