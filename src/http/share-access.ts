import type { Context } from "hono";
import type { Call } from "../operations/call.ts";
import { noSuchSession } from "../operations/refusal.ts";
import { openShare } from "../operations/shares.ts";
import type { EndpointSpec } from "./endpoint.ts";
import type { AppEnv } from "./environment.ts";
import { Problem } from "./errors.ts";

/**
 * What a request may work with: the caller's own, or what a share gives. A share allows only calls that say so, and
 * only on its session; that it leads to another one looks as if there were none.
 */
export async function allowedCall(c: Context<AppEnv>, spec: EndpointSpec): Promise<Call> {
	const { call, caller } = c.var;
	const token = c.req.header("Leaflog-Share");
	const needScope = () => {
		if (!caller.scopes.has(spec.scope))
			throw new Problem("forbidden", `This call needs the scope ${spec.scope}`);
	};
	if (token === undefined) {
		needScope();
		return call;
	}
	const share = await openShare(call.scope.store, token, call.clock.now());
	if (share === undefined) throw new Problem("unauthorized", "The share is not valid, or not any more");
	c.set("shared", share.part);
	if (spec.shared === undefined) throw new Problem("forbidden", "A share does not allow this call");
	if (spec.shared === "fork") {
		if (share.scope !== "fork") throw new Problem("forbidden", "This share may only be read");
		if (caller.anonymous) {
			throw new Problem("unauthorized", "Who forks a share needs `Authorization` of their own beside it");
		}
		needScope();
	}
	if (c.req.param("id") !== share.part.session) throw Problem.of(noSuchSession);
	return { ...call, shared: share.part };
}
