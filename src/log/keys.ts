import { createHash } from "node:crypto";

/**
 * The drawing of the bucket: every key is built and parsed here, and nowhere else.
 *
 *     <namespace: 32 hex digits of its SHA-256>/
 *       c/<name, escaped>/<9999999999 - v>-<v>.jsonl      version v of a snapshot, newest first in a LIST
 *       h/<log id, escaped>/<share id>.json               a share of a log, for its owner
 *       s/<log id, escaped>/<9999999999 - n>-<n>.jsonl    commit n of a log, newest first in a LIST
 *     ~share/<hash of the token>.json                     the same share, for whoever brings the token
 *     ~sweep/<name>                                       notes of the clean-up; nothing depends on them
 *
 * The hash comes first because S3 scales by prefix. Neither namespaces nor ids get into a key raw, and two
 * different ones never share a prefix: the hash has a fixed width, the escape is injective, and both end in "/".
 */

/** Whose something is: any string; or its hash, as a bucket that is walked through tells it. */
export type Namespace = string | { readonly hash: string };

/** A log's place: the namespace of its owner, and its id within it. Any strings. */
export interface LogName {
	readonly namespace: Namespace;
	readonly id: string;
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

const lastNumber = 9_999_999_999;

/** Bytes of an escaped id or name: stores refuse keys of more than 1024. */
const longestSegment = 900;

/** The prefix of all that a namespace holds; ends in "/". */
export function namespacePrefix(namespace: Namespace): string {
	if (typeof namespace !== "string") return `${namespace.hash}/`;
	return `${createHash("sha256").update(escapeSegment(namespace)).digest("hex").slice(0, 32)}/`;
}

/** The prefix of a namespace's logs; ends in "/". */
export function logsPrefix(namespace: Namespace): string {
	return `${namespacePrefix(namespace)}s/`;
}

/** The prefix of one log's commits; ends in "/". @throws RangeError if the id is too long for a key */
export function logPrefix(name: LogName): string {
	return `${logsPrefix(name.namespace)}${shortSegment(name.id)}/`;
}

/** The key of commit n (from 0) below a log's prefix. */
export function commitKey(prefix: string, n: number): string {
	return `${prefix}${numberSegment(n)}.jsonl`;
}

/** The commit's number from its key, or undefined for a foreign key. */
export function commitNumber(key: string): number | undefined {
	const match = /\/(\d{10})-(\d{1,10})\.jsonl$/.exec(key);
	return match ? parseNumbers(match[1]!, match[2]!) : undefined;
}

/** The prefix of a namespace's snapshots; ends in "/", and comes before that of its logs. */
export function snapshotsPrefix(namespace: Namespace): string {
	return `${namespacePrefix(namespace)}c/`;
}

/** The prefix of one snapshot's versions; ends in "/". */
export function snapshotPrefix(namespace: Namespace, name: string): string {
	return `${snapshotsPrefix(namespace)}${shortSegment(name)}/`;
}

/** The key of version v (from 0) below a snapshot's prefix. Same form as a commit's. */
export const versionKey = commitKey;

/** A snapshot's version from its key, or undefined for a foreign key. */
export const versionNumber = commitNumber;

/** The namespace that a key belongs to, or undefined for a foreign key. */
export function namespaceOfKey(key: string): { readonly hash: string } | undefined {
	const match = /^([0-9a-f]{32})\//.exec(key);
	return match ? { hash: match[1]! } : undefined;
}

/** The id of the log that a key belongs to, or undefined for a foreign key. */
export function logIdOfKey(key: string): string | undefined {
	const match = /^[0-9a-f]{32}\/s\/([^/]*)\//.exec(key);
	return match ? unescapeSegment(match[1]!) : undefined;
}

/** The name of the snapshot that a key belongs to, or undefined for a foreign key. */
export function snapshotNameOfKey(key: string): string | undefined {
	const match = /^[0-9a-f]{32}\/c\/([^/]*)\//.exec(key);
	return match ? unescapeSegment(match[1]!) : undefined;
}

/** The prefix of all shares of a namespace, as its owner sees them; ends in "/". */
export function sharesPrefix(namespace: Namespace): string {
	return `${namespacePrefix(namespace)}h/`;
}

/** The prefix of one log's shares; ends in "/". @throws RangeError if the id is too long for a key */
export function logSharesPrefix(name: LogName): string {
	return `${sharesPrefix(name.namespace)}${shortSegment(name.id)}/`;
}

/** The key of a share below its log's prefix. */
export function shareKey(prefix: string, shareId: string): string {
	return `${prefix}${shortSegment(shareId)}.json`;
}

/** The key of a share by its token's hash: whoever asks with the token needs to know no namespace. */
export function shareTokenKey(hash: string): string {
	return `~share/${escapeSegment(hash)}.json`;
}

/** The key of a note of the clean-up; comes after all namespaces. */
export function sweepKey(name: string): string {
	return `~sweep/${escapeSegment(name)}`;
}

/** What comes after all keys with a prefix that ends in "/", and before all that follow: "0" is next to "/". */
export function afterPrefix(prefix: string): string {
	return `${prefix.slice(0, -1)}0`;
}

/** Fixed-width descending number, then the number itself: the newest is the first of a LIST. */
export function numberSegment(n: number): string {
	return `${String(lastNumber - n).padStart(10, "0")}-${n}`;
}

/** The number that both halves of a number segment agree on, or undefined. */
export function parseNumbers(descending: string, ascending: string): number | undefined {
	const n = Number(ascending);
	return Number(descending) + n === lastNumber && String(n) === ascending ? n : undefined;
}

function shortSegment(text: string): string {
	const segment = escapeSegment(text);
	if (segment.length > longestSegment) throw new RangeError("an id or a name is too long for a key");
	return segment;
}

/**
 * Injective: all but `A-Z a-z 0-9 . _ -` becomes `~hh` for each UTF-8 byte (a lone surrogate: `~~hhhh`).
 * What HTTP would fold is escaped as well: nothing (`~`), `.` and `..`.
 */
export function escapeSegment(text: string): string {
	if (text === "") return "~";
	if (text === "." || text === "..") return text.replaceAll(".", "~2e");
	let escaped = "";
	for (const character of text) {
		if (/^[A-Za-z0-9._-]$/.test(character)) escaped += character;
		else if (/^[\ud800-\udfff]$/.test(character)) escaped += `~~${character.charCodeAt(0).toString(16)}`;
		else
			for (const byte of new TextEncoder().encode(character))
				escaped += `~${byte.toString(16).padStart(2, "0")}`;
	}
	return escaped;
}

/** The text that {@link escapeSegment} made this of, or undefined where it made none. */
export function unescapeSegment(segment: string): string | undefined {
	if (segment === "~") return "";
	if (!/^(?:[A-Za-z0-9._-]|~~d[89a-f][0-9a-f]{2}|~[0-9a-f]{2})*$/.test(segment)) return undefined;
	const text = segment.replace(
		/((?:~[0-9a-f]{2})+)|~~(d[89a-f][0-9a-f]{2})/g,
		(_all, bytes?: string, unit?: string) =>
			bytes === undefined
				? String.fromCharCode(Number.parseInt(unit!, 16))
				: decoder.decode(Uint8Array.from(bytes.slice(1).split("~"), (hex) => Number.parseInt(hex, 16))),
	);
	return escapeSegment(text) === segment ? text : undefined;
}
