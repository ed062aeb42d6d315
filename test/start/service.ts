import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const root = join(import.meta.dirname, "../..");

/** A service that was started as its users start it. */
export class Service {
	readonly url: string;
	/** All it has written so far. */
	output = "";
	readonly process: ChildProcess;
	readonly exited: Promise<number | null>;
	/** Stands in the environment of all its processes. */
	readonly #mark = `LEAFLOG_TEST_SERVICE=${crypto.randomUUID()}`;

	/** @param folder of the package whose script it is, from the root */
	constructor(script: string, port: number, environment: Record<string, string>, folder = ".") {
		this.url = `http://127.0.0.1:${port}`;
		this.process = spawn("npm", ["run", "--silent", script], {
			cwd: join(root, folder),
			env: {
				...process.env,
				...Object.fromEntries([this.#mark.split("=")]),
				PORT: String(port),
				...environment,
			},
			stdio: ["ignore", "pipe", "pipe"],
		});
		for (const stream of [this.process.stdout!, this.process.stderr!]) {
			stream.on("data", (chunk) => {
				this.output += chunk;
			});
		}
		this.exited = new Promise((resolve) => this.process.once("exit", resolve));
	}

	/** Resolves once it answers; fails with its output where it ends before, or takes longer than two minutes. */
	async ready(path = "/healthz?ready=1", status = 200): Promise<this> {
		const deadline = Date.now() + 120_000;
		while (Date.now() < deadline && this.process.exitCode === null) {
			const answer = await fetch(this.url + path).catch(() => undefined);
			if (answer?.status === status) return this;
			await sleep(200);
		}
		throw new Error(`the service doesn't answer:\n${this.output}`);
	}

	/** The JSON of an answer; fails where it is none of success. */
	async json(path: string, init: { method?: string; body?: unknown } = {}): Promise<unknown> {
		const answer = await fetch(this.url + path, {
			method: init.method ?? "GET",
			headers: { "Content-Type": "application/json" },
			body: init.body === undefined ? undefined : JSON.stringify(init.body),
		});
		if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}\n${this.output}`);
		return answer.json();
	}

	/** Renames a session by an entry of its log. */
	async rename(id: string, name: string): Promise<void> {
		await this.json(`/v1/sessions/${id}/entries`, { method: "POST", body: { type: "session_info", name } });
	}

	/** Ids of its living processes: npm's, the server's, and whatever that started. */
	processes(): number[] {
		return readdirSync("/proc")
			.filter((name) => /^\d+$/.test(name))
			.filter((id) => {
				try {
					const living = !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
					return living && readFileSync(`/proc/${id}/environ`, "utf8").split("\0").includes(this.#mark);
				} catch {
					return false;
				}
			})
			.map(Number);
	}

	/** Resolves once none of its processes is left; fails where some are after 20 seconds. */
	async gone(): Promise<void> {
		for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(100)) {
			if (this.processes().length === 0) return;
		}
		throw new Error(`left behind: ${this.processes().join(", ")}`);
	}

	/** Ends whatever is left of it. */
	destroy(): void {
		for (const id of this.processes()) process.kill(id, "SIGKILL");
	}
}

export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const { port } = server.address() as AddressInfo;
	await new Promise((closed) => server.close(closed));
	return port;
}
