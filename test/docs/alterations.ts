import type { Outcome } from "./claim.ts";
import { meets } from "./page.ts";

/** What a page could claim instead, one member changed, and would still be met: nothing, where the test is worth it. */
export function untrue({ expected, actual }: Outcome): unknown[] {
	return alterations(expected).filter((other) => meets(other, actual));
}

function alterations(value: unknown): unknown[] {
	if (Array.isArray(value)) {
		const changed = value.flatMap((member, at) => alterations(member).map((other) => value.with(at, other)));
		return [...changed, [...value, null]];
	}
	if (typeof value === "object" && value !== null) {
		const changed = Object.entries(value).flatMap(([key, member]) =>
			alterations(member).map((other) => ({ ...value, [key]: other })),
		);
		return [...changed, { ...value, besides: 1 }];
	}
	if (typeof value === "number") return [value + 1, String(value)];
	if (typeof value === "boolean") return [!value];
	// What is made up can be anything, but is there.
	if (typeof value === "string") return value === "…" ? [null] : [`${value} `, null];
	return ["null"];
}
