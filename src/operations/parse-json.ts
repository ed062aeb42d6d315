import { jsonDepth } from "../session/json-text.ts";
import { type Refusal, refuse } from "./refusal.ts";

export { parsedBytes } from "../session/json-text.ts";

/**
 * A client's JSON. A number is what JavaScript reads; of a doubled key the last counts; `__proto__` is a key like any
 * other. Depth is counted on the text, before anything recursive sees it.
 */
export function parseJson(
	bytes: Uint8Array,
	depth: number,
): Refusal | { readonly kind: "json"; readonly value: unknown } {
	const text = decodeUtf8(bytes);
	if (text === undefined) return invalid("The body is not UTF-8");
	if (text.trim() === "") return invalid("The body is empty");
	if (jsonDepth(bytes) > depth) return invalid(`The body is nested more than ${depth} levels deep`);
	try {
		return { kind: "json", value: JSON.parse(text) };
	} catch (error) {
		// The engine's message may quote the body; only the place is told.
		const place = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
		return invalid(`The body is not valid JSON${place === undefined ? "" : ` (at character ${place})`}`);
	}
}

/** The text of UTF-8 bytes, a byte order mark left out; undefined where they are none. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
	} catch {
		return undefined;
	}
}

function invalid(message: string): Refusal {
	return refuse("invalid_request", message, [{ path: "", message }]);
}
