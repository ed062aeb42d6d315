import { afterAll, beforeAll } from "vitest";
import { S3Store } from "../../src/store/s3.ts";
import { describeObjectStore } from "./contract.ts";
import { type S3Server, startMiniflareS3 } from "./miniflare-s3.ts";
import { miniflareS3 } from "./miniflare-s3-settings.ts";

let server: S3Server;
beforeAll(async () => {
	server = await startMiniflareS3();
});
afterAll(() => server.stop());

describeObjectStore(
	"miniflare's S3 in Node",
	() => new S3Store({ ...miniflareS3, endpoint: server.endpoint }),
);
