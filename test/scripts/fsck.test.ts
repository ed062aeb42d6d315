import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBucket } from "../../scripts/open-bucket.ts";
import { commitKey, logPrefix } from "../../src/log/keys.ts";
import { Log } from "../../src/log/log.ts";
import { systemClock, systemRandom } from "../../src/platform.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { appendOne, genesis } from "../log/instances.ts";
import { type S3Server, startMiniflareS3 } from "../store/miniflare-s3.ts";
import { miniflareS3 } from "../store/miniflare-s3-settings.ts";

const name = { namespace: "n", id: "s" };
const missing = commitKey(logPrefix(name), 2);
const folder = mkdtempSync(join(tmpdir(), "leaflog-fsck-"));
let s3: S3Server;
const environments: Record<string, () => NodeJS.ProcessEnv> = {
	s3: () => ({
		STORE: "s3",
		S3_ENDPOINT: s3.endpoint,
		S3_PATH_STYLE: "true",
		S3_BUCKET: miniflareS3.bucket,
		S3_REGION: miniflareS3.region,
		S3_ACCESS_KEY_ID: miniflareS3.accessKeyId,
		S3_SECRET_ACCESS_KEY: miniflareS3.secretAccessKey,
	}),
	"local R2": () => ({ LEAFLOG_DATA: folder }),
};

beforeAll(async () => {
	s3 = await startMiniflareS3();
}, 60_000);
afterAll(async () => {
	await s3.stop();
	rmSync(folder, { recursive: true, force: true });
});

/** Runs the script as `npm run fsck` does. */
function fsck(
	environment: NodeJS.ProcessEnv,
	...args: string[]
): Promise<{ status: number | null; output: string }> {
	const child = spawn(process.execPath, ["scripts/fsck.ts", ...args], {
		cwd: join(import.meta.dirname, "../.."),
		env: { ...process.env, ...environment },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.on("data", (chunk) => {
			output += chunk;
		});
	}
	return new Promise((resolve) => child.once("close", (status) => resolve({ status, output })));
}

async function inBucket<T>(
	environment: NodeJS.ProcessEnv,
	work: (store: ObjectStore) => Promise<T>,
): Promise<T> {
	const { store, close } = await openBucket(environment);
	try {
		return await work(store);
	} finally {
		await close();
	}
}

describe("npm run fsck", () => {
	for (const [where, environment] of Object.entries(environments)) {
		it(`${where}: says what is wrong by its status and by name, and repairs it where asked to`, async () => {
			const original = await inBucket(environment(), async (store) => {
				const log = new Log({ clock: systemClock, random: systemRandom });
				await log.create({ store }, name, { tag: "make", genesis, records: [] });
				for (let k = 0; k < 4; k++) await appendOne(log, { store }, name, `e${k}`);
				const found = await store.get(missing);
				await store.delete([missing]);
				return found;
			});
			const found = await fsck(environment());
			expect(found).toMatchObject({
				status: 1,
				output: expect.stringContaining(`${missing}\n    is missing\n    repairable`),
			});
			const repaired = await fsck(environment(), "s", "--namespace", "n", "--repair");
			expect(repaired).toMatchObject({ status: 0, output: expect.stringContaining("    repaired\n") });
			const again = await inBucket(environment(), (store) => store.get(missing));
			expect(again).toMatchObject({ kind: "found", bytes: "bytes" in original ? original.bytes : undefined });
		}, 300_000);
	}

	it("a session that is sound, and one that there is not: told so", async () => {
		const environment = environments.s3!();
		expect((await fsck(environment, "s")).output).toContain(": 5 commits, 4 entries, sound\n");
		const none = await fsck(environment, "another");
		expect(none).toMatchObject({ status: 0, output: "There is no session another.\n" });
	}, 120_000);

	it("arguments and configurations that are none: told, with a status of their own", async () => {
		expect(await fsck({}, "one", "two")).toMatchObject({
			status: 2,
			output: expect.stringContaining("[SESSION]"),
		});
		expect(await fsck({}, "--fix")).toMatchObject({ status: 2 });
		expect(await fsck({ STORE: "s3" })).toMatchObject({
			status: 2,
			output: expect.stringContaining("S3_BUCKET"),
		});
	}, 120_000);
});
