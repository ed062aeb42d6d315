import { startLocalR2 } from "../scripts/local-r2.ts";
import type { ObjectStore } from "../src/store/object-store.ts";
import { S3Store } from "../src/store/s3.ts";

/** A bucket that answers in real time. */
export interface RealBucket {
	readonly name: string;
	readonly store: ObjectStore;
	close(): Promise<void>;
}

/** R2 as it is in local workerd, kept in memory, through its S3 endpoint: what Node can reach of it. */
export async function localR2(): Promise<RealBucket> {
	const settings = { bucket: "bench", region: "auto", accessKeyId: "bench", secretAccessKey: "bench-secret" };
	const { endpoint, close } = await startLocalR2(settings);
	return { name: "local R2", store: new S3Store({ ...settings, endpoint }), close };
}

/** The bucket of the `S3_…` settings in the environment. */
export async function configuredS3(environment: NodeJS.ProcessEnv): Promise<RealBucket> {
	const setting = (name: string): string => {
		const value = environment[name];
		if (value === undefined) throw new Error(`${name} is not set`);
		return value;
	};
	const store = new S3Store({
		endpoint: setting("S3_ENDPOINT"),
		region: setting("S3_REGION"),
		bucket: setting("S3_BUCKET"),
		accessKeyId: setting("S3_ACCESS_KEY_ID"),
		secretAccessKey: setting("S3_SECRET_ACCESS_KEY"),
	});
	return { name: `S3 at ${setting("S3_ENDPOINT")}`, store, close: async () => {} };
}
