import fc from "fast-check";

/** A JSON schema, as far as the OpenAPI document uses them. */
export interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly oneOf?: readonly Schema[];
	readonly anyOf?: readonly Schema[];
	readonly allOf?: readonly Schema[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: boolean | Schema;
	readonly items?: Schema;
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly minLength?: number;
	readonly pattern?: string;
	readonly nullable?: boolean;
}

export interface Words {
	/** Follows a `$ref`. */
	resolve(ref: string): Schema;
	/** What a property of this name often holds: ids that are there. */
	known(property: string): readonly string[] | undefined;
}

/** Values that a schema allows, more or less: a part of them names things that are there. */
export function valid(schema: Schema, words: Words, name = "", depth = 0): fc.Arbitrary<unknown> {
	if (schema.$ref !== undefined) return valid(words.resolve(schema.$ref), words, name, depth);
	if (schema.const !== undefined) return fc.constant(schema.const);
	if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
	const choices = schema.oneOf ?? schema.anyOf;
	if (choices !== undefined) return fc.oneof(...choices.map((one) => valid(one, words, name, depth)));
	if (schema.allOf !== undefined) {
		const parts = schema.allOf.map((one) => valid(one, words, name, depth));
		return fc.tuple(...parts).map((values) => Object.assign({}, ...values.filter(isObject)) as unknown);
	}
	const types = [schema.type ?? []].flat();
	if (types.length > 1)
		return fc.oneof(...types.map((type) => valid({ ...schema, type }, words, name, depth)));
	switch (types[0]) {
		case "string":
			return strings(schema, words.known(name));
		case "integer":
		case "number":
			return numbers(schema);
		case "boolean":
			return fc.boolean();
		case "null":
			return fc.constant(null);
		case "array":
			return fc.array(valid(schema.items ?? {}, words, name, depth + 1), {
				minLength: schema.minItems ?? 0,
				maxLength: Math.min(schema.maxItems ?? 3, depth > 4 ? 1 : 3),
			});
		case "object":
			return objects(schema, words, depth);
		default:
			return fc.jsonValue({ maxDepth: 2 });
	}
}

function strings(schema: Schema, known: readonly string[] | undefined): fc.Arbitrary<string> {
	const length = { minLength: schema.minLength ?? 0, maxLength: 20 };
	const free: fc.Arbitrary<string>[] =
		schema.pattern === undefined
			? [fc.string(length), fc.string({ ...length, unit: "binary" }), fc.constant("2026-01-02T03:04:05.000Z")]
			: [fc.stringMatching(/^[A-Za-z0-9]{1,12}$/)];
	const named = known === undefined ? [] : [{ weight: 8, arbitrary: fc.constantFrom(...known) }];
	return fc.oneof(...free.map((arbitrary) => ({ weight: 1, arbitrary })), ...named);
}

function numbers({ minimum = -1000, maximum = 100_000, type }: Schema): fc.Arbitrary<number> {
	const small = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20) });
	const any = fc.integer({ min: Math.max(minimum, -(2 ** 53)), max: Math.min(maximum, 2 ** 53 - 1) });
	return type === "number"
		? fc.oneof(small, fc.double({ noNaN: true, min: minimum, max: maximum }))
		: fc.oneof(small, any);
}

function objects(schema: Schema, words: Words, depth: number): fc.Arbitrary<unknown> {
	const properties = schema.properties ?? {};
	const required = schema.required ?? [];
	const deep = depth > 5;
	const fields = Object.entries(properties)
		.filter(([name]) => !deep || required.includes(name))
		.map(([name, one]): [string, fc.Arbitrary<unknown>] => [name, valid(one, words, name, depth + 1)]);
	const own = fc.record(Object.fromEntries(fields), {
		requiredKeys: required.filter((name) => name in properties),
	});
	if (schema.additionalProperties === false || schema.additionalProperties === undefined) return own;
	const more = fc.dictionary(oddNames, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 1 });
	return fc.tuple(more, own).map(([extra, given]) => ({ ...extra, ...given }));
}

const oddNames = fc.oneof(
	fc.string({ maxLength: 6 }),
	fc.constantFrom("constructor", "toString", "x-extension"),
);

/** What stands where something else should: of any type, and of every sort of trouble. */
export const odd: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom<unknown>(
		null,
		true,
		0,
		-1,
		1.5,
		1e308,
		2 ** 53,
		"",
		"\u0000",
		"\ud800",
		"__proto__",
		"constructor",
		"../..",
		"%00",
		"a\r\nb: c",
		"9999-99-99T99:99:99Z",
		"+275760-09-13T00:00:00.001Z",
		[],
		{},
		[[]],
		"x".repeat(5000),
	),
	fc.jsonValue({ maxDepth: 3 }),
);

/** The value with one thing wrong somewhere: replaced, left out, added, or doubled. */
export function broken(value: unknown): fc.Arbitrary<unknown> {
	if (Array.isArray(value)) {
		const inside = value.map((one, at) => broken(one).map((other) => value.with(at, other)));
		return fc.oneof(
			odd,
			odd.map((more) => [...value, more]),
			fc.constant([...value, ...value]),
			...inside,
		);
	}
	if (!isObject(value)) return odd;
	const names = Object.keys(value);
	const inside = names.map((name) => broken(value[name]).map((other) => ({ ...value, [name]: other })));
	return fc.oneof(
		{ weight: 1, arbitrary: odd },
		{ weight: 1, arbitrary: fc.tuple(oddNames, odd).map(([name, other]) => ({ ...value, [name]: other })) },
		...names.map((name) => ({ weight: 1, arbitrary: fc.constant(without(value, name)) })),
		...inside.map((arbitrary) => ({ weight: 3, arbitrary })),
	);
}

function without(value: Record<string, unknown>, name: string): Record<string, unknown> {
	return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
