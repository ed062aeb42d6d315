import { inject } from "vitest";
import { S3Store } from "../../src/store/s3.ts";
import { describeObjectStore } from "./contract.ts";
import { miniflareS3 } from "./miniflare-s3-settings.ts";

describeObjectStore(
	"miniflare's S3 in workerd",
	() => new S3Store({ ...miniflareS3, endpoint: inject("s3Endpoint") }),
);
