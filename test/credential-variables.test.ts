import { describe, expect, it } from "vitest";
import { ConfigError, type Environment, readConfig } from "../src/config.ts";

const key = { sha256: "a".repeat(64), namespace: "team", scopes: ["sessions:read"] };
const longEnough = "x".repeat(32);

function problemOf(environment: Environment): string {
	try {
		readConfig(environment);
	} catch (problem) {
		if (problem instanceof ConfigError) return problem.message;
		throw problem;
	}
	return "none";
}

describe("variables that say who may call", () => {
	it("none: no credentials; an empty list of keys: nobody", () => {
		expect(readConfig({}).credentials).toBeUndefined();
		expect(readConfig({ API_KEYS: "[]" }).credentials).toEqual({ apiKeys: [] });
	});

	it("keys and tokens: read, from JSON or as they are", () => {
		const credentials = {
			apiKeys: [key],
			jwt: {
				algorithms: ["RS256", "ES256"],
				keysUrl: "https://a.example/jwks",
				issuer: "i",
				audience: ["a", "b"],
			},
		};
		const environment = {
			API_KEYS: JSON.stringify([key]),
			JWT_JWKS_URL: "https://a.example/jwks",
			JWT_ALGORITHMS: "RS256, ES256",
			JWT_ISSUER: "i",
			JWT_AUDIENCE: "a, b",
		};
		expect(readConfig(environment).credentials).toEqual(credentials);
		expect(readConfig({ ...environment, API_KEYS: [key] }).credentials).toEqual(credentials);
		const secret = "s".repeat(32);
		expect(readConfig({ JWT_SECRET: secret }).credentials?.jwt).toEqual({ algorithms: ["HS256"], secret });
		const keys = [{ kid: "a", kty: "EC" }];
		expect(readConfig({ JWT_JWKS: JSON.stringify({ keys }) }).credentials?.jwt?.keys).toEqual(keys);
	});

	it("a short JWT_SECRET: in development alone", () => {
		const short = { JWT_SECRET: "short" };
		expect(readConfig({ ...short, DEVELOPMENT: "true" }).credentials?.jwt?.secret).toBe("short");
		for (const environment of [short, { ...short, DEVELOPMENT: "false" }])
			expect(problemOf(environment)).toBe("JWT_SECRET: must have at least 32 bytes");
	});

	it.each([
		["API_KEYS", { API_KEYS: "secret" }],
		["API_KEYS", { API_KEYS: JSON.stringify({ ...key }) }],
		["API_KEYS.0.sha256", { API_KEYS: JSON.stringify([{ ...key, sha256: "secret" }]) }],
		["API_KEYS.0.scopes.0", { API_KEYS: JSON.stringify([{ ...key, scopes: ["secret"] }]) }],
		["API_KEYS.0.namespace", { API_KEYS: JSON.stringify([{ ...key, namespace: "" }]) }],
		["JWT_SECRET", { JWT_SECRET: "secret of less than 32 bytes..." }],
		["JWT_JWKS", { JWT_JWKS: "[]" }],
		["JWT_JWKS", { JWT_JWKS: "secret" }],
		["JWT_JWKS", { JWT_JWKS: '{"keys": []}' }],
		["JWT_JWKS", { JWT_JWKS: '{"keys": ["secret"]}' }],
		["JWT_JWKS", { JWT_JWKS: '{"keys": [{"kty": "EC", "kid": "a"}, {"kty": "EC", "x": "secret"}]}' }],
		["JWT_ISSUER", { JWT_ISSUER: "secret" }],
		["JWT_AUDIENCE", { JWT_AUDIENCE: "secret", API_KEYS: "[]" }],
		["JWT_AUDIENCE", { JWT_AUDIENCE: "secret,", JWT_SECRET: `secret${longEnough}` }],
		["JWT_JWKS_URL", { JWT_JWKS_URL: "secret" }],
		["JWT_ALGORITHMS.0", { JWT_SECRET: `secret${longEnough}`, JWT_ALGORITHMS: "none" }],
		["JWT_ALGORITHMS", { JWT_SECRET: `secret${longEnough}`, JWT_ALGORITHMS: "RS256" }],
		["JWT_ALGORITHMS", { JWT_JWKS_URL: "https://a.example", JWT_ALGORITHMS: "HS256" }],
	])("%s makes no sense: named, and no value is told", (variable, environment) => {
		const problem = problemOf(environment);
		expect(problem).toMatch(new RegExp(`^${variable}: `));
		expect(problem).not.toContain("secret");
	});
});
