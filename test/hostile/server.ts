import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProblemBody } from "../../schemas/error.ts";
import type { LogLine } from "../../src/http/request-log.ts";
import { type S3Server, startMiniflareS3 } from "../store/miniflare-s3.ts";
import { miniflareS3 } from "../store/miniflare-s3-settings.ts";

const root = join(import.meta.dirname, "../..");

/** The server of `src/node.ts`, in a process of its own, on a bucket of its own. */
export class Server {
	/** All it has written so far. */
	output = "";
	readonly #process: ChildProcess;
	readonly #s3: S3Server;
	#port = 0;

	private constructor(s3: S3Server, environment: Record<string, string>) {
		this.#s3 = s3;
		this.#process = spawn(process.execPath, ["src/node.ts"], {
			cwd: root,
			env: {
				PATH: process.env.PATH,
				PORT: "0",
				S3_ENDPOINT: s3.endpoint,
				S3_BUCKET: miniflareS3.bucket,
				S3_REGION: miniflareS3.region,
				S3_ACCESS_KEY_ID: miniflareS3.accessKeyId,
				S3_SECRET_ACCESS_KEY: miniflareS3.secretAccessKey,
				...environment,
			},
			stdio: ["ignore", "pipe", "pipe"],
		});
	}

	static async start(environment: Record<string, string> = {}): Promise<Server> {
		const server = new Server(await startMiniflareS3(), environment);
		await server.#listening();
		return server;
	}

	async #listening(): Promise<void> {
		const { stdout, stderr } = this.#process;
		const port = new Promise<number>((resolve) => {
			for (const stream of [stdout!, stderr!]) {
				stream.on("data", (chunk) => {
					this.output += chunk;
					const told = /listens on http:\/\/[^\s]+:(\d+)\n/.exec(this.output)?.[1];
					if (told !== undefined) resolve(Number(told));
				});
			}
		});
		const ended = once(this.#process, "exit").then(() => {
			throw new Error(`the server ended:\n${this.output}`);
		});
		ended.catch(() => {});
		this.#port = await Promise.race([port, ended]);
	}

	get port(): number {
		return this.#port;
	}

	get url(): string {
		return `http://127.0.0.1:${this.#port}`;
	}

	get running(): boolean {
		return this.#process.exitCode === null && this.#process.signalCode === null;
	}

	/** Sends a JSON text, or what the headers say. */
	post(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
		return fetch(this.url + path, {
			method: "POST",
			headers: { "Content-Type": "application/json", ...headers },
			body,
		});
	}

	/** The same; its answer's status, code and first problem. */
	async refusal(path: string, body: BodyInit, headers: Record<string, string> = {}) {
		const answer = await this.post(path, body, headers);
		const problem = (await answer.json()) as ProblemBody;
		return { status: answer.status, code: problem.code, first: problem.errors?.[0], headers: answer.headers };
	}

	/** Sends a value as JSON; fails where the answer is none of success. */
	async json(path: string, value: unknown, headers: Record<string, string> = {}): Promise<void> {
		const answer = await this.post(path, JSON.stringify(value), headers);
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${answer.status}: ${text}\n${this.output}`);
	}

	/** The most memory that its process ever held, in MiB. */
	peakMemory(): number {
		const status = readFileSync(`/proc/${this.#process.pid}/status`, "utf8");
		return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
	}

	/** Its log lines, one a request. */
	lines(): LogLine[] {
		return this.output
			.split("\n")
			.filter((line) => line.startsWith("{"))
			.map((line) => JSON.parse(line));
	}

	async stop(): Promise<void> {
		if (this.running) {
			const exit = once(this.#process, "exit");
			this.#process.kill("SIGKILL");
			await exit;
		}
		await this.#s3.stop();
	}
}
