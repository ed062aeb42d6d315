/** What the fields of stored lines may be. Lines are sealed by checksums, but a reader trusts none of them blindly. */

/** A whole number from 0 that is exact. */
export function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The size 2^k of a block of commits that may end at commit n. */
export function isBlock(n: number, value: unknown): value is number {
	return isCount(value) && value > 0 && (n + 1) % value === 0 && Number.isInteger(Math.log2(value));
}

/** An id, or null. */
export function isIdOrNull(value: unknown): value is string | null {
	return value === null || typeof value === "string";
}

/** Epoch ms that a date can have, or a text. */
export function isTime(value: unknown): value is number | string {
	return typeof value === "string" || (Number.isSafeInteger(value) && Math.abs(value as number) <= 8.64e15);
}

export function isObject(value: unknown): value is Record<string, never> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Pairs of a commit before n and a length, ascending. */
export function isCover(n: number, value: unknown): value is [number, number][] {
	if (!Array.isArray(value)) return false;
	let before = -1;
	return value.every((pair: unknown) => {
		if (!Array.isArray(pair) || pair.length !== 2) return false;
		const [member, prefixLength] = pair as unknown[];
		if (!isCount(member) || member <= before || member >= n || !isCount(prefixLength)) return false;
		before = member;
		return prefixLength > 0;
	});
}
