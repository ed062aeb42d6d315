import { appOf, type WorkerApp } from "./worker-app.ts";

/** One per isolate; it holds the cache. Made by the first request, because only requests know the bindings. */
let app: WorkerApp | undefined;

export default {
	fetch(request, env, context): Response | Promise<Response> {
		app ??= appOf(env);
		return app.fetch(request, env, context);
	},

	async scheduled(_controller, env): Promise<void> {
		app ??= appOf(env);
		await app.sweep();
	},
} satisfies ExportedHandler<Cloudflare.Env>;
