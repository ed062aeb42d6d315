import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

// Tests need no network: workerd's tools neither report nor fetch.
process.env.WRANGLER_SEND_METRICS = "false";
process.env.WRANGLER_SEND_ERROR_REPORTS = "false";
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";

const inWorkerd = "test/**/*.workerd.test.ts";
const onCeph = "test/**/*.ceph.test.ts";
const inBrowser = "test/**/*.browser.test.ts";

/** A test that hangs ends some time; how fast the machine is decides nothing. */
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
	test: {
		projects: [
			{
				test: {
					...patience,
					name: "node",
					include: ["test/**/*.test.ts"],
					exclude: [inWorkerd, onCeph, inBrowser],
				},
			},
			{
				plugins: [
					cloudflareTest({
						wrangler: { configPath: "./wrangler.toml" },
						miniflare: { bindings: { DEVELOPMENT: "true" } },
					}),
				],
				resolve: { alias: { "@aws-sdk/xml-builder": `${import.meta.dirname}/test/store/xml-builder.js` } },
				test: {
					...patience,
					name: "workerd",
					include: [inWorkerd],
					globalSetup: "test/store/s3-in-workerd.ts",
				},
			},
			// Only where there is a server: `npm run test:ceph` starts one.
			...(process.env.S3_ENDPOINT ? [{ test: { ...patience, name: "ceph", include: [onCeph] } }] : []),
			// Only where there is a browser: `npm run test:browser` installs it.
			...(process.env.CHROMIUM ? [{ test: { ...patience, name: "browser", include: [inBrowser] } }] : []),
		],
	},
});
