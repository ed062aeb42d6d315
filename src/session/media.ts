/** Base64 data in entries: images, and whatever else comes as an object with `type`, `mimeType` and `data`. */

/** A block of base64 data. */
export interface MediaBlock {
	readonly mimeType: string;
	/** Base64. */
	readonly data: string;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** The blocks of an entry, in the order of its JSON text. */
export function mediaBlocks(entry: unknown): MediaBlock[] {
	const blocks: MediaBlock[] = [];
	replaceMedia(entry, (block) => blocks.push(block));
	return blocks;
}

/**
 * The entry with what `replacement` makes of the k-th block (from 0) in its `data`'s place, all else as it was;
 * undefined where there is no block.
 */
export function withoutMedia(
	entry: unknown,
	replacement: (block: MediaBlock, k: number) => Readonly<Record<string, unknown>>,
): unknown {
	let k = 0;
	const replaced = replaceMedia(entry, (block) => replacement(block, k++));
	return k === 0 ? undefined : replaced;
}

/** Bytes that a base64 text stands for. */
export function decodedLength(data: string): number {
	return Math.floor((data.replace(/=+$/, "").length * 3) / 4);
}

function replaceMedia(value: unknown, replacement: (block: MediaBlock) => unknown): unknown {
	if (Array.isArray(value)) return value.map((item) => replaceMedia(item, replacement));
	if (typeof value !== "object" || value === null) return value;
	if (isBlock(value)) {
		const { data: _, ...rest } = value;
		return Object.assign(rest, replacement(value));
	}
	// fromEntries makes `__proto__` a plain member, as JSON.parse did.
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [name, replaceMedia(member, replacement)]),
	);
}

function isBlock(value: object): value is MediaBlock {
	const { type, mimeType, data } = value as { type?: unknown; mimeType?: unknown; data?: unknown };
	return (
		typeof type === "string" &&
		typeof mimeType === "string" &&
		typeof data === "string" &&
		data !== "" &&
		base64.test(data)
	);
}
