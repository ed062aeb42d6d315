/**
 * Builds the viewer where its files are served beside the app. Does nothing where that was done for the same sources;
 * `--force` builds anyway. Needs no network.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { viewerAssetsPath } from "../src/http/viewer.ts";

const root = join(import.meta.dirname, "..");
const target = join(root, "dist/assets", viewerAssetsPath);
/** Holds the fingerprint of what the files beside `dist/assets` were built from. */
const stamp = join(root, "dist/viewer-sources");

const sources = fingerprint();
const built = [join(target, "viewer.js"), join(target, "viewer.css"), stamp].map(textOf);
if (process.argv.includes("--force") || built.includes(undefined) || built[2] !== sources) {
	await build();
	mkdirSync(join(root, "dist"), { recursive: true });
	writeFileSync(stamp, sources);
}

/**
 * Two files with fixed names: the page names them, and browsers check each time whether they are the newest. They are
 * put in their place whole: another server may serve them meanwhile, or build them too.
 */
async function build(): Promise<void> {
	// What a test or a shell says of itself must not change what is built.
	process.env.NODE_ENV = "production";
	const folder = join(root, `dist/viewer-${process.pid}`);
	const vite = await import("vite");
	await vite.build({
		configFile: false,
		logLevel: "warn",
		root: join(root, "web"),
		base: `${viewerAssetsPath}/`,
		publicDir: false,
		oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
		build: {
			outDir: folder,
			emptyOutDir: true,
			target: "es2023",
			modulePreload: false,
			rolldownOptions: {
				input: join(root, "web/main.tsx"),
				output: { entryFileNames: "viewer.js", assetFileNames: "viewer[extname]", codeSplitting: false },
			},
		},
	});
	mkdirSync(target, { recursive: true });
	for (const name of readdirSync(folder)) renameSync(join(folder, name), join(target, name));
	rmSync(folder, { recursive: true });
}

/** A hash of all that the viewer is built from: its sources, this script, and the versions of its packages. */
function fingerprint(): string {
	const hash = createHash("sha256");
	const folder = join(root, "web");
	const files = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((file) => file.isFile())
		.map((file) => join(file.parentPath, file.name))
		.sort();
	for (const file of [...files, import.meta.filename])
		hash.update(file.slice(root.length)).update(readFileSync(file));
	for (const name of ["preact", "vite"])
		hash.update(readFileSync(join(root, "node_modules", name, "package.json")));
	return hash.digest("hex");
}

function textOf(file: string): string | undefined {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return undefined;
	}
}
