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

/**
 * Development without credentials: whoever reaches the service by a loopback name owns the one namespace.
 * A page elsewhere that points its own name at this machine doesn't.
 */
export function openOnLoopback(namespace: string): Authenticate {
	const caller: Caller = { namespace, scopes: new Set(scopes) };
	return (request) =>
		loopback.test(new URL(request.url).hostname) ? { kind: "caller", caller } : notConfigured(request);
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
