/**
 * Rewrites what the generator makes of a named schema that may be null: `allOf` of the reference and of a type that
 * includes null, which null itself cannot meet. Answers a copy that says either.
 */
export function nullableReferences<T>(value: T): T {
	return rewritten(value) as T;
}

function rewritten(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(rewritten);
	if (typeof value !== "object" || value === null) return value;
	const copy = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rewritten(one)]));
	const [reference, more, ...others] = Array.isArray(copy.allOf) ? (copy.allOf as object[]) : [];
	if (reference === undefined || more === undefined || others.length > 0) return copy;
	if (!("$ref" in reference) || !("type" in more) || !Array.isArray(more.type)) return copy;
	if (!more.type.includes("null")) return copy;
	const { type: _, ...rest } = more;
	const { allOf: __, ...beside } = copy;
	return { ...beside, ...rest, anyOf: [reference, { type: "null" }] };
}
