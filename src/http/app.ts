import { OpenAPIHono } from "@hono/zod-openapi";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { authentication } from "./auth.ts";
import { beginCall } from "./begin-call.ts";
import { compression } from "./compression.ts";
import { crossOrigin } from "./cross-origin.ts";
import { dispatch } from "./dispatch.ts";
import { docs } from "./docs.ts";
import { endpoints } from "./endpoints.ts";
import type { AppEnv } from "./environment.ts";
import { onError } from "./errors.ts";
import { health } from "./health.ts";
import { mediaAccess, mediaPath } from "./media-access.ts";
import { metricsPage } from "./metrics-page.ts";
import { methodProblem, notFound, soundPath } from "./no-route.ts";
import { openApi } from "./openapi.ts";
import type { Parts } from "./parts.ts";
import { rateLimit } from "./rates.ts";
import { requestLog } from "./request-log.ts";
import { responseHeaders } from "./response-headers.ts";
import { viewer } from "./viewer.ts";

/** The API over the given parts: what happens to every request, then all there is to ask for. */
export function createApp(parts: Parts): OpenAPIHono<AppEnv> {
	const app = new OpenAPIHono<AppEnv>();
	app.onError(onError);
	app.notFound(notFound);

	app.use(requestId({ generator: () => hex(parts.random.bytes(16)) }));
	app.use(requestLog({ clock: parts.clock, log: parts.writeLog }));
	app.use(crossOrigin(parts.config?.corsOrigins ?? []));
	if (parts.config?.compress) app.use(compression());
	app.use(responseHeaders());
	app.use(methodNotAllowed({ app, onMethodNotAllowed: methodProblem }));
	app.use(soundPath());

	const identified = authentication(parts.authenticate);
	const secret = parts.config?.mediaSecret;
	app.use(mediaPath, mediaAccess({ secret, clock: parts.clock }, identified));
	app.use("/v1/*", (c, next) => (c.var.caller ? next() : identified(c, next)));
	app.use("/v1/*", rateLimit(parts.rates));
	app.use("/v1/*", beginCall(parts));
	for (const { spec, handle } of endpoints) {
		const path = spec.path.replaceAll(/\{(\w+)\}/g, ":$1");
		app.on(spec.method.toUpperCase(), path, (c) => dispatch(c, { spec, handle }));
	}

	app.route("/", health(parts));
	app.route("/", openApi(endpoints));
	if (parts.metrics) app.route("/", metricsPage(parts.metrics));
	app.route("/", docs());
	app.route("/", viewer());
	return app;
}

function hex(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
