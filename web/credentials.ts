import type { Credentials, Share } from "./api/api.ts";

const keys = { credentials: "leaflog.credentials", share: "leaflog.share" } as const;

/** What was entered in this tab; it is gone with the tab. */
export function storedCredentials(storage: Pick<Storage, "getItem">): Credentials {
	const { token, namespace } = stored(storage, keys.credentials);
	return { token: textOf(token), namespace: textOf(namespace) };
}

export function storeCredentials(storage: Pick<Storage, "setItem">, credentials: Credentials): void {
	storage.setItem(keys.credentials, JSON.stringify(credentials));
}

/** The share that this tab was opened with. */
export function storedShare(storage: Pick<Storage, "getItem">): Share | undefined {
	const share = { session: "", token: "", ...stored(storage, keys.share) };
	return textOf(share.session) && textOf(share.token) ? share : undefined;
}

export function storeShare(storage: Pick<Storage, "setItem">, share: Share): void {
	storage.setItem(keys.share, JSON.stringify(share));
}

function stored(storage: Pick<Storage, "getItem">, key: string): { readonly [field: string]: unknown } {
	try {
		return Object(JSON.parse(storage.getItem(key) ?? "{}"));
	} catch {
		return {};
	}
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}
