import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, everyRoute, type Route, shareKey } from "./every-route.ts";
import * as tokens from "./tokens.ts";
import { type Reply, user, World } from "./world.ts";

async function furnished() {
	const open = new World();
	const session = await open.session([picture("first"), user("again")], { id: "Session.1" });
	await open.post(`${session}/shares`, { scope: "read" }, { "Idempotency-Key": shareKey });
	return { world: open.cold({ authenticate: tokens.authenticate() }), session, open };
}

/** A message with something for each call, a picture among it. */
function picture(id: string): object {
	const content = [
		{ type: "text", text: "hello" },
		{ type: "image", data: "aGVsbG8=", mimeType: "image/png" },
	];
	return { type: "message", id, message: { role: "user", content } };
}

function ask(world: World, route: Route, session: string, headers: Record<string, string>): Promise<Reply> {
	const body = route.body?.("first");
	const type: Record<string, string> = route.type ? { "Content-Type": route.type } : {};
	return world.call(route.method, addressOf(route, session, "first"), body, {
		...route.headers,
		...type,
		...headers,
	});
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Credentials that let nobody in. */
const useless: Record<string, () => Promise<Record<string, string>> | Record<string, string>> = {
	"no token": () => ({}),
	"an empty one": () => ({ Authorization: "" }),
	"another scheme": () => ({ Authorization: `Basic ${btoa("a:b")}` }),
	"no scheme": () => ({ Authorization: tokens.apiKey }),
	"two tokens": async () => bearer(`${tokens.apiKey} ${await tokens.token()}`),
	malformed: () => bearer("a.b.c"),
	"of two parts": async () => bearer((await tokens.token()).split(".").slice(0, 2).join(".")),
	tampered: async () => bearer(retold(await tokens.token(), { sub: "others" })),
	"without its signature": async () => bearer((await tokens.token()).replace(/[^.]*$/, "")),
	"signed by another key": async () => bearer(await tokens.forged()),
	expired: async () => bearer(await tokens.token({ exp: 1_700_000_000 })),
	"not valid yet": async () => bearer(await tokens.token({ nbf: tokens.inAnHour() })),
	"without exp": async () => bearer(await tokens.token({ exp: undefined })),
	"without sub": async () => bearer(await tokens.token({ sub: undefined })),
	"with an empty sub": async () => bearer(await tokens.token({ sub: "" })),
	"of another algorithm": async () => bearer(await tokens.secretToken()),
	"signed with the public key as a secret": async () =>
		bearer(await tokens.secretToken({}, JSON.stringify(tokens.publicKey))),
	"with a sub that is no text": async () => bearer(await tokens.token({ sub: ["tests"] })),
	"with an exp that is no number": async () => bearer(await tokens.token({ exp: "2999-01-01" })),
	"of a key that is not known": () => bearer(tokens.tokenWith({ kid: "k2" })),
	"of no key in particular": () => bearer(tokens.tokenWith({ kid: undefined })),
	"of another type": () => bearer(tokens.tokenWith({ typ: "dpop+jwt" })),
	"with extensions that must be understood": () => bearer(tokens.tokenWith({ crit: ["b64"], b64: false })),
	"that names another alg than it was signed with": () => bearer(tokens.tokenWith({ alg: "RS256" })),
	"of an alg in other letters": () => bearer(tokens.tokenWith({ alg: "es256" })),
	"of alg none": () => bearer(tokens.unsigned({ alg: "none", typ: "JWT" })),
	"of alg NONE with a kid": () => bearer(tokens.unsigned({ alg: "NONE", typ: "JWT", kid: "k1" })),
	"of no alg": () => bearer(tokens.unsigned({ kid: "k1" })),
	"for another audience": async () => bearer(await tokens.token({ aud: "somebody-else" })),
	"without audience": async () => bearer(await tokens.token({ aud: undefined })),
	"of another issuer": async () => bearer(await tokens.token({ iss: "https://evil.example" })),
	"a revoked key": () => bearer(tokens.revokedKey),
	"a key in other letters": () => bearer(tokens.apiKey.toUpperCase()),
	"a part of a key": () => bearer(tokens.apiKey.slice(0, -1)),
	"a share's token": () => bearer(`lls_${"A".repeat(43)}`),
	"a key's hash": () => bearer(tokens.sha256(tokens.apiKey)),
};

function retold(token: string, more: object): string {
	const [header = "", payload = "", signature = ""] = token.split(".");
	const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
	return [header, Buffer.from(JSON.stringify({ ...claims, ...more })).toString("base64url"), signature].join(
		".",
	);
}

describe("credentials on every route", () => {
	it.each(everyRoute)("$operationId: what is no credential is 401, and does nothing", async (route) => {
		const { world, session } = await furnished();
		for (const [name, headers] of Object.entries(useless)) {
			const reply = await ask(world, route, session, await headers());
			expect({ name, status: reply.status, code: reply.body?.code }).toEqual({
				name,
				status: 401,
				code: "unauthorized",
			});
			expect(reply.headers.get("WWW-Authenticate")).toBe("Bearer");
			expect(reply.headers.get("Server-Timing")).toBeNull();
		}
		expect(world.lines.every((line) => line.store === undefined)).toBe(true);
		expect(JSON.stringify(world.lines)).not.toMatch(/Bearer|llk_|eyJ/);
	});

	it.each(everyRoute)(
		"$operationId: a token with the scope does, one with all others is 403",
		async (route) => {
			const { world, session } = await furnished();
			const others = tokens.allScopes.split(" ").filter((scope) => scope !== route.scope);
			const scopes = [others.join(" "), "", undefined, route.scope.toUpperCase(), `${route.scope}s`];
			const lists = [others.join(","), `${route.scope},openid`, [route.scope], { [route.scope]: true }, "*"];
			for (const scope of [...scopes, ...lists]) {
				const reply = await ask(world, route, session, bearer(await tokens.token({ scope })));
				expect({ status: reply.status, code: reply.body?.code }).toEqual({ status: 403, code: "forbidden" });
			}
			const signed = bearer(tokens.tokenWith({}, { scope: "" }));
			expect((await ask(world, route, session, signed)).status).toBe(403);
			const scope = `openid ${route.scope}`;
			expect((await ask(world, route, session, bearer(await tokens.token({ scope })))).status).toBe(
				route.status,
			);
		},
	);

	it.each(everyRoute.filter(({ onSession }) => onSession))(
		"$operationId: a session of another namespace is as good as none",
		async (route) => {
			const { world, session } = await furnished();
			const strangers = [
				bearer(await tokens.token({ sub: "others" })),
				{ ...bearer(tokens.backEndKey), "Leaflog-Namespace": "Tests" },
				{ ...bearer(tokens.backEndKey), "Leaflog-Namespace": "UTF-8''tests%20" },
			];
			for (const headers of strangers) {
				const [theirs, none] = [
					await ask(world, route, session, headers),
					await ask(world, route, "/v1/sessions/nowhere", headers),
				];
				expect([theirs.status, none.status]).toEqual([404, 404]);
				expect({ ...theirs.body, requestId: 0 }).toEqual({ ...none.body, requestId: 0 });
			}
		},
	);

	it.each(everyRoute)("$operationId: an API key does, its own namespace only", async (route) => {
		const { world, session } = await furnished();
		const other = { ...bearer(tokens.apiKey), "Leaflog-Namespace": "others" };
		expect((await ask(world, route, session, other)).body).toMatchObject({ code: "forbidden" });
		expect((await ask(world, route, session, bearer(tokens.apiKey))).status).toBe(route.status);
	});

	it.each(everyRoute)(
		"$operationId: a back end's key does, for the namespace that it names",
		async (route) => {
			const { world, session } = await furnished();
			for (const name of [undefined, "", "é", "UTF-8''", "UTF-8''%ff", "UTF-8''%zz"]) {
				const headers = {
					...bearer(tokens.backEndKey),
					...(name !== undefined && { "Leaflog-Namespace": name }),
				};
				expect((await ask(world, route, session, headers)).body).toMatchObject({ code: "invalid_request" });
			}
			const named = { ...bearer(tokens.backEndKey), "Leaflog-Namespace": "tests" };
			expect((await ask(world, route, session, named)).status).toBe(route.status);
		},
	);
});

describe("credentials", () => {
	it("a shared secret: accepted where it is configured, with its algorithm alone", async () => {
		const { open, session } = await furnished();
		const jwt = { algorithms: ["HS256"], secret: tokens.secret } as const;
		const world = open.cold({ authenticate: tokens.authenticate({ apiKeys: [], jwt }) });
		expect((await world.get(session, bearer(await tokens.secretToken()))).status).toBe(200);
		expect((await world.get(session, bearer(await tokens.secretToken({}, "another")))).status).toBe(401);
		expect((await world.get(session, bearer(await tokens.token()))).status).toBe(401);
	});

	it("loopback: no way around credentials that are configured", async () => {
		const { world, session } = await furnished();
		expect((await world.get(`http://localhost${session}`)).status).toBe(401);
	});

	it("namespaces of every writing: the same whether a token or a back end names them", async () => {
		const { world } = await furnished();
		for (const name of ["é", "a/b", "..", "100%", "日本", "a'b\"c", " lead", "x".repeat(1000)]) {
			const made = await world.post(
				"/v1/sessions",
				{ metadata: { name } },
				bearer(await tokens.token({ sub: name })),
			);
			const header = `UTF-8''${encodeURIComponent(name).replaceAll("'", "%27")}`;
			const seen = await world.get(`/v1/sessions/${made.body.id}`, {
				...bearer(tokens.backEndKey),
				"Leaflog-Namespace": header,
			});
			expect(seen.body).toEqual(made.body);
		}
	});

	it("two namespaces with the same session ids: never meet, whatever their names", async () => {
		const odd = [
			"a/b",
			"a",
			"/b",
			"A",
			"a.",
			"..",
			".",
			"%",
			"%61",
			"a%2Fb",
			"a\u0301",
			"\u00e1",
			"\u0430",
			"*",
			"~",
			" a",
		];
		const name = fc.oneof(
			fc.constantFrom(...odd, "x".repeat(1000), `${"x".repeat(999)}y`),
			fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
			fc.string({
				unit: fc.constantFrom("a", "/", ".", "%", "~", "2", "f", "A"),
				minLength: 1,
				maxLength: 6,
			}),
		);
		await fc.assert(
			fc.asyncProperty(fc.uniqueArray(name, { minLength: 2, maxLength: 6 }), async (names) => {
				const world = new World({ authenticate: tokens.authenticate() });
				const owners = await Promise.all(names.map(async (sub) => bearer(await tokens.token({ sub }))));
				for (const [at, owner] of owners.entries()) {
					const made = await world.post("/v1/sessions", { id: "same", metadata: { at } }, owner);
					expect(made.status).toBe(201);
				}
				for (const [at, owner] of owners.entries()) {
					expect((await world.get("/v1/sessions/same", owner)).body.metadata).toEqual({ at });
					const { sessions } = (await world.get("/v1/sessions", owner)).body;
					expect(sessions.map(({ metadata }: { metadata: object }) => metadata)).toEqual([{ at }]);
				}
			}),
			{ seed: 5, numRuns: 40 },
		);
	});
});
