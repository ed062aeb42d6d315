import { createRoute, OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import { type ErrorCode, errorCodes, problemSchema, publicErrors } from "../../schemas/error.ts";
import { idempotencyKeySchema, ifMatchSchema, ifNoneMatchSchema } from "../../schemas/headers.ts";
import type { AnswerSpec, BodySpec, Endpoint, EndpointSpec } from "./endpoint.ts";
import type { AppEnv } from "./environment.ts";
import { nullableReferences } from "./nullable-references.ts";

export type OpenApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

/** Serves the document at `/openapi.json`. It is made when first asked for. */
export function openApi(endpoints: readonly Endpoint[]): OpenAPIHono<AppEnv> {
	let text: string | undefined;
	const app = new OpenAPIHono<AppEnv>();
	app.get("/openapi.json", (c) => {
		text ??= JSON.stringify(openApiDocument(endpoints));
		return c.body(text, 200, { "Content-Type": "application/json", "Cache-Control": "no-cache" });
	});
	return app;
}

/** The OpenAPI 3.1 document of these calls. */
export function openApiDocument(endpoints: readonly Endpoint[]): OpenApiDocument {
	const app = new OpenAPIHono();
	app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
		type: "http",
		scheme: "bearer",
		description: "An API key or a JWT. Local development works without.",
	});
	app.openAPIRegistry.registerComponent("securitySchemes", "share", {
		type: "apiKey",
		in: "header",
		name: "Leaflog-Share",
		description: "The token of a share: alone to read, beside one's own `Authorization` to fork.",
	});
	for (const { spec } of endpoints) app.openAPIRegistry.registerPath(routeOf(spec));
	for (const route of plainRoutes) app.openAPIRegistry.registerPath(route);
	const document = app.getOpenAPI31Document({
		openapi: "3.1.0",
		info: {
			title: "Leaflog",
			version: "1",
			description:
				"Chat and agent sessions as append-only trees in object storage. " +
				"Errors are `application/problem+json` (RFC 9457) with a stable `code`. " +
				"Every answer about a session has an ETag made of its version `seq`, the number of entries in its log.",
			license: { name: "MIT" },
		},
		servers: [{ url: "/" }],
		security: [{ bearer: [] }, {}],
	});
	return nullableReferences(document);
}

/** Codes that any call under /v1 can answer. */
const everywhere: readonly ErrorCode[] = [
	"invalid_request",
	"unauthorized",
	"forbidden",
	"rate_limited",
	"internal",
	"not_configured",
	"storage_unavailable",
];

function routeOf(spec: EndpointSpec): RouteConfig {
	const write = spec.method !== "get";
	const headers = [
		...(write && spec.method !== "delete" ? [idempotencyKeySchema.optional()] : []),
		...(write ? [ifMatchSchema.optional()] : []),
		...(spec.conditional ? [ifNoneMatchSchema.optional()] : []),
		...(spec.headers ?? []),
	];
	const refusals = new Set<ErrorCode>([
		...everywhere,
		...spec.refusals,
		...(write ? (["precondition_failed", "contention"] as const) : []),
		...(spec.body ? (["payload_too_large", "unsupported_media_type"] as const) : []),
	]);
	return createRoute({
		operationId: spec.operationId,
		method: spec.method,
		path: spec.path,
		summary: spec.summary,
		...(spec.description && { description: spec.description }),
		tags: [spec.tag],
		...(spec.shared === "read" && { security: [{ bearer: [] }, { share: [] }, {}] }),
		...(spec.shared === "fork" && { security: [{ bearer: [] }, { bearer: [], share: [] }, {}] }),
		request: {
			// Both are object schemas; the endpoint's type leaves that open.
			params: spec.params as never,
			query: spec.query as never,
			...(headers.length > 0 && { headers }),
			...(spec.body && { body: bodyOf(spec.body) }),
		},
		responses: {
			...Object.fromEntries(
				Object.entries(spec.answers).map(([status, answer]) => [status, answerOf(spec, status, answer)]),
			),
			...(spec.conditional && { 304: { description: "The client's copy is still current" } }),
			...problemsOf(refusals),
		},
	});
}

function bodyOf(body: BodySpec<EndpointSpec["params"]>) {
	if (body.kind === "ndjson") {
		return {
			required: true,
			description: body.description,
			content: { "application/x-ndjson": { schema: { type: "string" as const } } },
		};
	}
	return {
		required: !body.optional,
		content: { "application/json": { schema: body.documented ?? body.schema } },
	};
}

function answerOf(spec: EndpointSpec, status: string, answer: AnswerSpec) {
	const versioned = spec.conditional || (spec.method !== "get" && spec.method !== "delete");
	const headers: Record<string, string> = {
		...(versioned && {
			ETag:
				spec.conditional === "own tag"
					? "Another one whenever the answer is another"
					: "The session's version, and what the answer shows of it",
		}),
		...(status === "201" && { Location: "Address of what was made" }),
		"Server-Timing": "The object-store work behind the answer",
		...answer.headers,
	};
	const content = answer.schema ?? (answer.type ? { type: "string" as const } : undefined);
	return {
		description: answer.description,
		headers: Object.fromEntries(
			Object.entries(headers).map(([name, description]) => [
				name,
				{ description, schema: { type: "string" as const } },
			]),
		),
		...(content && {
			content: {
				[answer.type ?? "application/json"]: { schema: content },
				...(answer.json && { "application/json": { schema: answer.json } }),
			},
		}),
	};
}

/** One response a status, with the codes that it stands for. */
function problemsOf(codes: ReadonlySet<ErrorCode>) {
	const byStatus = new Map<number, ErrorCode[]>();
	for (const code of errorCodes.filter((one) => codes.has(one))) {
		const { status } = publicErrors[code];
		byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
	}
	return Object.fromEntries(
		[...byStatus].map(([status, names]) => [
			status,
			{
				description: names.map((name) => `\`${name}\`: ${describe(name)}`).join("; "),
				content: { "application/problem+json": { schema: problemSchema } },
			},
		]),
	);
}

function describe(code: ErrorCode): string {
	const { title, retryable, noSideEffects } = publicErrors[code];
	const effects = noSideEffects
		? "nothing was stored"
		: "a repeat with the same id or key finds out what was stored";
	return `${title}, ${retryable ? "worth retrying" : "not worth retrying as it is"}, ${effects}`;
}

const plainRoutes: readonly RouteConfig[] = [
	{
		operationId: "getHealth",
		method: "get",
		path: "/healthz",
		summary: "Whether the service is alive; with `ready=1` also whether its store is",
		tags: ["Service"],
		security: [],
		responses: {
			200: { description: "It is" },
			...problemsOf(new Set<ErrorCode>(["storage_unavailable"])),
		},
	},
	{
		operationId: "getOpenApi",
		method: "get",
		path: "/openapi.json",
		summary: "This document",
		tags: ["Service"],
		security: [],
		responses: {
			200: { description: "OpenAPI 3.1", content: { "application/json": { schema: { type: "object" } } } },
		},
	},
	{
		operationId: "getDocs",
		method: "get",
		path: "/docs",
		summary: "A page to read this document and to try it",
		tags: ["Service"],
		security: [],
		responses: { 200: { description: "A page", content: { "text/html": { schema: { type: "string" } } } } },
	},
];
