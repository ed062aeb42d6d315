import { authenticateWith } from "./authenticate-with.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { createApp } from "./http/app.ts";
import { notConfigured } from "./http/auth.ts";
import { MemoryRates } from "./http/memory-rates.ts";
import { partsOf } from "./parts.ts";
import { systemClock } from "./platform.ts";
import { runSweep } from "./run-sweep.ts";
import { ConnectionLimit } from "./store/connection-limit.ts";
import type { ObjectStore } from "./store/object-store.ts";
import { R2Store } from "./store/r2.ts";
import { S3Store } from "./store/s3.ts";
import { analytics } from "./worker-analytics.ts";
import { bindingRates } from "./worker-rates.ts";

/** What a Worker does. */
export interface WorkerApp {
	readonly fetch: ReturnType<typeof createApp>["fetch"];
	/** One bounded run of the clean-up. */
	sweep(): Promise<unknown>;
}

/** Well below what one invocation may send and wait for: https://developers.cloudflare.com/workers/platform/limits/ */
const sweepBounds = { requests: 800, milliseconds: 10 * 60_000 };

/** The app on a Worker's bindings and variables. Where they make no sense it serves nobody, and says so. */
export function appOf(env: Cloudflare.Env): WorkerApp {
	try {
		const config = readConfig({ ...env });
		const parts = partsOf({
			bucket: bucketOf(config, env),
			connect: (store) => new ConnectionLimit(store),
			authenticate: authenticateWith(config.credentials, config.development),
			...(config.credentials && {
				rates: bindingRates({ ...env }, new MemoryRates(config.rates, systemClock.monotonic)),
			}),
			...(env.ANALYTICS && { observe: analytics(env.ANALYTICS) }),
			http: {
				corsOrigins: config.corsOrigins,
				watch: { ...config.watch, slice: 100 },
				...(config.mediaSecret !== undefined && { mediaSecret: config.mediaSecret }),
			},
			catalogue: config.catalogue,
			summarizer: config.summarizer,
		});
		return { fetch: createApp(parts).fetch, sweep: () => runSweep(parts, config.sweep, sweepBounds) };
	} catch (problem) {
		if (!(problem instanceof ConfigError)) throw problem;
		console.error(`The configuration is wrong, so nobody is served:\n${problem.message}`);
		return misconfigured(problem);
	}
}

function bucketOf({ store }: Config, env: Cloudflare.Env): ObjectStore {
	if (store.kind === "s3") return new S3Store(store.settings);
	if (env.BUCKET === undefined) throw new ConfigError("BUCKET: no R2 bucket is bound under this name");
	return new R2Store(env.BUCKET);
}

/** Lets nobody in, and says why it isn't ready. */
function misconfigured(problem: ConfigError): WorkerApp {
	const unreachable = () => Promise.reject(problem);
	const bucket = { put: unreachable, get: unreachable, list: unreachable, delete: unreachable };
	const parts = partsOf({ bucket, authenticate: notConfigured, http: {} });
	const app = createApp({ ...parts, probe: async () => ({ kind: "unfit", why: problem.message }) });
	return { fetch: app.fetch, sweep: unreachable };
}
