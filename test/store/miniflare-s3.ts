import { startLocalR2 } from "../../scripts/local-r2.ts";
import { miniflareS3 } from "./miniflare-s3-settings.ts";

export interface S3Server {
	readonly endpoint: string;
	stop(): Promise<void>;
}

/** Starts miniflare's S3 endpoint on a free port, its bucket in memory. */
export async function startMiniflareS3(): Promise<S3Server> {
	const { endpoint, close } = await startLocalR2(miniflareS3);
	return { endpoint, stop: close };
}
