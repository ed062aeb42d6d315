import { createHash, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import { sign } from "hono/jwt";
import { bearers, type CredentialSettings } from "../../src/http/credentials.ts";
import { scopes } from "../../src/http/scopes.ts";

export const secret = "a secret of the issuer that is long enough for HS256";
export const allScopes = scopes.join(" ");

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = (key: KeyObject) => {
	const { kty = "", ...rest } = key.export({ format: "jwk" });
	return { ...rest, kty, kid: "k1", alg: "ES256" as const };
};
export const publicKey = jwk(pair.publicKey);
const privateKey = jwk(pair.privateKey);
const strangersKey = jwk(stranger.privateKey);

export const apiKey = "llk_of-one-namespace";
export const backEndKey = "llk_of-the-back-end";
export const revokedKey = "llk_not-in-the-list-any-more";
export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export const settings: CredentialSettings = {
	apiKeys: [
		{ sha256: sha256(apiKey), namespace: "tests", scopes },
		{ sha256: sha256(backEndKey), namespace: "*", scopes },
	],
	jwt: { algorithms: ["ES256"], keys: [publicKey], issuer: "https://issuer.example", audience: ["leaflog"] },
};

/** hono verifies against the system's clock, so tokens follow it too. */
export const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

export const claims = (more: object = {}) => ({
	sub: "tests",
	scope: allScopes,
	exp: inAnHour(),
	iss: "https://issuer.example",
	aud: "leaflog",
	...more,
});

/** A token that the configured key has signed. */
export const token = (more: object = {}) => sign(claims(more), privateKey, "ES256");
/** The same under another header, signed all the same. */
export function tokenWith(header: object, more: object = {}): string {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
	const text = `${part({ alg: "ES256", typ: "JWT", kid: "k1", ...header })}.${part(claims(more))}`;
	const key = { key: pair.privateKey, dsaEncoding: "ieee-p1363" as const };
	return `${text}.${signBytes("sha256", Buffer.from(text), key).toString("base64url")}`;
}
export const forged = () => sign(claims(), strangersKey, "ES256");
export const secretToken = (more: object = {}, key = secret) => sign(claims(more), key, "HS256");

/** A token without a signature. */
export function unsigned(header: object): string {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
	return `${part(header)}.${part(claims())}.`;
}

export const noFetch: typeof fetch = () => Promise.reject(new Error("nothing is fetched here"));

export const authenticate = (given: CredentialSettings = settings) =>
	bearers(given, { fetch: noFetch, now: Date.now });
