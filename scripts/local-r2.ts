import { convertV4MiniflareOptions, Miniflare } from "miniflare";

/** A bucket of local R2, as Node can reach it. */
export interface LocalR2 {
	/** Of its S3 API, without the bucket. */
	readonly endpoint: string;
	close(): Promise<void>;
}

/** R2 as it is in local workerd, through its S3 endpoint (signed, with conditional writes) on a free loopback port. */
export async function startLocalR2(options: {
	readonly bucket: string;
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	/** Where it is kept; in memory unless given. */
	readonly folder?: string;
}): Promise<LocalR2> {
	const { bucket: id, folder, accessKeyId, secretAccessKey } = options;
	const miniflare = new Miniflare(
		convertV4MiniflareOptions({
			modules: true,
			script: "export default { fetch: () => new Response(null) }",
			cf: false,
			host: "127.0.0.1",
			port: 0,
			r2Buckets: { BUCKET: { id, s3Credentials: { accessKeyId, secretAccessKey } } },
			...(folder !== undefined && { resourcePersistencePath: folder }),
		}),
	);
	const { origin } = await miniflare.ready;
	return { endpoint: `${origin}/cdn-cgi/local/r2/s3`, close: () => miniflare.dispose() };
}
