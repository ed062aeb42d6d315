import type { Credentials } from "./api/api.ts";

const key = "leaflog.credentials";

/** What was entered in this tab; it is gone with the tab. */
export function storedCredentials(storage: Pick<Storage, "getItem">): Credentials {
	try {
		const { token, namespace } = JSON.parse(storage.getItem(key) ?? "{}") as { [field: string]: unknown };
		return { token: textOf(token), namespace: textOf(namespace) };
	} catch {
		return { token: "", namespace: "" };
	}
}

export function storeCredentials(storage: Pick<Storage, "setItem">, credentials: Credentials): void {
	storage.setItem(key, JSON.stringify(credentials));
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}
