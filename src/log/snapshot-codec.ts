import { checksum } from "./checksum.ts";
import { Corrupt } from "./errors.ts";
import { versionKey } from "./keys.ts";

/**
 * The codec of a snapshot's object; `docs/format.md` describes it. A header line with its own checksum, then the
 * value's bytes as its kind writes them.
 */
export const snapshotFormatVersion = 1;

/** How a kind of snapshot is written, read and changed. */
export interface SnapshotKind<T, C> {
	/** The value before the first version. */
	readonly empty: T;
	encode(value: T): Uint8Array;
	/** Throws, whatever it likes, where `bytes` are none of its own. */
	decode(bytes: Uint8Array): T;
	/**
	 * The value with these changes in their order; the same object where they change nothing.
	 * It may meet a value that has some of them already (their answer was lost): they must not count twice.
	 */
	apply(value: T, changes: readonly C[]): T;
}

export interface ParsedVersion {
	readonly writeId: string;
	readonly body: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The object of version `v` (from 0) of the snapshot with this prefix. */
export function encodeVersion(prefix: string, v: number, writeId: string, body: Uint8Array): Uint8Array {
	const of = checksum(prefix);
	const fields = { leaflog: snapshotFormatVersion, of, v, id: writeId, body: [body.length, checksum(body)] };
	const text = JSON.stringify(fields).slice(0, -1);
	const header = encoder.encode(`${text},"sum":"${checksum(text)}"}\n`);
	const bytes = new Uint8Array(header.length + body.length);
	bytes.set(header);
	bytes.set(body, header.length);
	return bytes;
}

/** @throws Corrupt if `bytes` are not the whole object of version `v` of the snapshot with this prefix. */
export function parseVersion(prefix: string, v: number, bytes: Uint8Array): ParsedVersion {
	const key = versionKey(prefix, v);
	const end = bytes.indexOf(10);
	const fields = parseHeader(key, bytes.subarray(0, Math.max(end, 0)));
	if (fields.leaflog !== snapshotFormatVersion) {
		throw new Corrupt(key, `unknown format version ${String(fields.leaflog)}`);
	}
	if (fields.of !== checksum(prefix)) throw new Corrupt(key, "belongs to another snapshot");
	if (fields.v !== v) throw new Corrupt(key, `holds version ${String(fields.v)}`);
	const body = bytes.subarray(end + 1);
	const [length, sum] = fields.body as [number, string];
	if (body.length !== length || checksum(body) !== sum)
		throw new Corrupt(key, "the body does not match its checksum");
	return { writeId: fields.id as string, body };
}

function parseHeader(key: string, line: Uint8Array): Record<string, unknown> {
	try {
		const text = decoder.decode(line);
		const seal = text.lastIndexOf(',"sum":"');
		if (seal >= 0 && text.slice(seal) === `,"sum":"${checksum(text.slice(0, seal))}"}`)
			return JSON.parse(text);
	} catch {
		// It says the same as a header with a wrong checksum.
	}
	throw new Corrupt(key, "the header does not match its checksum");
}
