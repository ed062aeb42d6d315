import { type ApiKey, findApiKey } from "./api-keys.ts";
import type { Authenticate, Authentication } from "./auth.ts";
import { type JwtSettings, jwtVerifier } from "./jwt.ts";
import { namespaceOf } from "./namespace-header.ts";

export interface CredentialSettings {
	readonly apiKeys: readonly ApiKey[];
	readonly jwt?: JwtSettings;
}

/** Lets in who brings an API key or a JWT as `Authorization: Bearer`. */
export function bearers(
	settings: CredentialSettings,
	parts: { readonly fetch: typeof fetch; readonly now: () => number },
): Authenticate {
	const verify = settings.jwt && jwtVerifier(settings.jwt, parts);
	return async ({ headers }) => {
		const header = headers.get("Authorization");
		if (header === null) return refused("unauthorized", "This call needs `Authorization: Bearer`");
		const token = /^Bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
		if (token === undefined) return refused("unauthorized", "`Authorization` is not `Bearer` and one token");
		const named = headers.get("Leaflog-Namespace");
		const key = findApiKey(settings.apiKeys, token);
		if (key?.namespace === "*") return backEnd(key, named);
		const user = key
			? { kind: "user" as const, namespace: key.namespace, scopes: new Set(key.scopes) }
			: ((await verify?.(token)) ?? { kind: "refused" as const });
		if (user.kind === "unavailable") {
			return refused("storage_unavailable", "The keys that tokens are checked with cannot be had now");
		}
		if (user.kind === "refused") return refused("unauthorized", "The token is not valid");
		const { namespace, scopes } = user;
		if (named !== null && namespaceOf(named) !== namespace) {
			return refused("forbidden", "This credential does not act for other namespaces");
		}
		return { kind: "caller", caller: { namespace, scopes } };
	};
}

/** A key that acts for any namespace: the one that is named. */
function backEnd(key: ApiKey, named: string | null): Authentication {
	const namespace = named === null ? undefined : namespaceOf(named);
	if (namespace === undefined) {
		return refused(
			"invalid_request",
			"This key acts for the namespace in `Leaflog-Namespace`: ASCII, or `UTF-8''` and percent-encoding",
		);
	}
	return { kind: "caller", caller: { namespace, scopes: new Set(key.scopes) } };
}

function refused(
	code: Extract<Authentication, { kind: "refused" }>["code"],
	detail: string,
): Extract<Authentication, { kind: "refused" }> {
	return { kind: "refused", code, detail };
}
