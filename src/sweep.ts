import { ConfigError, readServerConfig } from "./config.ts";
import { notConfigured } from "./http/auth.ts";
import { partsOf } from "./parts.ts";
import { runSweep } from "./run-sweep.ts";
import { S3Store } from "./store/s3.ts";

/** `npm run sweep`: one whole clean-up of the bucket, as the Worker's schedule does it bit by bit. */
try {
	const config = readServerConfig(process.env);
	const bucket = new S3Store(config.s3);
	const parts = partsOf({ bucket, authenticate: notConfigured, http: {}, catalogue: config.catalogue });
	const report = await runSweep(parts, config.sweep);
	if (report.problems.length > 0) process.exitCode = 1;
} catch (problem) {
	console.error(problem instanceof ConfigError ? `The configuration is wrong:\n${problem.message}` : problem);
	process.exitCode = 1;
}
