import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Schema } from "./json-schema.ts";

export interface Parameter {
	readonly name: string;
	readonly in: "path" | "query" | "header";
	readonly required?: boolean;
	readonly schema: Schema;
}

interface Content {
	readonly [type: string]: { readonly schema: Schema };
}

export interface Operation {
	readonly operationId: string;
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: { readonly required?: boolean; readonly content: Content };
	readonly responses: { readonly [status: string]: { readonly content?: Content } };
}

export interface Call {
	readonly method: string;
	readonly path: string;
	readonly operation: Operation;
}

interface Document {
	readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
	readonly components: { readonly schemas: { readonly [name: string]: Schema } };
}

const text = readFileSync(join(import.meta.dirname, "../../schemas/openapi.json"), "utf8");
export const document = JSON.parse(text) as Document;

/** All calls that the document tells of, under /v1. */
export const calls: readonly Call[] = Object.entries(document.paths)
	.filter(([path]) => path.startsWith("/v1"))
	.flatMap(([path, operations]) =>
		Object.entries(operations).map(([method, operation]) => ({
			method: method.toUpperCase(),
			path,
			operation,
		})),
	);

export function resolve(ref: string): Schema {
	const schema = document.components.schemas[ref.replace("#/components/schemas/", "")];
	if (schema === undefined) throw new Error(`the document has no ${ref}`);
	return schema;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document as object, "openapi");
const validators = new Map<string, ValidateFunction>();

/** What is wrong with an answer, as the document tells it; undefined where nothing is. */
export function problemOf(
	{ path, method, operation }: Call,
	answer: { readonly status: number; readonly type: string | null; readonly body: unknown },
): string | undefined {
	const response = operation.responses[answer.status];
	if (response === undefined) return `${answer.status} is not documented`;
	if (response.content === undefined) return undefined;
	const type = (answer.type ?? "").split(";")[0] ?? "";
	const content = response.content[type] ?? response.content["*/*"];
	if (content === undefined) return `${answer.status} has the type ${type}, which is not documented`;
	if (!/json$/.test(type) || type.endsWith("ndjson")) return undefined;
	const pointer = [path, method.toLowerCase(), "responses", String(answer.status), "content", type, "schema"]
		.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
		.join("/");
	const ref = `openapi#/paths/${pointer}`;
	const validate = validators.get(ref) ?? ajv.compile({ $ref: ref });
	validators.set(ref, validate);
	return validate(answer.body) ? undefined : ajv.errorsText(validate.errors);
}
