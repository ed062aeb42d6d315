import { type App, appOf } from "./worker-app.ts";

/** One per isolate; it holds the cache. Made by the first request, because only requests know the bindings. */
let app: App | undefined;

export default {
	fetch(request, env, context): Response | Promise<Response> {
		app ??= appOf(env);
		return app.fetch(request, env, context);
	},
} satisfies ExportedHandler<Cloudflare.Env>;
