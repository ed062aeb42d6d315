import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { serverLimits } from "../schemas/limits.ts";
import { authenticateWith } from "./authenticate-with.ts";
import { ConfigError, readServerConfig, type ServerConfig } from "./config.ts";
import { createApp } from "./http/app.ts";
import { docsAssetsPath } from "./http/docs.ts";
import type { AppEnv } from "./http/environment.ts";
import { MemoryRates } from "./http/memory-rates.ts";
import { responseHeaders } from "./http/response-headers.ts";
import { viewerAssetsPath } from "./http/viewer.ts";
import { Metrics } from "./metrics.ts";
import { nodeServer } from "./node-server.ts";
import type { Catalogue } from "./operations/catalogue.ts";
import { partsOf } from "./parts.ts";
import { systemClock } from "./platform.ts";
import { S3Store } from "./store/s3.ts";

/** Milliseconds that requests under way have to end once the service was told to stop. */
const grace = 10_000;

try {
	await start(readServerConfig(process.env));
} catch (problem) {
	console.error(problem instanceof ConfigError ? `The configuration is wrong:\n${problem.message}` : problem);
	process.exitCode = 1;
}

async function start(config: ServerConfig): Promise<void> {
	const metrics = new Metrics();
	const parts = partsOf({
		bucket: new S3Store(config.s3),
		authenticate: authenticateWith(config.credentials, config.development),
		...(config.credentials && { rates: new MemoryRates(config.rates, systemClock.monotonic) }),
		observe: (line) => metrics.observe(line),
		http: {
			corsOrigins: config.corsOrigins,
			compress: true,
			limits: { madeSessionBytes: serverLimits.madeSessionBytes, ...config.held },
			// Nothing limits the requests of one answer here.
			watch: { ...config.watch, requests: Number.POSITIVE_INFINITY },
			...(config.mediaSecret !== undefined && { mediaSecret: config.mediaSecret }),
		},
		catalogue: config.catalogue,
		summarizer: config.summarizer,
	});
	const capability = await parts.readiness.check();
	if (capability.kind === "unfit") throw new ConfigError(capability.why);

	const app = createApp({
		...parts,
		...(config.metrics && {
			metrics: {
				read: () => metrics.text(),
				...(config.metricsToken !== undefined && { token: config.metricsToken }),
			},
		}),
	});
	// Beside the app, as on Workers: `npm run assets` puts the files there.
	const assets = new Hono<AppEnv>()
		.use(responseHeaders())
		.use(serveStatic({ root: `${import.meta.dirname}/../dist/assets` }));
	const serving = async (request: Request, env: object) => {
		const file = isAsset(new URL(request.url).pathname) ? await assets.fetch(request, env) : undefined;
		return file?.ok ? file : app.fetch(request, env);
	};
	const server = nodeServer({
		fetch: serving,
		hostname: config.host,
		bounds: config.bounds,
		newId: () => crypto.randomUUID(),
		now: systemClock.now,
		writeLog: parts.writeLog,
	});
	server.listen(config.port, config.host, () => {
		const { address, port, family } = server.address() as AddressInfo;
		const host = family === "IPv6" ? `[${address}]` : address;
		console.error(`Leaflog listens on http://${host}:${port}`);
		if (!config.credentials && config.development) {
			console.error("No credentials are configured: whoever reaches this address owns all of it");
		}
	});
	for (const signal of ["SIGINT", "SIGTERM"] as const)
		process.once(signal, () => stop(server, parts.catalogue));
}

function isAsset(path: string): boolean {
	return path.startsWith(`${docsAssetsPath}/`) || path.startsWith(`${viewerAssetsPath}/`);
}

/**
 * Takes no new connections, and ends with the last request and what lists are still to be told of; a second signal
 * ends at once.
 */
function stop(server: Server, catalogue: Catalogue): void {
	server.close(async () => {
		await catalogue.flush();
		process.exit();
	});
	server.closeIdleConnections();
	setTimeout(() => server.closeAllConnections(), grace).unref();
}
