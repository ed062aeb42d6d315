import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { miniflareS3 } from "./miniflare-s3-settings.ts";

export interface S3Server {
	readonly endpoint: string;
	stop(): Promise<void>;
}

/** Starts miniflare's S3 endpoint (signed, with conditional writes) on a free port, its bucket in memory. */
export async function startMiniflareS3(): Promise<S3Server> {
	const { bucket: id, accessKeyId, secretAccessKey } = miniflareS3;
	const miniflare = new Miniflare(
		convertV4MiniflareOptions({
			modules: true,
			script: "export default { fetch: () => new Response(null) }",
			cf: false,
			host: "127.0.0.1",
			port: 0,
			r2Buckets: { BUCKET: { id, s3Credentials: { accessKeyId, secretAccessKey } } },
		}),
	);
	const { origin } = await miniflare.ready;
	return { endpoint: `${origin}/cdn-cgi/local/r2/s3`, stop: () => miniflare.dispose() };
}
