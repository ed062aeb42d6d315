/** What `wrangler.toml` binds to the Worker, beside the variables of `config.ts`. */
declare namespace Cloudflare {
	interface Env {
		/** The bucket of the sessions, where `STORE` is `r2`. */
		readonly BUCKET: R2Bucket;
		/** Where a data point a request goes. */
		readonly ANALYTICS?: AnalyticsEngineDataset;
	}
}
