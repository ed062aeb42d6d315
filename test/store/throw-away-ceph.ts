import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { S3Settings } from "../../src/store/s3.ts";

const run = promisify(execFile);
const withCeph = join(import.meta.dirname, "../../scripts/with-ceph.sh");

/** A Ceph of its own on loopback, on a disk that outlives its daemons, for tests that break it. */
export class ThrowAwayCeph {
	readonly #folder = mkdtempSync(join(tmpdir(), "leaflog-outage."));
	#keeper: ChildProcess | undefined;
	#endpoint = "";

	/** Starts it with an empty bucket. It ends with this process at the latest. */
	async start(): Promise<S3Settings> {
		// What keeps it up reads from a pipe of ours, which closes whatever ends us.
		const keeper = spawn("bash", [withCeph, "bash", "-c", "printenv | grep ^S3_; echo; exec cat"], {
			env: { ...process.env, CEPH_STATE: this.#folder, S3_OBJECTSTORE: "bluestore" },
			stdio: ["pipe", "pipe", "pipe"],
		});
		this.#keeper = keeper;
		let [told, said] = ["", ""];
		keeper.stderr.on("data", (chunk) => {
			said += chunk;
		});
		await new Promise<void>((up, failed) => {
			keeper.stdout.on("data", (chunk) => {
				told += chunk;
				if (told.endsWith("\n\n")) up();
			});
			keeper.once("exit", () => failed(new Error(`the server did not start:\n${said}`)));
		});
		const variables = Object.fromEntries(told.split("\n").map((line) => line.split("=", 2)));
		this.#endpoint = variables.S3_ENDPOINT;
		return {
			endpoint: this.#endpoint,
			bucket: variables.S3_BUCKET,
			region: variables.S3_REGION,
			accessKeyId: variables.S3_ACCESS_KEY_ID,
			secretAccessKey: variables.S3_SECRET_ACCESS_KEY,
		};
	}

	/** kill -9; resolves once the gateway is dead. */
	async killGateway(): Promise<void> {
		const id = this.#processId("client.rgw");
		process.kill(id, "SIGKILL");
		while (!"ZX".includes(stateOf(id))) await sleep(10);
	}

	/** Starts the killed gateway on its old address; resolves once it answers. */
	async startGateway(): Promise<void> {
		const file = join(this.#folder, "run/client.rgw.pid");
		rmSync(file, { force: true });
		await run("radosgw", ["-c", join(this.#folder, "ceph.conf"), "-n", "client.rgw"]);
		while (!(await fetch(this.#endpoint).catch(() => undefined))?.ok) await sleep(50);
	}

	/** Stops the disk's daemon in its tracks; resolves once it stands still. */
	async freezeDisk(): Promise<void> {
		const id = this.#processId("osd.0");
		process.kill(id, "SIGSTOP");
		while (stateOf(id) !== "T") await sleep(10);
	}

	thawDisk(): void {
		process.kill(this.#processId("osd.0"), "SIGCONT");
	}

	/** Ends its daemons and removes all it stored. */
	async stop(): Promise<void> {
		const keeper = this.#keeper;
		if (keeper && keeper.exitCode === null) {
			const ended = new Promise((resolve) => keeper.once("exit", resolve));
			keeper.stdin?.end();
			await ended;
		}
		rmSync(this.#folder, { recursive: true, force: true });
	}

	#processId(daemon: string): number {
		return Number(readFileSync(join(this.#folder, `run/${daemon}.pid`), "utf8"));
	}
}

/** The state of a process as the kernel tells it by a letter; `X` where there is none. */
function stateOf(id: number): string {
	try {
		return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? "X";
	} catch {
		return "X";
	}
}
