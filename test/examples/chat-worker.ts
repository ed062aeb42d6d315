import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { streamEvents } from "../../client/src/event-stream.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** A Worker as `wrangler deploy` would send it to the platform. */
export class Bundle {
	/** The source of its one module. */
	readonly script: string;

	private constructor(script: string) {
		this.script = script;
	}

	/** @param project the folder of its wrangler.toml, from the root */
	static async of(project: string): Promise<Bundle> {
		const folder = mkdtempSync(join(tmpdir(), "leaflog-bundle-"));
		try {
			await run("wrangler", ["deploy", "--dry-run", "-c", "wrangler.toml", "--outdir", folder], {
				cwd: join(root, project),
				env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}`, CI: "1" },
			});
			return new Bundle(readFileSync(join(folder, "worker.js"), "utf8"));
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	}
}

export interface Turn {
	readonly id?: string;
	readonly text?: string;
	readonly parentId?: string | null;
}

export interface ToldEvent {
	readonly event: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
	readonly data: any;
}

/** The chat Worker in a workerd of its own. */
export class ChatWorker {
	readonly url: string;
	readonly #miniflare: Miniflare;

	private constructor(miniflare: Miniflare, url: string) {
		this.#miniflare = miniflare;
		this.url = url;
	}

	/** @param leaflog Leaflog's own Worker, where it is to be reached by a service binding */
	static async start(
		chat: Bundle,
		variables: Record<string, string>,
		leaflog?: { readonly bundle: Bundle; readonly variables: Record<string, string> },
	): Promise<ChatWorker> {
		const compatibilityDate = "2026-11-01";
		const worker = {
			name: "chat",
			modules: true,
			script: chat.script,
			compatibilityDate,
			bindings: { CONTEXT_TOKENS: "32000", SYSTEM_PROMPT: "Be kind.", ...variables },
			...(leaflog && { serviceBindings: { LEAFLOG: "leaflog" } }),
		};
		const other = leaflog && {
			name: "leaflog",
			modules: true,
			script: leaflog.bundle.script,
			compatibilityDate,
			compatibilityFlags: ["nodejs_compat", "enable_request_signal"],
			bindings: leaflog.variables,
			r2Buckets: ["BUCKET"],
		};
		const miniflare = new Miniflare(
			convertV4MiniflareOptions({
				cf: false,
				host: "127.0.0.1",
				port: 0,
				workers: [worker, ...(other ? [other] : [])],
			}),
		);
		const { origin } = await miniflare.ready;
		return new ChatWorker(miniflare, origin);
	}

	send(sessionId: string, turn: unknown, init: RequestInit = {}): Promise<Response> {
		return fetch(`${this.url}/chat/${sessionId}`, {
			method: "POST",
			...init,
			headers: { "Content-Type": "application/json", ...init.headers },
			body: typeof turn === "string" ? turn : JSON.stringify(turn),
		});
	}

	/** Takes a turn to its end. */
	async say(sessionId: string, turn: Turn, headers: Record<string, string> = {}): Promise<ToldEvent[]> {
		const response = await this.send(sessionId, turn, { headers });
		if (!response.ok) return [{ event: String(response.status), data: await response.json() }];
		return eventsOf(response);
	}

	/** Ends workerd, whatever it is about. */
	async kill(): Promise<void> {
		await this.#miniflare.dispose();
	}
}

export async function eventsOf(response: Response): Promise<ToldEvent[]> {
	const events: ToldEvent[] = [];
	for await (const { event = "", data = "" } of streamEvents(response.body!)) {
		events.push({ event, data: JSON.parse(data) });
	}
	return events;
}

/** The text that was streamed. */
export function textOf(events: readonly ToldEvent[]): string {
	return events.map(({ event, data }) => (event === "text" ? data.text : "")).join("");
}
