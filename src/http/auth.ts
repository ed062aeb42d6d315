import { createMiddleware } from "hono/factory";
import type { ErrorCode } from "../../schemas/error.ts";
import type { AppEnv } from "./environment.ts";
import { Problem } from "./errors.ts";
import { type Scope, scopes } from "./scopes.ts";

/** Who calls, as the credential says. */
export interface Caller {
	readonly namespace: string;
	readonly scopes: ReadonlySet<Scope>;
	/** Nobody in particular, who brings a share and nothing else. */
	readonly anonymous?: boolean;
}

export type Authentication =
	| { readonly kind: "caller"; readonly caller: Caller }
	| {
			readonly kind: "refused";
			readonly code: Extract<
				ErrorCode,
				"unauthorized" | "forbidden" | "not_configured" | "invalid_request" | "storage_unavailable"
			>;
			readonly detail: string;
	  };

/** Tells who calls from a request's headers and address. Never throws for what a client sent. */
export type Authenticate = (request: Request) => Promise<Authentication> | Authentication;

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** What proxies add to requests that they hand on. */
const proxied = ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "CF-Ray"];

/**
 * Development without credentials: whoever reaches the service by a loopback name owns the one namespace.
 * A page elsewhere that points its own name at this machine doesn't, nor does whoever comes through a proxy that says so.
 * Only for where nobody else can get: the name is what the client says, so it proves nothing by itself.
 */
export function openOnLoopback(namespace: string): Authenticate {
	const caller: Caller = { namespace, scopes: new Set(scopes) };
	return (request) =>
		loopback.test(new URL(request.url).hostname) && !proxied.some((name) => request.headers.has(name))
			? { kind: "caller", caller }
			: notConfigured(request);
}

/** A deployment without credentials serves nobody. */
export const notConfigured: Authenticate = () => ({
	kind: "refused",
	code: "not_configured",
	detail: "No credentials are configured, so nobody can be let in",
});

/** Lets nobody pass whom the port does not know. Preflights carry no credentials and learn nothing. */
export function authentication(authenticate: Authenticate) {
	return createMiddleware<AppEnv>(async (c, next) => {
		if (c.req.method === "OPTIONS") return next();
		const outcome = await authenticate(c.req.raw);
		const sharedOnly = c.req.header("Leaflog-Share") !== undefined && !c.req.header("Authorization");
		if (outcome.kind === "refused" && outcome.code === "unauthorized" && sharedOnly) {
			c.set("caller", { namespace: "", scopes: new Set(), anonymous: true });
			return next();
		}
		if (outcome.kind === "refused") throw new Problem(outcome.code, outcome.detail);
		c.set("caller", outcome.caller);
		return next();
	});
}
