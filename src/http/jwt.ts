import { decode, verify, verifyWithJwks } from "hono/jwt";
import type { HonoJsonWebKey } from "hono/utils/jwt/jws";
import { KeysUnavailable, RemoteKeys } from "./jwks.ts";
import { type Scope, scopesOf } from "./scopes.ts";

export const symmetricAlgorithms = ["HS256", "HS384", "HS512"] as const;
export const asymmetricAlgorithms = [
	"RS256",
	"RS384",
	"RS512",
	"PS256",
	"PS384",
	"PS512",
	"ES256",
	"ES384",
	"ES512",
	"EdDSA",
] as const;
export type SymmetricAlgorithm = (typeof symmetricAlgorithms)[number];
export type AsymmetricAlgorithm = (typeof asymmetricAlgorithms)[number];

export interface JwtSettings {
	/** All that a token may be signed with; whatever else its header says is refused. */
	readonly algorithms: readonly (SymmetricAlgorithm | AsymmetricAlgorithm)[];
	readonly secret?: string;
	readonly keys?: readonly HonoJsonWebKey[];
	readonly keysUrl?: string;
	readonly issuer?: string;
	/** One of these. */
	readonly audience?: readonly string[];
}

export type JwtOutcome =
	| { readonly kind: "user"; readonly namespace: string; readonly scopes: ReadonlySet<Scope> }
	| { readonly kind: "refused" }
	/** Nobody can tell: the server of the keys doesn't answer. */
	| { readonly kind: "unavailable" };

/** Tells whose a JWT is, by hono's own verification. `exp` and `sub` are required. */
export function jwtVerifier(
	settings: JwtSettings,
	parts: { readonly fetch: typeof fetch; readonly now: () => number },
): (token: string) => Promise<JwtOutcome> {
	const remote = settings.keysUrl === undefined ? undefined : new RemoteKeys(settings.keysUrl, parts);
	return async (token) => {
		try {
			const payload = await claimsOf(token, settings, remote);
			const { exp, sub, scope } = payload ?? {};
			if (typeof exp !== "number" || typeof sub !== "string" || sub === "") return { kind: "refused" };
			return { kind: "user", namespace: sub, scopes: scopesOf(scope) };
		} catch (error) {
			return { kind: error instanceof KeysUnavailable ? "unavailable" : "refused" };
		}
	};
}

/** The claims of a token that holds; undefined or thrown otherwise. */
async function claimsOf(token: string, settings: JwtSettings, remote: RemoteKeys | undefined) {
	const { header } = decode(token);
	const verification = {
		// Issuers' clocks may be a little ahead, and the claim bounds nothing.
		iat: false,
		...(settings.issuer !== undefined && { iss: settings.issuer }),
		...(settings.audience && { aud: [...settings.audience] }),
		...(header.typ !== undefined && { typ: ["JWT", "at+jwt"] }),
	};
	const symmetric = symmetricAlgorithms.find((name) => name === header.alg);
	if (symmetric !== undefined) {
		if (settings.secret === undefined || !settings.algorithms.includes(symmetric)) return undefined;
		return verify(token, settings.secret, { alg: symmetric, ...verification });
	}
	const allowed = asymmetricAlgorithms.filter((name) => settings.algorithms.includes(name));
	if (!allowed.some((name) => name === header.alg) || typeof header.kid !== "string") return undefined;
	const own = settings.keys ?? [];
	const known = own.some(({ kid }) => kid === header.kid);
	const keys = known || remote === undefined ? own : await remote.keys(header.kid);
	return verifyWithJwks(token, { keys: [...keys], allowedAlgorithms: allowed, verification });
}
