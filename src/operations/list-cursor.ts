import { createHash } from "node:crypto";

/** What a list is sorted by, newest first. */
export type ListOrder = "modified" | "created";

/** What a list shows, and in which order. A cursor belongs to one of these. */
export interface ListFilter {
	readonly order: ListOrder;
	readonly cwd?: string;
	/** Words. */
	readonly q?: string;
	/** `parentSession`. */
	readonly parent?: string;
}

/** Where a page ended. */
export interface ListPosition {
	/** By `order`: epoch ms of the last session, and its id. */
	readonly time: number;
	readonly id: string;
	/** Versions of the catalogue's shards that the first page was taken from; empty where the order can't change. */
	readonly versions: readonly number[];
}

/** An opaque text; it only makes sense for the same list of the same namespace. */
export function encodeCursor(position: ListPosition, namespace: string, filter: ListFilter): string {
	const text = JSON.stringify([position.time, position.id, ...position.versions]);
	return `${base64url(text)}.${sealOf(text, namespace, filter)}`;
}

/** The position of a cursor; undefined for one that was not made for this list, or was tampered with. */
export function decodeCursor(
	cursor: string,
	namespace: string,
	filter: ListFilter,
): ListPosition | undefined {
	const [body = "", seal, ...more] = cursor.split(".");
	const text = /^[\w-]{1,4000}$/.test(body) ? fromBase64url(body) : undefined;
	if (text === undefined || more.length > 0 || seal !== sealOf(text, namespace, filter)) return undefined;
	const [time, id, ...versions] = JSON.parse(text) as [number, string, ...number[]];
	return { time, id, versions };
}

/** Not secret: whoever forges one sees no more than his own sessions. It tells accidents from cursors. */
function sealOf(text: string, namespace: string, { order, cwd, q, parent }: ListFilter): string {
	const list = JSON.stringify([text, namespace, order, cwd ?? null, q ?? null, parent ?? null]);
	return createHash("sha256").update(list).digest("base64url").slice(0, 12);
}

function base64url(text: string): string {
	const bytes = new TextEncoder().encode(text);
	return btoa(String.fromCharCode(...bytes))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");
}

function fromBase64url(text: string): string | undefined {
	try {
		const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
			Uint8Array.from(binary, (unit) => unit.charCodeAt(0)),
		);
	} catch {
		return undefined;
	}
}
