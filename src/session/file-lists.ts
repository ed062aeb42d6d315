import { isRecord, type JsonRecord, stringOf } from "./entry.ts";

/** The files that a conversation touched, each list sorted. */
export interface FileLists {
	/** Those that were read and not modified. */
	readonly readFiles: readonly string[];
	readonly modifiedFiles: readonly string[];
}

/** Gathers the files that tool calls name: calls of `read`, `write` and `edit`, by their `path`. */
export class FileGatherer {
	readonly #read = new Set<string>();
	readonly #modified = new Set<string>();

	/** Takes the calls of an assistant message, or those that a script made and its result tells of. */
	message(message: JsonRecord): void {
		if (message.role === "assistant") {
			for (const block of listOf(message.content)) if (block.type === "toolCall") this.#call(block);
		} else if (message.role === "toolResult" && isRecord(message.nestedCalls)) {
			for (const call of listOf(message.nestedCalls.calls)) this.#call(call);
		}
	}

	/** Takes over what an earlier summary knew: `details` of an entry, unless somebody else's hook wrote it. */
	summary(entry: JsonRecord): void {
		if (entry.fromHook || !isRecord(entry.details)) return;
		for (const file of stringsOf(entry.details.readFiles)) this.#read.add(file);
		for (const file of stringsOf(entry.details.modifiedFiles)) this.#modified.add(file);
	}

	lists(): FileLists {
		return {
			readFiles: [...this.#read].filter((file) => !this.#modified.has(file)).sort(),
			modifiedFiles: [...this.#modified].sort(),
		};
	}

	#call(call: JsonRecord): void {
		const path = isRecord(call.arguments) ? stringOf(call.arguments.path) : undefined;
		if (path === undefined || path === "") return;
		if (call.name === "read") this.#read.add(path);
		else if (call.name === "write" || call.name === "edit") this.#modified.add(path);
	}
}

/** The lists as the end of a summary; "" where both are empty. */
export function fileListsText({ readFiles, modifiedFiles }: FileLists): string {
	return list("Files Read", readFiles) + list("Files Modified", modifiedFiles);
}

/** A summary without the lists that `fileListsText` put at its end. */
export function withoutFileLists(summary: string, details: unknown): string {
	if (!isRecord(details)) return summary;
	const { readFiles, modifiedFiles } = details;
	const end = fileListsText({ readFiles: stringsOf(readFiles), modifiedFiles: stringsOf(modifiedFiles) });
	return end !== "" && summary.endsWith(end) ? summary.slice(0, -end.length) : summary;
}

function list(heading: string, files: readonly string[]): string {
	if (files.length === 0) return "";
	return `\n\n## ${heading}\n${files.map((file) => `- ${file}`).join("\n")}`;
}

function listOf(value: unknown): JsonRecord[] {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}

function stringsOf(value: unknown): string[] {
	return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
