import type { Entry } from "../tree/grow.ts";
import { contentText } from "../tree/preview.ts";

/** All that an entry says, as plain text; its JSON where it says nothing in words. */
export function entryText(entry: Entry): string {
	const message = entry.message as { readonly [field: string]: unknown } | undefined;
	if (entry.type === "message" && message?.role === "bashExecution")
		return [message.command, message.output].filter((part) => typeof part === "string").join("\n");
	const said = message?.content ?? entry.content ?? entry.summary ?? entry.label ?? entry.name;
	return contentText(said, "\n") || JSON.stringify(entry, null, 2);
}
