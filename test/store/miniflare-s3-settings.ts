import type { S3Settings } from "../../src/store/s3.ts";

/** Miniflare's S3 endpoint, but for its address. */
export const miniflareS3: S3Settings = {
	bucket: "contract",
	region: "auto",
	accessKeyId: "test-key",
	secretAccessKey: "test-secret",
};
