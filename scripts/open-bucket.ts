import { resolve } from "node:path";
import { readConfig } from "../src/config.ts";
import { systemClock, systemRandom } from "../src/platform.ts";
import type { ObjectStore } from "../src/store/object-store.ts";
import { ReadRetries } from "../src/store/read-retries.ts";
import { S3Store } from "../src/store/s3.ts";

export interface OpenBucket {
	readonly store: ObjectStore;
	close(): Promise<void>;
}

/**
 * The bucket of the configuration: with `STORE=s3` that one; else the local R2 of `npm start`, in `LEAFLOG_DATA`, which
 * must not run meanwhile.
 * @throws ConfigError
 */
export async function openBucket(environment: NodeJS.ProcessEnv): Promise<OpenBucket> {
	const config = readConfig(environment);
	const { bucket, close } =
		config.store.kind === "s3"
			? { bucket: new S3Store(config.store.settings), close: async () => {} }
			: await openLocalR2(resolve(environment.LEAFLOG_DATA || ".leaflog"));
	const retries = { sleep: systemClock.sleep, random: systemRandom.fraction };
	return { store: new ReadRetries(bucket, retries), close };
}

/** The local R2 that wrangler keeps in a folder, through the S3 endpoint of what wrangler runs it with. */
async function openLocalR2(folder: string): Promise<{ bucket: ObjectStore; close(): Promise<void> }> {
	const { startLocalR2 } = await import("./local-r2.ts");
	// Named as in wrangler.toml; `wrangler dev --persist-to` puts it there.
	const settings = {
		bucket: "leaflog",
		accessKeyId: crypto.randomUUID(),
		secretAccessKey: crypto.randomUUID(),
	};
	const { endpoint, close } = await startLocalR2({ ...settings, folder: resolve(folder, "v3") });
	return { bucket: new S3Store({ ...settings, region: "auto", endpoint }), close };
}
