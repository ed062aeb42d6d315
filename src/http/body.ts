import type { Place } from "../operations/memory.ts";
import { parsedBytes } from "../operations/parse-json.ts";
import { Problem } from "./errors.ts";

/** Bytes of the first block that a body is collected in; later ones are larger. */
const firstBlock = 16 * 1024;
const largestBlock = 1024 * 1024;

/**
 * The body's bytes, at most `limit` of them, as far as `place` has room. An announced length is judged, and waits for
 * room, before anything is read; otherwise each piece is judged before it is held.
 */
export async function readBytes(
	request: Request,
	limit: number,
	place: Place,
): Promise<Uint8Array<ArrayBuffer>> {
	const declared = Number(request.headers.get("Content-Length") ?? 0);
	if (declared > limit) throw tooLarge(limit);
	if (declared > 0 && !(await place.take(declared))) throw noRoom();
	if (request.body === null) return new Uint8Array(0);
	const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
	const bytes = new Blocks();
	for (;;) {
		const { done, value } = await next(reader);
		if (done) return bytes.joined();
		const length = bytes.length + value.length;
		const problem = length > limit ? tooLarge(limit) : place.grow(length) ? undefined : noRoom();
		if (problem !== undefined) {
			reader.cancel().catch(() => {});
			throw problem;
		}
		bytes.add(value);
	}
}

/** Holds what a JSON text becomes when it is parsed, which may be many times its length. */
export async function roomToParse(text: Uint8Array, place: Place): Promise<void> {
	if (!(await place.take(parsedBytes(text)))) throw noRoom();
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>) {
	try {
		return await reader.read();
	} catch {
		throw new Problem("invalid_request", "The body broke off before its end");
	}
}

function tooLarge(limit: number): Problem {
	return new Problem("payload_too_large", `The body is larger than the ${limit} bytes allowed here`);
}

function noRoom(): Problem {
	return new Problem("contention", "Too many large bodies are under way; nothing was stored");
}

/** Bytes that come in pieces, however small: a list of the pieces would take many times their length. */
class Blocks {
	length = 0;
	readonly #full: Uint8Array[] = [];
	#block = new Uint8Array(0);
	#used = 0;

	add(piece: Uint8Array): void {
		this.length += piece.length;
		for (let from = 0; from < piece.length; ) {
			if (this.#used === this.#block.length) this.#next();
			const part = piece.subarray(from, from + this.#block.length - this.#used);
			this.#block.set(part, this.#used);
			this.#used += part.length;
			from += part.length;
		}
	}

	#next(): void {
		if (this.#used > 0) this.#full.push(this.#block);
		this.#block = new Uint8Array(Math.min(largestBlock, Math.max(firstBlock, this.length)));
		this.#used = 0;
	}

	joined(): Uint8Array<ArrayBuffer> {
		return joined([...this.#full, this.#block.subarray(0, this.#used)]);
	}
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

/** 415 for a compressed body (RFC 9110 §15.5.16): a small one could unfold to any size. */
export function requirePlain(request: Request): void {
	const coding = request.headers.get("Content-Encoding") ?? "";
	if (/^\s*(identity\s*)?$/i.test(coding)) return;
	throw new Problem("unsupported_media_type", "The body must not be compressed", {
		headers: { "Accept-Encoding": "identity" },
	});
}
