import type { Api } from "../api/api.ts";

/** Imports session files one after the other: the id of the last session made, and what went wrong with others. */
export async function importFiles(
	api: Pick<Api, "import">,
	files: Iterable<File>,
): Promise<{ readonly last?: string; readonly problem?: string }> {
	let last: string | undefined;
	const problems: string[] = [];
	for (const file of files) {
		try {
			last = (await api.import(file)).session.id;
		} catch (problem) {
			problems.push(`${file.name}: ${(problem as Error).message}`);
		}
	}
	return {
		...(last !== undefined && { last }),
		...(problems.length > 0 && { problem: problems.join("\n") }),
	};
}
