import { isRecord } from "./entry.ts";

/** True where two JSON values are the same, whatever the order of their objects' keys. */
export function equalJson(one: unknown, other: unknown): boolean {
	if (one === other) return true;
	if (Array.isArray(one)) {
		return (
			Array.isArray(other) &&
			one.length === other.length &&
			one.every((value, place) => equalJson(value, other[place]))
		);
	}
	if (!isRecord(one) || !isRecord(other)) return false;
	const keys = Object.keys(one);
	return (
		keys.length === Object.keys(other).length &&
		keys.every((key) => Object.hasOwn(other, key) && equalJson(one[key], other[key]))
	);
}
