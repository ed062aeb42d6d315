import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { mediaParams, mediaQuery } from "../../schemas/media.ts";
import type { Call } from "../operations/call.ts";
import { MediaLinks } from "../operations/media-links.ts";
import type { AppEnv } from "./environment.ts";
import { queryOf } from "./validate.ts";

/** Of the one call that a link can be signed for. */
export const mediaPath = "/v1/sessions/:id/entries/:entryId/media/:k";

/**
 * A signed link that holds is a credential for what it names, and nothing else. Whatever else is asked for goes the
 * usual way, `otherwise`.
 */
export function mediaAccess(
	parts: { readonly secret: string | undefined; readonly clock: Pick<Call["clock"], "now"> },
	otherwise: MiddlewareHandler<AppEnv>,
): MiddlewareHandler<AppEnv> {
	const { secret, clock } = parts;
	if (secret === undefined) return otherwise;
	const links = new MediaLinks(secret);
	return createMiddleware<AppEnv>(async (c, next) => {
		const params = mediaParams.safeParse(c.req.param());
		const query = mediaQuery.safeParse(queryOf(new URL(c.req.url)));
		const reading = c.req.method === "GET" || c.req.method === "HEAD";
		if (!reading || !params.success || !query.success) return otherwise(c, next);
		const { expires, owner, signature } = query.data;
		if (expires === undefined || owner === undefined || signature === undefined) return otherwise(c, next);
		const { id: session, entryId, k } = params.data;
		const linked = links.verify({ session, entryId, k }, { expires, owner, signature }, clock.now());
		if (linked === undefined) return otherwise(c, next);
		c.set("caller", { namespace: "", scopes: new Set(), anonymous: true });
		c.set("linked", linked);
		return next();
	});
}
