import { describe, expect, it } from "vitest";
import { limits } from "../../schemas/limits.ts";
import { notConfigured } from "../../src/http/auth.ts";
import { endpoints } from "../../src/http/endpoints.ts";
import { addressOf, everyRoute, type Route, shareKey } from "./every-route.ts";
import { type Reply, user, World } from "./world.ts";

const secret = "the whole truth";

async function furnished(options: ConstructorParameters<typeof World>[0] = {}) {
	const world = new World(options);
	const content = [
		{ type: "text", text: secret },
		{ type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
	];
	const message = { role: "user", content, timestamp: 1_767_323_045_000 };
	const entries = [{ type: "message", id: "first", message }, user("and more")];
	const session = await world.session(entries, { id: "Session.1" });
	await world.post(`${session}/shares`, { scope: "read" }, { "Idempotency-Key": shareKey });
	return { world, session };
}

/** Asks as the route should be asked, or with something else instead. */
function ask(
	world: World,
	route: Route,
	session: string,
	change: { path?: string; method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
	const body = "body" in change ? change.body : route.body?.("first");
	const headers = {
		...route.headers,
		...(route.type && { "Content-Type": route.type }),
		...change.headers,
	};
	return world.call(
		change.method ?? route.method,
		change.path ?? addressOf(route, session, "first"),
		body,
		headers,
	);
}

function expectProblem(reply: Reply, status: number, code: string): void {
	expect({ status: reply.status, code: reply.body?.code, text: reply.text }).toMatchObject({ status, code });
	expect(reply.headers.get("Content-Type")).toBe("application/problem+json");
	expect(reply.body).toMatchObject({ type: `urn:leaflog:error:${code}`, title: expect.any(String), status });
	expect(reply.body.detail).toEqual(expect.any(String));
	expect(reply.text).not.toMatch(/ at .*\.ts|node_modules/);
}

const writing = everyRoute.filter((route) => route.body !== undefined);
const jsonWriting = writing.filter((route) => route.type === undefined);
const onSession = everyRoute.filter((route) => route.onSession);

describe("every route", () => {
	it("is in the table", () => {
		const served = endpoints.map(({ spec }) => `${spec.method} ${spec.path} ${spec.operationId}`).sort();
		const tested = everyRoute.map(
			({ method, path, operationId }) =>
				`${method.toLowerCase()} ${path("/v1/sessions/{id}", "{entryId}", "{shareId}", "{k}")} ${operationId}`,
		);
		expect(tested.sort()).toEqual(served);
	});

	it.each(everyRoute)("$operationId: answers with the headers that all answers have", async (route) => {
		const { world, session } = await furnished();
		const reply = await ask(world, route, session);
		expect(reply.status).toBe(route.status);
		expect(reply.headers.get("Cache-Control")).toBe(route.cacheControl ?? "private, no-cache");
		expect(reply.headers.get("X-Content-Type-Options")).toBe("nosniff");
		expect(reply.headers.get("Server-Timing")).toMatch(/bytes-read;desc="\d+", bytes-written;desc="\d+"/);
		expect(reply.headers.get("X-Request-Id")).toMatch(/^[0-9a-f]{32}$/);
		expect(reply.headers.get("Vary")).toContain("Authorization");
		if (!["deleteSession", "revokeShare", "eraseNamespace"].includes(route.operationId)) {
			expect(reply.headers.get("ETag")).toMatch(/^W\/"(\d+-\d+(-[\w.]+)?|list-[\w-]+)"$|^"media-[\w-]{22}"$/);
		}
		if (
			reply.status === 201 &&
			!["appendEntry", "compactSession", "createShare"].includes(route.operationId)
		) {
			const made = reply.body.session ?? reply.body;
			expect(reply.headers.get("Location")).toBe(`/v1/sessions/${made.id}`);
		}
	});

	it.each(everyRoute)(
		"$operationId: writes one log line, without what was said and by whom",
		async (route) => {
			const { world, session } = await furnished();
			world.lines.length = 0;
			const reply = await ask(world, route, session, {
				headers: { "Idempotency-Key": "secret-key", Authorization: "Bearer secret-token" },
			});
			expect(world.lines).toHaveLength(1);
			expect(world.lines[0]).toMatchObject({
				id: reply.headers.get("X-Request-Id"),
				method: route.method,
				route: route.path("/v1/sessions/:id", ":entryId", ":shareId", ":k"),
				status: route.status,
				store: { put: { requests: expect.any(Number) } },
			});
			expect(JSON.stringify(world.lines)).not.toMatch(/secret|whole truth|tests|Session\.1|first/);
		},
	);

	it.each(everyRoute)("$operationId: unknown query parameters are refused", async (route) => {
		const { world, session } = await furnished();
		const mark = route.query ? "&" : "?";
		const reply = await ask(world, route, session, {
			path: `${addressOf(route, session, "first")}${mark}nonsense=1`,
		});
		expectProblem(reply, 400, "invalid_request");
		expect(reply.body.errors).toEqual([{ path: "nonsense", message: expect.any(String) }]);
	});

	it.each(everyRoute)("$operationId: broken percent-encoding is refused", async (route) => {
		const { world, session } = await furnished();
		for (const broken of ["%", "%zz", "%ff", "%ed%a0%80"]) {
			const path = route.path(session, "first");
			expectProblem(await ask(world, route, session, { path: `${path}/${broken}` }), 400, "invalid_request");
			expectProblem(
				await ask(world, route, session, { path: `${path}?q=${broken}` }),
				400,
				"invalid_request",
			);
		}
	});

	it.each(everyRoute)("$operationId: methods that it lacks are 405 and told, HEAD is GET", async (route) => {
		const { world, session } = await furnished();
		const path = route.path(session, "first");
		const allowed = endpoints
			.filter(({ spec }) => matches(spec.path, path))
			.flatMap(({ spec }) => (spec.method === "get" ? ["GET", "HEAD"] : [spec.method.toUpperCase()]));
		for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PURGE"]) {
			if (allowed.includes(method)) continue;
			const reply = await ask(world, route, session, { method, body: undefined });
			if (method === "HEAD") expect(reply.status).toBe(405);
			else expectProblem(reply, 405, "method_not_allowed");
			const allow = reply.headers.get("Allow")?.split(", ") ?? [];
			expect(allow.sort()).toEqual([...new Set([...allowed, "OPTIONS"])].sort());
		}
		const options = await ask(world, route, session, { method: "OPTIONS", body: undefined });
		expect(options.status).toBe(204);
		expect(options.headers.get("Allow")?.split(", ")).toEqual(
			expect.arrayContaining([route.method, "OPTIONS"]),
		);
		if (route.method !== "GET") return;
		const [get, head] = [
			await ask(world, route, session),
			await ask(world, route, session, { method: "HEAD" }),
		];
		expect(head.status).toBe(200);
		expect(head.text).toBe("");
		for (const name of ["ETag", "Content-Type", "Cache-Control"]) {
			expect(head.headers.get(name)).toBe(get.headers.get(name));
		}
	});

	it.each(onSession)("$operationId: a session that isn't there is 404", async (route) => {
		const { world } = await furnished();
		const reply = await ask(world, route, "/v1/sessions/nowhere");
		expectProblem(reply, 404, "not_found");
	});

	it.each(onSession)("$operationId: an id that no session can have is 400", async (route) => {
		const { world } = await furnished();
		for (const id of ["-x", "x.", "a%2Fb", "..%2F..", "a%00b", "a%20b", "%5C", "x".repeat(129), "é"]) {
			expectProblem(await ask(world, route, `/v1/sessions/${id}`), 400, "invalid_request");
		}
	});

	it.each(onSession)("$operationId: a deleted session is 410, whatever else is true", async (route) => {
		const { world, session } = await furnished();
		const etag = (await world.get(session)).headers.get("ETag") ?? "";
		expect((await world.call("DELETE", session)).status).toBe(204);
		for (const instance of [world, world.cold()]) {
			const conditions: Record<string, string>[] = [
				{},
				{ "If-Match": '"99"' },
				{ "If-None-Match": etag },
				{ "If-None-Match": "*" },
			];
			for (const headers of conditions) {
				expectProblem(await ask(instance, route, session, { headers }), 410, "gone");
			}
		}
	});

	it.each(onSession)("$operationId: another namespace's session is as good as none", async (route) => {
		const { world, session } = await furnished();
		const caller = { namespace: "others", scopes: new Set([route.scope]) };
		const other = world.cold({ authenticate: () => ({ kind: "caller", caller }) });
		const theirs = await ask(other, route, session);
		const none = await ask(other, route, "/v1/sessions/nowhere");
		expectProblem(theirs, 404, "not_found");
		expect({ ...theirs.body, requestId: 0 }).toEqual({ ...none.body, requestId: 0 });
	});

	it.each(everyRoute)("$operationId: needs its scope", async (route) => {
		const { world, session } = await furnished();
		const all = ["sessions:read", "sessions:write", "sessions:delete"] as const;
		const caller = { namespace: "tests", scopes: new Set(all.filter((scope) => scope !== route.scope)) };
		const other = world.cold({ authenticate: () => ({ kind: "caller", caller }) });
		expectProblem(await ask(other, route, session), 403, "forbidden");
		const only = { namespace: "tests", scopes: new Set([route.scope]) };
		const enough = world.cold({ authenticate: () => ({ kind: "caller", caller: only }) });
		expect((await ask(enough, route, session)).status).toBe(route.status);
	});

	it.each(everyRoute)("$operationId: nobody is let in without credentials, nor told more", async (route) => {
		const { world, session } = await furnished();
		const closed = world.cold({ authenticate: notConfigured });
		expectProblem(await ask(closed, route, session), 501, "not_configured");
		const strict = world.cold({
			authenticate: () => ({ kind: "refused", code: "unauthorized", detail: "No token" }),
		});
		const reply = await ask(strict, route, "/v1/sessions/-bad-", route.body ? { body: "not json" } : {});
		expectProblem(reply, 401, "unauthorized");
		expect(reply.headers.get("WWW-Authenticate")).toBe("Bearer");
		expect(reply.headers.get("Server-Timing")).toBeNull();
	});

	it.each(everyRoute)("$operationId: a service of another name is no development", async (route) => {
		const { world, session } = await furnished();
		const reply = await ask(world, route, session, {
			path: `http://leaflog.example${addressOf(route, session, "first")}`,
		});
		expectProblem(reply, 501, "not_configured");
	});

	it.each(everyRoute)("$operationId: whoever comes through a proxy is no developer", async (route) => {
		const { world, session } = await furnished();
		for (const name of ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "CF-Ray"]) {
			const reply = await ask(world, route, session, { headers: { [name]: "1.1 proxy" } });
			expectProblem(reply, 501, "not_configured");
		}
	});

	it.each(writing)("$operationId: another content type is 415", async (route) => {
		const { world, session } = await furnished();
		const wrong = route.type ? ["application/json"] : ["application/x-ndjson", "application/problem+json"];
		for (const type of [
			"text/plain",
			"application/octet-stream",
			"application/json; charset=latin1",
			...wrong,
		]) {
			const reply = await ask(world, route, session, { headers: { "Content-Type": type } });
			expectProblem(reply, 415, "unsupported_media_type");
		}
		const untyped = await world.send(route.method, route.path(session, "first"), {
			body: new TextEncoder().encode("{}"),
		});
		expect(untyped.status).toBe(415);
	});

	it.each(jsonWriting)("$operationId: a charset and capitals in the content type do", async (route) => {
		const { world, session } = await furnished();
		const reply = await ask(world, route, session, {
			headers: { "Content-Type": 'Application/JSON; Charset="UTF-8"' },
		});
		expect(reply.status).toBe(route.status);
	});

	it.each(jsonWriting)("$operationId: what is no JSON is 400", async (route) => {
		const { world, session } = await furnished();
		const text = JSON.stringify(route.body?.("first"));
		const deep = (levels: number) => `{"x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
		const bad = [
			"",
			" ",
			text.slice(0, -1),
			`${text}x`,
			"{'a':1}",
			"undefined",
			deep(limits.jsonDepth),
			deep(100_000),
			"[".repeat(100_000),
			new Uint8Array([0x7b, 0xff, 0x7d]),
		];
		for (const body of bad) {
			expectProblem(await ask(world, route, session, { body }), 400, "invalid_request");
		}
		for (const body of ["null", "1", '"x"', "[]", "true"]) {
			expectProblem(await ask(world, route, session, { body }), 400, "invalid_request");
		}
	});

	it.each(jsonWriting)("$operationId: a byte order mark and doubled keys do", async (route) => {
		const { world, session } = await furnished();
		const text = JSON.stringify(route.body?.("first"));
		expect((await ask(world, route, session, { body: `\ufeff${text}` })).status).toBe(route.status);
		const first = Object.keys(route.body?.("first") as object)[0];
		const doubled = text.replace("{", `{"${first}":"replaced by the last one",`);
		expect((await ask(world, route, session, { body: doubled })).status).toBe(route.status);
	});

	it.each(jsonWriting)("$operationId: unknown fields of ours are refused, __proto__ too", async (route) => {
		if (route.operationId === "appendEntry") return;
		const { world, session } = await furnished();
		const text = JSON.stringify(route.body?.("first"));
		for (const field of ["nonsense", "__proto__", "constructor", "toString"]) {
			const body = text.replace(/\}$/, `,"${field}":{"x":1}}`);
			const reply = await ask(world, route, session, { body });
			expectProblem(reply, 400, "invalid_request");
			expect(reply.body.errors).toEqual([{ path: field, message: expect.any(String) }]);
		}
	});

	it.each(writing)("$operationId: a body beyond its limit is 413, before it is read", async (route) => {
		const { world, session } = await furnished({
			config: { limits: { appendBytes: 2000, importBytes: 2000 } },
		});
		const text = (route.type ? "" : "{") + " ".repeat(3000);
		expectProblem(await ask(world, route, session, { body: text }), 413, "payload_too_large");
		let pulled = 0;
		const endless = new ReadableStream<Uint8Array>({
			pull(controller) {
				pulled++;
				controller.enqueue(new Uint8Array(500).fill(0x20));
			},
		});
		const response = await world.send(route.method, route.path(session, "first"), {
			body: endless,
			headers: { "Content-Type": route.type ?? "application/json" },
			duplex: "half",
		} as RequestInit);
		expect(response.status).toBe(413);
		expect(pulled).toBeLessThan(10);
		expect((await world.get(session)).body.seq).toBe(2);
	});

	it.each(writing)("$operationId: a key of other than 1 to 128 visible characters is 400", async (route) => {
		const { world, session } = await furnished();
		for (const key of ["", "a b", "a\tb", "é", "x".repeat(129), "a, b"]) {
			const reply = await ask(world, route, session, { headers: { "Idempotency-Key": key } });
			expectProblem(reply, 400, "invalid_request");
			expect(reply.body.errors[0].path).toBe("Idempotency-Key");
		}
		const key = `!${"~".repeat(127)}`;
		expect((await ask(world, route, session, { headers: { "Idempotency-Key": key } })).status).toBe(
			route.status,
		);
	});
});

function matches(template: string, path: string): boolean {
	return new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
}
