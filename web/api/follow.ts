import type { Entry } from "../tree/grow.ts";
import { type Api, ApiProblem } from "./api.ts";
import { ServerEvents } from "./server-events.ts";

/** How a session is followed: by its stream, by asking again and again, or not just now. */
export type Liveness = "live" | "polling" | "away";

export type Step =
	| { readonly kind: "entries"; readonly entries: readonly Entry[] }
	| { readonly kind: "liveness"; readonly liveness: Liveness }
	| { readonly kind: "deleted" };

/** Milliseconds between two looks, and those after failures, up to the last one. */
const pause = 3000;
const pauses = [500, 1000, 2000, 5000, 15_000];

/**
 * What is appended to a session after `after`, without gap or repeat, until it is deleted or the signal comes.
 * Streams that end are taken up again; where there are none it asks for new entries. `sleep` resolves after so many
 * milliseconds. Throws what can't be mended by waiting: a refusal other than of the stream itself.
 */
export async function* follow(
	api: Pick<Api, "events" | "entries">,
	id: string,
	after: number,
	{ signal, sleep }: { readonly signal: AbortSignal; readonly sleep: (ms: number) => Promise<void> },
): AsyncGenerator<Step> {
	let [seq, failures, streams] = [after, 0, true];
	while (!signal.aborted) {
		try {
			const steps = streams ? streamed(api, id, seq, signal) : polled(api, id, seq);
			for await (const step of steps) {
				failures = 0;
				if (step.kind === "entries") seq += step.entries.length;
				yield step;
				if (step.kind === "deleted") return;
			}
			await sleep(streams ? pauses[0]! : pause);
		} catch (problem) {
			if (signal.aborted) return;
			if (problem instanceof ApiProblem) {
				if (problem.status === 410) return yield { kind: "deleted" };
				const passing = problem.status === 429 || problem.status >= 500;
				if (!passing && !streams) throw problem;
				if (!passing) {
					streams = false;
					continue;
				}
			}
			yield { kind: "liveness", liveness: "away" };
			await sleep(pauses[Math.min(failures++, pauses.length - 1)]!);
		}
	}
}

async function* streamed(
	api: Pick<Api, "events">,
	id: string,
	after: number,
	signal: AbortSignal,
): AsyncGenerator<Step> {
	const answer = await api.events(id, after, signal);
	if (!answer.headers.get("Content-Type")?.startsWith("text/event-stream") || answer.body === null)
		throw new ApiProblem(406, "no_stream", "The service sends no stream");
	yield { kind: "liveness", liveness: "live" };
	const events = new ServerEvents();
	for await (const text of textsOf(answer.body)) {
		const said = events.read(text);
		const entries = said
			.filter(({ event }) => event === "entry")
			.map(({ data }) => JSON.parse(data) as Entry);
		if (entries.length > 0) yield { kind: "entries", entries };
		if (said.some(({ event }) => event === "deleted")) yield { kind: "deleted" };
	}
}

async function* polled(api: Pick<Api, "entries">, id: string, after: number): AsyncGenerator<Step> {
	for (let cursor: number | undefined = after; cursor !== undefined; ) {
		const page = await api.entries(id, cursor);
		yield { kind: "liveness", liveness: "polling" };
		if (page.entries.length > 0) yield { kind: "entries", entries: page.entries };
		cursor = page.nextCursor;
	}
}

/** The texts of a stream as they come. By a reader: Safari's streams are not iterable. */
async function* textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	const reader = body.getReader();
	try {
		for (let part = await reader.read(); !part.done; part = await reader.read())
			yield decoder.decode(part.value, { stream: true });
	} finally {
		await reader.cancel().catch(() => {});
	}
}
