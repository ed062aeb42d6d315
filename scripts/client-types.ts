/** Writes the OpenAPI document's schemas and calls as TypeScript, for the client, which needs no validator. */

interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly description?: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: boolean | Schema;
	readonly items?: Schema;
	readonly allOf?: readonly Schema[];
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
}

interface Parameter {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	readonly schema: Schema;
}

interface Operation {
	readonly operationId: string;
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: {
		readonly required?: boolean;
		readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
	};
	readonly responses: Readonly<
		Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
	>;
}

/** What is read of an OpenAPI document. */
export interface Document {
	readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** A TypeScript module: a type for each schema, and `Operations` and `operations` for the calls under /v1. */
export function clientTypes(document: Document): string {
	const schemas = Object.entries(document.components.schemas).map(
		([name, schema]) => `${comment(schema, "")}export type ${name} = ${typeOf(schema, "")};\n`,
	);
	const calls = Object.entries(document.paths)
		.filter(([path]) => path.startsWith("/v1/"))
		.flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
		);
	const types = calls.map(({ operation }) => `\t${operation.operationId}: ${callType(operation)};\n`);
	const routes = calls.map(
		({ path, method, operation }) =>
			`\t${operation.operationId}: { method: "${method.toUpperCase()}", path: "${path}" },\n`,
	);
	return [
		"// Generated from schemas/openapi.json by `npm run client:types`.\n",
		...schemas,
		"/** The calls: what each takes and answers. */",
		`export interface Operations {\n${types.join("")}}\n`,
		"/** Where each call is. */",
		`export const operations = {\n${routes.join("")}} as const;\n`,
	].join("\n");
}

function callType(operation: Operation): string {
	const groupOf = (where: string) => {
		const members = (operation.parameters ?? []).filter((parameter) => parameter.in === where).map(memberOf);
		return members.length === 0 ? "Record<never, never>" : `{ ${members.join(" ")} }`;
	};
	const [body] = Object.values(operation.requestBody?.content ?? {});
	const bodyType = body ? typeOf(body.schema, "\t") : "undefined";
	const answers = Object.entries(operation.responses)
		.filter(([status]) => status.startsWith("2"))
		.flatMap(([, { content = {} }]) => {
			// Where an answer comes as a stream or as JSON, the client asks for JSON.
			const json = content["application/json"];
			return (json ? [json] : Object.values(content)).map(({ schema }) => typeOf(schema, "\t"));
		});
	return [
		"{",
		`\t\tpath: ${groupOf("path")};`,
		`\t\tquery: ${groupOf("query")};`,
		`\t\tbody: ${bodyType};`,
		`\t\tanswer: ${[...new Set(answers)].join(" | ") || "undefined"};`,
		"\t}",
	].join("\n");
}

function memberOf({ name, required, schema }: Parameter): string {
	return `${nameOf(name)}${required ? "" : "?"}: ${typeOf(schema, "\t\t")}${required ? "" : " | undefined"};`;
}

function typeOf(schema: Schema, indent: string): string {
	if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "unknown";
	if (schema.const !== undefined) return JSON.stringify(schema.const);
	if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices !== undefined) return unionOf(choices.map((choice) => typeOf(choice, indent)));
	if (schema.allOf !== undefined) return allOf(schema.allOf, indent);
	if (typeof schema.type === "object") {
		return unionOf(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
	}
	switch (schema.type) {
		case "string":
		case "boolean":
		case "null":
			return schema.type;
		case "integer":
		case "number":
			return "number";
		case "array":
			return `readonly (${typeOf(schema.items ?? {}, indent)})[]`;
		case "object":
			return objectType(schema, indent);
		default:
			return "unknown";
	}
}

/** A part without a type only describes; one that allows null stands for "or null". */
function allOf(parts: readonly Schema[], indent: string): string {
	const nullable = parts.some((part) => typeof part.type === "object" && part.type.includes("null"));
	const kept = parts.filter(
		(part) => typeof part.type !== "object" && Object.keys(part).some((key) => key !== "description"),
	);
	const types = kept.map((part) => typeOf(part, indent)).filter((type) => type !== "unknown");
	const all = types.length === 0 ? "unknown" : types.map((type) => `(${type})`).join(" & ");
	return nullable ? unionOf([all, "null"]) : all;
}

function unionOf(types: readonly string[]): string {
	return [...new Set(types)].map((type) => (type.includes(" ") ? `(${type})` : type)).join(" | ");
}

function objectType(schema: Schema, indent: string): string {
	const inner = `${indent}\t`;
	const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
		const optional = !schema.required?.includes(name);
		return `${comment(member, inner)}${inner}readonly ${nameOf(name)}${optional ? "?" : ""}: ${typeOf(member, inner)}${optional ? " | undefined" : ""};\n`;
	});
	const { additionalProperties: more } = schema;
	if (more !== undefined && more !== false) {
		const type = members.length > 0 || more === true ? "unknown" : typeOf(more, inner);
		members.push(`${inner}readonly [key: string]: ${type};\n`);
	}
	return members.length === 0 ? "{ readonly [key: string]: never }" : `{\n${members.join("")}${indent}}`;
}

function nameOf(name: string): string {
	return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function comment({ description }: Schema, indent: string): string {
	return description === undefined ? "" : `${indent}/** ${description.replaceAll("*/", "*\\/")} */\n`;
}
