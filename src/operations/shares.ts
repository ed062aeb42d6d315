import { createHash, createHmac } from "node:crypto";
import { logSharesPrefix, type Namespace, namespacePrefix, shareKey, shareTokenKey } from "../log/log.ts";
import { type ObjectStore, StoreUnavailable } from "../store/object-store.ts";
import type { SharedPart } from "./call.ts";

export type ShareScope = "read" | "fork";

/** A share as its owner's object holds it: all but the token. */
export interface Share {
	readonly id: string;
	readonly scope: ShareScope;
	readonly leafId?: string;
	/** Epoch ms. */
	readonly createdAt: number;
	readonly expiresAt: number;
	/** SHA-256 of the token. */
	readonly hash: string;
	/** The token, sealed with the `Idempotency-Key` that it was made with, for a repeat of that call alone. */
	readonly sealed?: string;
	/** What the key was used for. */
	readonly request?: unknown;
}

/** What the object says that a token leads to. */
interface Grant extends SharedPart {
	readonly namespace: { readonly hash: string };
	readonly scope: ShareScope;
	readonly expiresAt: number;
}

const tokenPattern = /^lls_[\w-]{43}$/;

/** A token of 32 random bytes. */
export function shareToken(random: Uint8Array): string {
	return `lls_${Buffer.from(random).toString("base64url")}`;
}

/** Seals a token's bytes with a key, and opens them again: each pad is used for one token. */
export function sealed(bytes: Uint8Array, key: string, shareId: string): Uint8Array {
	const pad = createHmac("sha256", key).update(shareId).digest();
	return bytes.map((byte, at) => byte ^ (pad[at] ?? 0));
}

export function hashOf(token: string): string {
	return createHash("sha256").update(token).digest("hex");
}

/** Stores a share: first what its owner lists and revokes, then what its token leads to. Can be repeated. */
export async function putShare(
	store: ObjectStore,
	part: SharedPart,
	share: Share,
): Promise<"stored" | "exists" | "unknown"> {
	const own = await put(store, shareKey(logSharesPrefix(nameOf(part)), share.id), share);
	return own === "stored" ? putGrant(store, part, share) : own;
}

/** Stores what a share's token leads to, where it isn't there yet. */
export async function putGrant(
	store: ObjectStore,
	{ namespace, session, leafId }: SharedPart,
	{ hash, scope, expiresAt }: Share,
): Promise<"stored" | "unknown"> {
	const grant: Grant = {
		namespace: { hash: namespacePrefix(namespace).slice(0, -1) },
		session,
		...(leafId !== undefined && { leafId }),
		scope,
		expiresAt,
	};
	return (await put(store, shareTokenKey(hash), grant)) === "unknown" ? "unknown" : "stored";
}

/** What a token leads to, and whether it may be forked. 1 GET. @throws StoreUnavailable */
export async function openShare(
	store: ObjectStore,
	token: string,
	now: number,
): Promise<{ readonly part: SharedPart; readonly scope: ShareScope } | undefined> {
	if (!tokenPattern.test(token)) return undefined;
	const grant = await get<Grant>(store, shareTokenKey(hashOf(token)));
	if (grant === undefined || grant.expiresAt <= now) return undefined;
	const { namespace, session, leafId, scope } = grant;
	return { part: { namespace, session, ...(leafId !== undefined && { leafId }) }, scope };
}

/** A share of a session as its owner sees it. 1 GET. */
export function findShare(store: ObjectStore, part: SharedPart, id: string): Promise<Share | undefined> {
	return get<Share>(store, shareKey(logSharesPrefix(nameOf(part)), id));
}

/** All shares of a session, those that are over too. 1 LIST, and 1 GET each. */
export async function sharesOf(store: ObjectStore, part: SharedPart): Promise<Share[]> {
	const shares: Share[] = [];
	for await (const keys of keysBelow(store, logSharesPrefix(nameOf(part))))
		shares.push(...(await read(store, keys)));
	return shares;
}

/** How many shares a session has, those that are over too; counted up to a thousand. 1 LIST. */
export async function countShares(store: ObjectStore, part: SharedPart): Promise<number> {
	return (await store.list(logSharesPrefix(nameOf(part)))).objects.length;
}

/** Ends a share: its token leads nowhere from now on. */
export async function removeShare(store: ObjectStore, part: SharedPart, share: Share): Promise<void> {
	await store.delete([shareTokenKey(share.hash)]);
	await store.delete([shareKey(logSharesPrefix(nameOf(part)), share.id)]);
}

/** Removes all shares below a prefix: those of a session, or of a namespace. Can be repeated. 1 LIST where there are none. */
export async function removeShares(store: ObjectStore, prefix: string): Promise<void> {
	for await (const keys of keysBelow(store, prefix)) {
		const shares = await read(store, keys);
		if (shares.length > 0) await store.delete(shares.map(({ hash }) => shareTokenKey(hash)));
		if (keys.length > 0) await store.delete(keys);
	}
}

function nameOf({ namespace, session }: { readonly namespace: Namespace; readonly session: string }) {
	return { namespace, id: session };
}

async function* keysBelow(store: ObjectStore, prefix: string): AsyncGenerator<string[]> {
	for (let after: string | undefined; ; ) {
		const page = await store.list(prefix, after === undefined ? {} : { after });
		yield page.objects.map(({ key }) => key);
		after = page.objects.at(-1)?.key;
		if (!page.truncated || after === undefined) return;
	}
}

/** GETs that are under way at a time. */
const wave = 6;

async function read(store: ObjectStore, keys: readonly string[]): Promise<Share[]> {
	const shares: Share[] = [];
	for (let at = 0; at < keys.length; at += wave) {
		const found = await Promise.all(keys.slice(at, at + wave).map((key) => get<Share>(store, key)));
		shares.push(...found.filter((share) => share !== undefined));
	}
	return shares;
}

async function put(store: ObjectStore, key: string, value: object): Promise<"stored" | "exists" | "unknown"> {
	const bytes = new TextEncoder().encode(JSON.stringify(value));
	const outcome = await store.put(key, bytes, { ifAbsent: true });
	if (outcome.kind !== "unknown") return outcome.kind === "created" ? "stored" : "exists";
	try {
		// What was written in doubt is there, or isn't; only we know the token.
		return (await store.get(key)).kind === "found" ? "stored" : "unknown";
	} catch (error) {
		if (error instanceof StoreUnavailable) return "unknown";
		throw error;
	}
}

async function get<T>(store: ObjectStore, key: string): Promise<T | undefined> {
	const outcome = await store.get(key);
	return outcome.kind === "found" ? (JSON.parse(new TextDecoder().decode(outcome.bytes)) as T) : undefined;
}
