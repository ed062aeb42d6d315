import { createHash } from "node:crypto";
import { createApp } from "../../src/http/app.ts";
import { type Authenticate, openOnLoopback } from "../../src/http/auth.ts";
import type { HttpConfig, Parts } from "../../src/http/parts.ts";
import type { LogLine } from "../../src/http/request-log.ts";
import { type Clock, Log, type Random } from "../../src/log/log.ts";
import { Catalogue } from "../../src/operations/catalogue.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { MeteredStore } from "../../src/store/metering.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";

/** A clock that moves when it is told to. Who sleeps but shortly moves it, as whoever lets others go first does. */
export class ManualClock implements Clock {
	#now = Date.parse("2026-01-02T03:04:05.000Z");
	readonly #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

	/** How many sleep, and for long. */
	get sleepers(): number {
		return this.#sleepers.length;
	}

	now(): number {
		return this.#now;
	}

	monotonic(): number {
		return this.#now;
	}

	sleep(ms: number, signal?: AbortSignal): Promise<void> {
		if (ms <= 250) {
			return new Promise((resolve) => {
				setImmediate(() => {
					this.advance(ms);
					resolve();
				});
			});
		}
		const at = this.#now + ms;
		return new Promise((wake) => {
			const sleeper = { at, wake };
			this.#sleepers.push(sleeper);
			signal?.addEventListener("abort", () => {
				const place = this.#sleepers.indexOf(sleeper);
				if (place >= 0) this.#sleepers.splice(place, 1);
				wake();
			});
		});
	}

	advance(ms: number): void {
		this.#now += ms;
		for (const sleeper of this.#sleepers.splice(0)) {
			if (sleeper.at <= this.#now) sleeper.wake();
			else this.#sleepers.push(sleeper);
		}
	}
}

/** Random bytes that a seed repeats. */
export function seededRandom(seed: string): Random {
	// xoshiro128**, https://prng.di.unimi.it/xoshiro128starstar.c
	const seeds = createHash("sha256").update(seed).digest();
	const state = Uint32Array.from({ length: 4 }, (_, word) => seeds.readUInt32LE(4 * word));
	const rotated = (word: number, by: number) => (word << by) | (word >>> (32 - by));
	const next = () => {
		const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = state;
		const result = Math.imul(rotated(Math.imul(s1, 5), 7), 9) >>> 0;
		const [t2, t3] = [s2 ^ s0, s3 ^ s1];
		state.set([s0 ^ t3, s1 ^ t2, t2 ^ (s1 << 9), rotated(t3, 11)]);
		return result;
	};
	return {
		bytes(length) {
			const words = Uint32Array.from({ length: Math.ceil(length / 4) }, next);
			return new Uint8Array(words.buffer, 0, length);
		},
		fraction: () => next() / 2 ** 32,
	};
}

export interface Reply {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** The body as JSON; undefined where it is none. */
	// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
	readonly body: any;
}

export interface WorldOptions {
	readonly store?: ObjectStore;
	readonly clock?: ManualClock;
	readonly seed?: string;
	readonly authenticate?: Authenticate;
	readonly rates?: Parts["rates"];
	readonly config?: HttpConfig;
	/** Put between the meter and the bucket. */
	readonly wrap?: (store: ObjectStore) => ObjectStore;
	readonly probe?: Parts["probe"];
	readonly summarizer?: Parts["summarizer"];
}

/** One instance of the service, in this process, and the bucket that it may share with others. */
export class World {
	readonly clock: ManualClock;
	readonly bucket: ObjectStore;
	readonly lines: LogLine[] = [];
	readonly #options: WorldOptions;
	readonly #app: ReturnType<typeof createApp>;
	readonly #background: Promise<unknown>[] = [];

	constructor(options: WorldOptions = {}) {
		this.#options = options;
		this.clock = options.clock ?? new ManualClock();
		this.bucket = options.store ?? new MemoryStore({ now: () => this.clock.now() });
		const random = seededRandom(options.seed ?? "world");
		const { clock, bucket } = this;
		const wrap = options.wrap ?? ((store: ObjectStore) => store);
		this.#app = createApp({
			log: new Log({ clock, random }),
			catalogue: new Catalogue({ clock, random }),
			clock,
			random,
			meter: () => {
				const store = new MeteredStore(wrap(bucket), { now: () => clock.monotonic() });
				return {
					store,
					announce: (reads) => store.announce(reads),
					serverTiming: () => store.serverTiming(),
					requests: () => store.requests(),
					counts: () => store.counts(),
				};
			},
			authenticate: options.authenticate ?? openOnLoopback("tests"),
			writeLog: (line) => this.lines.push(line),
			background: (work) => this.#background.push(work),
			...(options.rates && { rates: options.rates }),
			...(options.config && { config: options.config }),
			...(options.probe && { probe: options.probe }),
			...(options.summarizer && { summarizer: options.summarizer }),
		});
	}

	/** Another instance on the same bucket, that knows nothing yet. */
	cold(options: WorldOptions = {}): World {
		coldOnes++;
		const { bucket: store, clock } = this;
		return new World({ ...this.#options, seed: `cold ${coldOnes}`, ...options, store, clock });
	}

	async send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
		this.clock.advance(1);
		return this.#app.request(path, { method, ...init });
	}

	/** Takes a request as a server hands it on. */
	async fetch(request: Request): Promise<Response> {
		return this.#app.fetch(request);
	}

	/** Sends a body as JSON, or none, and reads the whole answer. */
	async call(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<Reply> {
		const init: RequestInit =
			body === undefined
				? { headers }
				: {
						body:
							typeof body === "string" || body instanceof Uint8Array
								? (body as BodyInit)
								: JSON.stringify(body),
						headers: { "Content-Type": "application/json", ...headers },
					};
		return replyOf(await this.send(method, path, init));
	}

	get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
		return this.call("GET", path, undefined, headers);
	}

	post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
		return this.call("POST", path, body, headers);
	}

	put(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
		return this.call("PUT", path, body, headers);
	}

	/** A new session with these entries; its address. */
	async session(entries: readonly object[] = [], fields: object = {}): Promise<string> {
		const reply = await this.post("/v1/sessions", { ...fields, ...(entries.length > 0 && { entries }) });
		if (reply.status !== 201) throw new Error(reply.text);
		return `/v1/sessions/${reply.body.id}`;
	}
}

let coldOnes = 0;

export async function replyOf(response: Response): Promise<Reply> {
	const text = await response.text();
	const isJson = /^application\/(problem\+)?json$/.test(
		(response.headers.get("Content-Type") ?? "").split(";")[0] ?? "",
	);
	return {
		status: response.status,
		headers: response.headers,
		text,
		body: isJson && text !== "" ? JSON.parse(text) : undefined,
	};
}

export function user(text: string, more: object = {}): object {
	return { type: "message", message: { role: "user", content: text, timestamp: 1_767_323_045_000 }, ...more };
}

/** Requests to the store that an answer tells of, by kind. */
export function requestsOf(reply: Pick<Reply, "headers">): Record<string, number> {
	const header = reply.headers.get("Server-Timing") ?? "";
	return Object.fromEntries(
		[...header.matchAll(/([a-z-]+);desc="(\d+)"/g)].map(([, kind = "", count]) => [kind, Number(count)]),
	);
}
