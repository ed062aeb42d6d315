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
