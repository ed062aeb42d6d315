import type { TestProject } from "vitest/node";
import { startMiniflareS3 } from "./miniflare-s3.ts";

declare module "vitest" {
	interface ProvidedContext {
		/** Address of an S3 server for tests that run inside workerd, from where none can be started. */
		readonly s3Endpoint: string;
	}
}

/** Runs in Node for as long as the workerd tests do. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const server = await startMiniflareS3();
	project.provide("s3Endpoint", server.endpoint);
	return () => server.stop();
}
