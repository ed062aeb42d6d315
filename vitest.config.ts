import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

// Tests need no network: workerd's tools neither report nor fetch.
process.env.WRANGLER_SEND_METRICS = "false";
process.env.WRANGLER_SEND_ERROR_REPORTS = "false";
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";

export default defineConfig({
	test: {
		projects: [
			{ test: { name: "node", include: ["test/**/*.test.ts"], exclude: ["test/**/*.workerd.test.ts"] } },
			{
				plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
				test: { name: "workerd", include: ["test/**/*.workerd.test.ts"] },
			},
		],
	},
});
