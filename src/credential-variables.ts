import { z } from "zod";
import type { CredentialSettings } from "./http/credentials.ts";
import { keysOf } from "./http/jwks.ts";
import { asymmetricAlgorithms, type JwtSettings, symmetricAlgorithms } from "./http/jwt.ts";
import { scopes } from "./http/scopes.ts";

/** A variable that holds JSON; a Worker's may hold the value itself. */
const json = z.unknown().transform((given, context) => {
	if (typeof given !== "string") return given;
	try {
		return JSON.parse(given) as unknown;
	} catch {
		context.addIssue({ code: "custom", message: "must be JSON" });
		return z.NEVER;
	}
});

const apiKeys = json.pipe(
	z.array(
		z.strictObject({
			sha256: z.string().regex(/^[0-9a-f]{64}$/i, "must be 64 hex digits"),
			namespace: z.string().min(1),
			scopes: z.array(z.enum(scopes)),
		}),
		{ error: "must be a JSON array of {sha256, namespace, scopes}" },
	),
);

const algorithms = z
	.string()
	.transform((text) => text.split(/[\s,]+/).filter((name) => name !== ""))
	.pipe(z.array(z.enum([...symmetricAlgorithms, ...asymmetricAlgorithms])).min(1));

/** Bytes of a `JWT_SECRET`, at least. RFC 7518, 3.2: whoever has one token can try out shorter ones. */
const leastSecretBytes = 32;

/** The variables that say who may call. In `development` a secret may be short: nobody else has its tokens. */
export const credentialVariables = (development: boolean) =>
	variables.refine(
		({ JWT_SECRET }) =>
			development || JWT_SECRET === undefined || Buffer.byteLength(JWT_SECRET) >= leastSecretBytes,
		{ path: ["JWT_SECRET"], error: `must have at least ${leastSecretBytes} bytes` },
	);

const variables = z
	.object({
		API_KEYS: apiKeys.optional(),
		JWT_SECRET: z.string().optional(),
		JWT_JWKS: json
			.transform((body, context) => {
				const keys = keysOf(body);
				const named = keys?.filter(({ kid, kty }) => typeof kid === "string" && typeof kty === "string");
				if (keys !== undefined && keys.length > 0 && named?.length === keys.length) return keys;
				const message = 'must be a JWK set, {"keys": [...]}, of at least one key, each with kty and kid';
				context.addIssue({ code: "custom", message });
				return z.NEVER;
			})
			.optional(),
		JWT_JWKS_URL: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
		JWT_ALGORITHMS: algorithms.optional(),
		JWT_ISSUER: z.string().optional(),
		JWT_AUDIENCE: z.string().optional(),
	})
	.superRefine((given, context) => {
		const problem = (variable: string, message: string) =>
			context.addIssue({ code: "custom", path: [variable], message });
		const named = given.JWT_ALGORITHMS ?? [];
		const secretly = symmetricAlgorithms.some((name) => named.includes(name));
		const publicly = asymmetricAlgorithms.some((name) => named.includes(name));
		const hasKeys = given.JWT_JWKS !== undefined || given.JWT_JWKS_URL !== undefined;
		if (secretly && given.JWT_SECRET === undefined) problem("JWT_ALGORITHMS", "names HS… without JWT_SECRET");
		if (publicly && !hasKeys) problem("JWT_ALGORITHMS", "needs JWT_JWKS or JWT_JWKS_URL");
		if (named.length > 0 && hasKeys && !publicly) problem("JWT_ALGORITHMS", "names none for the JWT_JWKS");
		if (named.length > 0 && given.JWT_SECRET !== undefined && !secretly)
			problem("JWT_ALGORITHMS", "names none for JWT_SECRET");
		for (const variable of ["JWT_ISSUER", "JWT_AUDIENCE"] as const)
			if (given[variable] !== undefined && given.JWT_SECRET === undefined && !hasKeys)
				problem(variable, "needs JWT_SECRET, JWT_JWKS or JWT_JWKS_URL");
		if (given.JWT_AUDIENCE !== undefined && audiencesOf(given.JWT_AUDIENCE).includes(""))
			problem("JWT_AUDIENCE", "must be names with commas between them");
	});

function audiencesOf(text: string): string[] {
	return text.split(",").map((name) => name.trim());
}

/** Who may call; undefined where nothing says so. */
export function credentialsOf(given: z.infer<typeof variables>): CredentialSettings | undefined {
	const jwt = jwtOf(given);
	if (given.API_KEYS === undefined && jwt === undefined) return undefined;
	return { apiKeys: given.API_KEYS ?? [], ...(jwt && { jwt }) };
}

function jwtOf(given: z.infer<typeof variables>): JwtSettings | undefined {
	const { JWT_SECRET: secret, JWT_JWKS: keys, JWT_JWKS_URL: keysUrl, JWT_ISSUER: issuer } = given;
	const hasKeys = keys !== undefined || keysUrl !== undefined;
	if (secret === undefined && !hasKeys) return undefined;
	const usual = [
		...(secret === undefined ? [] : (["HS256"] as const)),
		...(hasKeys ? (["RS256", "ES256", "EdDSA"] as const) : []),
	];
	const audience = given.JWT_AUDIENCE === undefined ? undefined : audiencesOf(given.JWT_AUDIENCE);
	return {
		algorithms: given.JWT_ALGORITHMS ?? usual,
		...(secret !== undefined && { secret }),
		...(keys && { keys }),
		...(keysUrl !== undefined && { keysUrl }),
		...(issuer !== undefined && { issuer }),
		...(audience && { audience }),
	};
}
