/**
 * `npm run bundle`: builds the Worker as a deployment would, prints how large it is, and fails where it is larger than
 * it may be. Needs no account. Cloudflare takes 3 MiB of gzip on the free plan and 10 MiB on the paid one
 * (https://developers.cloudflare.com/workers/platform/limits/); the bounds here are lower, so that growth is noticed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** KiB of all modules together. */
const bounds = { raw: 1300, gzip: 350 };

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "leaflog-bundle-"));
try {
	const wrangler = join(root, "node_modules/.bin/wrangler");
	const args = ["deploy", "--dry-run", "-c", "wrangler.toml", "--outdir", folder];
	const quiet = {
		CI: "true",
		WRANGLER_SEND_METRICS: "false",
		WRANGLER_SEND_ERROR_REPORTS: "false",
		CLOUDFLARE_CF_FETCH_ENABLED: "false",
	};
	const built = spawnSync(wrangler, args, {
		cwd: root,
		env: { ...process.env, ...quiet },
		encoding: "utf8",
	});
	if (built.status !== 0) throw new Error(`${built.stdout}\n${built.stderr}`);
	const modules = readdirSync(folder).filter((name) => !/\.map$|^README\.md$/.test(name));
	if (modules.length === 0) throw new Error(`nothing was built:\n${built.stdout}`);
	const bytes = Buffer.concat(modules.map((name) => readFileSync(join(folder, name))));
	const size = { raw: bytes.length / 1024, gzip: gzipSync(bytes).length / 1024 };
	const told = (kind: "raw" | "gzip") => `${size[kind].toFixed(0)} KiB ${kind} (at most ${bounds[kind]})`;
	console.log(`Worker: ${told("raw")}, ${told("gzip")}`);
	if (size.raw > bounds.raw || size.gzip > bounds.gzip) {
		console.error(
			"The Worker is larger than it may be: take something out, or raise the bound with a reason",
		);
		process.exitCode = 1;
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
