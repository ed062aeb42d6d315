import { entryJsonSchema } from "../../schemas/entry.ts";
import { endpoints } from "./endpoints.ts";
import { openApiDocument } from "./openapi.ts";

/** The files of the repository that are derived from the code, by path: what they should hold. */
export function generatedFiles(): ReadonlyMap<string, string> {
	const json = (value: unknown) => `${JSON.stringify(value, null, "\t")}\n`;
	return new Map([
		["schemas/openapi.json", json(openApiDocument(endpoints))],
		["schemas/entry.schema.json", json(entryJsonSchema())],
	]);
}
