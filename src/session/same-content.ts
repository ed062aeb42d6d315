import { type Entry, isRecord, type NewEntry } from "./entry.ts";
import { equalJson } from "./equal-json.ts";
import { storedLabel } from "./labels.ts";
import { sanitizeName } from "./name.ts";

/**
 * True where a client that sends `given` again means `stored`: every field given equals what was stored of it.
 * What was filled in when it was stored doesn't matter.
 */
export function sameContent(given: NewEntry, stored: Entry): boolean {
	return Object.keys(given).every((field) => {
		if (given[field] === undefined) return true;
		return sameField(stored, field, given[field], stored[field]);
	});
}

function sameField(stored: Entry, field: string, given: unknown, kept: unknown): boolean {
	if (equalJson(given, kept)) return Object.hasOwn(stored, field);
	switch (`${stored.type}.${field}`) {
		case "session_info.name":
			return typeof given === "string" && sanitizeName(given) === kept;
		case "label.label":
			return typeof given === "string" && storedLabel(given) === kept;
		case "compaction.firstKeptEntryId":
			return given === null && kept === stored.id;
		case "context_edit.replacement":
			return isRecord(given) && isRecord(kept) && sameReplacement(given, kept);
		default:
			return false;
	}
}

/** A text may have been stored as a block, see `placeEntries`. */
function sameReplacement(given: { readonly content?: unknown }, kept: unknown): boolean {
	const blocks = [{ type: "text", text: given.content }];
	return typeof given.content === "string" && equalJson({ ...given, content: blocks }, kept);
}
