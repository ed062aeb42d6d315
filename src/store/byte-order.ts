/**
 * Compares two texts by their UTF-8 bytes, the order in which object stores list keys: negative, 0 or positive.
 * JavaScript's own order is by UTF-16 units, which puts U+E000…U+FFFF after the characters beyond U+FFFF.
 */
export function compareBytes(left: string, right: string): number {
	const shorter = Math.min(left.length, right.length);
	for (let index = 0; index < shorter; index++) {
		const a = left.charCodeAt(index);
		const b = right.charCodeAt(index);
		if (a !== b) return rank(a) - rank(b);
	}
	return left.length - right.length;
}

/** Moves surrogates, which stand for the characters beyond U+FFFF, above all other units. */
function rank(unit: number): number {
	if (unit < 0xd800) return unit;
	return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
