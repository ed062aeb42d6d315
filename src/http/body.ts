import { Problem } from "./errors.ts";

/** The body's bytes, at most `limit` of them; more are 413, noticed before they are all read. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
	const tooLarge = () =>
		new Problem("payload_too_large", `The body is larger than the ${limit} bytes allowed here`);
	const declared = request.headers.get("Content-Length");
	if (declared !== null && Number(declared) > limit) throw tooLarge();
	if (request.body === null) return new Uint8Array(0);
	const chunks: Uint8Array[] = [];
	let length = 0;
	const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) break;
		length += value.length;
		if (length > limit) {
			reader.cancel().catch(() => {});
			throw tooLarge();
		}
		chunks.push(value);
	}
	return joined(chunks);
}

/** One array of bytes out of many. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let offset = 0;
	for (const part of parts) {
		bytes.set(part, offset);
		offset += part.length;
	}
	return bytes;
}

/** 415 unless the body is declared to be of this type, in UTF-8. */
export function requireType(request: Request, type: string): void {
	const [essence = "", ...parameters] = (request.headers.get("Content-Type") ?? "").split(";");
	const charset = parameters
		.map((parameter) => /^\s*charset\s*=\s*"?([^";\s]*)"?\s*$/i.exec(parameter)?.[1])
		.find((value) => value !== undefined);
	const fits = essence.trim().toLowerCase() === type && (charset === undefined || /^utf-?8$/i.test(charset));
	if (!fits) throw new Problem("unsupported_media_type", `The body must be ${type} in UTF-8`);
}

/** Parses a JSON body. A number is what JavaScript reads; of a doubled key the last counts; `__proto__` is a key like any. */
export function parseJson(bytes: Uint8Array, depth: number): unknown {
	const text = decodeUtf8(bytes);
	if (text === undefined) throw invalidBody("The body is not UTF-8");
	if (depthOf(bytes) > depth) throw invalidBody(`The body is nested more than ${depth} levels deep`);
	try {
		return JSON.parse(text);
	} catch (error) {
		// The engine's message may quote the body; only the place is told.
		const place = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
		const where = place === undefined ? "" : ` (at character ${place})`;
		throw invalidBody(text.trim() === "" ? "The body is empty" : `The body is not valid JSON${where}`);
	}
}

/** The text of UTF-8 bytes, a byte order mark left out; undefined where they are none. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
	} catch {
		return undefined;
	}
}

const quote = 0x22;
const backslash = 0x5c;

/** How deep arrays and objects lie inside one another, counted on the text before anything recursive sees it. */
export function depthOf(json: Uint8Array): number {
	let depth = 0;
	let deepest = 0;
	let inString = false;
	for (let at = 0; at < json.length; at++) {
		const byte = json[at];
		if (inString) {
			if (byte === backslash) at++;
			else if (byte === quote) inString = false;
		} else if (byte === quote) inString = true;
		else if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++depth);
		else if (byte === 0x5d || byte === 0x7d) depth--;
	}
	return deepest;
}

function invalidBody(message: string): Problem {
	return new Problem("invalid_request", message, { errors: [{ path: "", message }] });
}
