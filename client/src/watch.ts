import type { Entry } from "./api.ts";
import type { Connection } from "./connection.ts";
import { LeaflogError } from "./errors.ts";
import { streamEvents } from "./event-stream.ts";

export interface WatchOptions {
	/** Only entries with a higher seq; 0 for all. Left out: those written from now on. */
	readonly after?: number;
	readonly media?: "link";
	/** Ends the watch. */
	readonly signal?: AbortSignal;
	/** `poll` asks again and again, where streams can't be read: chosen by itself in React Native. */
	readonly mode?: "stream" | "poll";
	/** Is told when the connection is lost, and when it is back. */
	readonly onConnection?: (state: "connected" | "lost") => void;
}

export type WatchEvent =
	| { readonly type: "entry"; readonly seq: number; readonly entry: Entry }
	/** The last one. */
	| { readonly type: "deleted" };

/** Seconds that a poll waits; milliseconds of silence after which a stream counts as dead. */
const pollSeconds = 25;
const silence = 45_000;
const longestPause = 15_000;

/**
 * What is appended to a session, each entry once and in order, across lost connections, until the session is deleted,
 * the signal is aborted, or whoever iterates leaves.
 * @throws LeaflogError where it is refused, as for a session that isn't there
 */
export async function* watch(
	connection: Connection,
	id: string,
	options: WatchOptions = {},
): AsyncGenerator<WatchEvent, void> {
	const { signal, onConnection } = options;
	const { platform } = connection;
	const look = (options.mode ?? usualMode()) === "poll" ? poll : stream;
	const course: Course = { connection, id, options, cursor: options.after };
	let failures = 0;
	let met = false;
	while (!signal?.aborted) {
		try {
			for await (const event of look(course)) {
				if (failures > 0 || !met) onConnection?.("connected");
				met = true;
				failures = 0;
				if (event.type === "connected") continue;
				yield event;
				if (event.type === "deleted") return;
			}
			// A stream ends by itself now and then: not all come back at the same moment.
			if (look === stream) await platform.sleep(platform.random() * 500, signal);
		} catch (error) {
			if (signal?.aborted) return;
			if (error instanceof LeaflogError && !error.retryable) {
				if (error.status !== 410 || !met) throw error;
				yield { type: "deleted" };
				return;
			}
			if (failures++ === 0) onConnection?.("lost");
			const pause = platform.random() * Math.min(longestPause, 500 * 2 ** failures);
			const told = error instanceof LeaflogError ? error.retryAfter : undefined;
			await platform.sleep(Math.max(pause, told ?? 0), signal);
		}
	}
}

interface Course {
	readonly connection: Connection;
	readonly id: string;
	readonly options: WatchOptions;
	/** The seq of what was seen last; undefined before the first answer. */
	cursor: number | undefined;
}

type Look = AsyncGenerator<WatchEvent | { readonly type: "connected" }, void>;

async function* stream(course: Course): Look {
	const { connection, id, options } = course;
	const abort = new AbortController();
	const leave = () => abort.abort();
	options.signal?.addEventListener("abort", leave, { once: true });
	if (options.signal?.aborted) leave();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const expectMore = () => {
		clearTimeout(timer);
		timer = setTimeout(leave, silence);
	};
	try {
		const response = await connection.respond(
			"watchSession",
			{ path: { id }, query: queryOf(course), headers: { Accept: "text/event-stream" } },
			{ signal: abort.signal, retries: 0 },
		);
		if (response.body === null) throw new TypeError("the answer has no body to read from");
		yield { type: "connected" };
		expectMore();
		for await (const { event, data, id: cursor } of streamEvents(response.body)) {
			// Nobody is silent while the reader of an event takes its time.
			clearTimeout(timer);
			const seq = Number(cursor);
			if (cursor !== undefined && Number.isSafeInteger(seq)) course.cursor = seq;
			if (event === "entry" && data !== undefined) {
				yield { type: "entry", seq, entry: JSON.parse(data) as Entry };
			} else if (event === "deleted") yield { type: "deleted" };
			expectMore();
		}
	} finally {
		clearTimeout(timer);
		options.signal?.removeEventListener("abort", leave);
		abort.abort();
	}
}

async function* poll(course: Course): Look {
	const { connection, id, options } = course;
	const query = { ...queryOf(course), wait: course.cursor === undefined ? 0 : pollSeconds };
	const { value } = await connection.call(
		"watchSession",
		{ path: { id }, query, headers: { Accept: "application/json" } },
		{ ...(options.signal && { signal: options.signal }) },
	);
	yield { type: "connected" };
	const last = value.nextCursor ?? value.seq;
	for (const [at, entry] of value.entries.entries()) {
		const seq = last - value.entries.length + 1 + at;
		course.cursor = seq;
		yield { type: "entry", seq, entry };
	}
	course.cursor = Math.max(last, course.cursor ?? 0);
}

function queryOf({ cursor, options }: Course) {
	return { ...(cursor !== undefined && { after: cursor }), ...(options.media && { media: options.media }) };
}

function usualMode(): "stream" | "poll" {
	const { navigator } = globalThis as { navigator?: { product?: string } };
	return navigator?.product === "ReactNative" || typeof ReadableStream === "undefined" ? "poll" : "stream";
}
