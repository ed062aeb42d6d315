import { decodedLength, withoutMedia } from "../session/media.ts";
import { entryOf } from "../session/record.ts";
import type { Lines } from "./entry-lines.ts";

/** The address of the k-th base64 block (from 0) of an entry. */
export type MediaHref = (entryId: string, k: number) => string;

/** An entry's line with `bytes` and `href` in the place of each block's base64 data. */
export function linkedLine(line: Uint8Array, href: MediaHref): Uint8Array {
	const entry = entryOf(line);
	const linked = withoutMedia(entry, ({ data }, k) => ({
		bytes: decodedLength(data),
		href: href(entry.id, k),
	}));
	return linked === undefined ? line : new TextEncoder().encode(JSON.stringify(linked));
}

/** The same for many lines; as they are where there is no `href`. */
export function linkedLines(lines: Lines, href: MediaHref | undefined): Lines {
	if (href === undefined) return lines;
	const linked = (wave: readonly Uint8Array[]) => wave.map((line) => linkedLine(line, href));
	const { first, rest } = lines;
	if (rest === undefined) return { first: linked(first) };
	return {
		first: linked(first),
		rest: (async function* () {
			for await (const wave of rest) yield linked(wave);
		})(),
	};
}
