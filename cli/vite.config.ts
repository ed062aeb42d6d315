import { defineConfig } from "vite";

/** One file with all that it needs, for Node alone. */
export default defineConfig({
	logLevel: "warn",
	build: { ssr: "main.ts", outDir: "dist", target: "node20", minify: false },
	ssr: { noExternal: true },
});
