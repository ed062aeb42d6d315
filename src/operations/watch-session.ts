import type { LogView } from "../log/log.ts";
import type { Call } from "./call.ts";
import { entryLines } from "./entry-lines.ts";
import { linkedLine, type MediaHref } from "./link-media.ts";
import type { Lookout } from "./lookout.ts";
import { roomFor } from "./memory.ts";
import { type Opened, openedOf, readableLog } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { deletedSession, noSuchSession, type Refusal } from "./refusal.ts";
import { type Version, versionOf } from "./version.ts";
import { Waiting } from "./waiting.ts";

/** Times are in ms. */
export interface WatchSettings {
	/** Between two looks at the log: at first and after news; it doubles up to the longest. */
	readonly firstPause: number;
	readonly longestPause: number;
	/** After so long without anything else to say, a sign of life. */
	readonly heartbeat: number;
	/**
	 * Ms after which a notice of the same instance is noticed, where no request may take part in another's work. Left
	 * out: at once, and all who watch a session here share their looks. See {@link Waiting} and {@link Lookout}.
	 */
	readonly slice?: number;
	/**
	 * A watch ends after so long, or about so many requests to the store (one page more at most): platforms bound both
	 * for one request, https://developers.cloudflare.com/workers/platform/limits/.
	 */
	readonly lifetime: number;
	readonly requests: number;
	/** How long a watch of what is shared goes on before the share is looked at again. */
	readonly sharedLifetime: number;
	/** Entries and bytes of lines that are held at a time; one entry may have more. */
	readonly pageEntries: number;
	readonly pageBytes: number;
}

export const watchDefaults: WatchSettings = {
	firstPause: 250,
	longestPause: 5000,
	heartbeat: 15_000,
	lifetime: 10 * 60_000,
	requests: 800,
	sharedLifetime: 60_000,
	pageEntries: 100,
	pageBytes: 1024 * 1024,
};

export interface WatchRequest {
	readonly id: string;
	/** Only entries with a higher seq; left out: those written from now on. */
	readonly after?: number;
	/** Puts links in the place of base64 data. */
	readonly media?: MediaHref;
	readonly settings?: Partial<WatchSettings>;
}

export interface SeenEntry {
	readonly seq: number;
	/** Its JSON text. */
	readonly line: Uint8Array;
}

export type WatchStep =
	| {
			readonly kind: "entries";
			readonly entries: readonly SeenEntry[];
			/** The state that they were read from. */
			readonly version: Version;
	  }
	/** Nothing to tell for a while. */
	| { readonly kind: "quiet" }
	/** The last step. */
	| { readonly kind: "deleted" };

export interface Watch {
	/** The seq after which it starts. */
	readonly start: number;
	/**
	 * In log order, without gap and without repeat, until the session is deleted or the time is over. Each step is made
	 * when it is asked for.
	 */
	readonly steps: AsyncIterable<WatchStep>;
	/** Ends it early, and lets go of all that it holds. */
	close(): void;
}

/** The entries of a session as they are written, by whatever instance. */
export async function watchSession(call: Call, request: WatchRequest): Promise<Outcome<Watch>> {
	const settings = { ...watchDefaults, ...call.watching?.settings, ...request.settings };
	const log = readableLog(call, request.id);
	if (log === undefined) return noSuchSession;
	const waiting = new Waiting(call.clock, call.signal, settings.slice);
	// Listens before it looks, so that nothing falls between.
	const joined = call.watching?.lookouts.join(log, waiting, call.clock);
	const lookout = settings.slice === undefined ? joined : undefined;
	const close = () => {
		call.watching?.lookouts.leave(log, waiting);
		waiting.end();
	};
	// Each look is a request to the log of its own: it sees what was acknowledged before it. What it finds is for all,
	// so each watcher asks for room by itself.
	const { admit: _, ...firstScope } = call.scope;
	const { deadline: __, ...scope } = firstScope;
	const look: Course["look"] = async (freshFor) => {
		const read = () => call.log.read(freshFor === undefined ? firstScope : scope, log, "bodies");
		if (lookout === undefined) return openedOf(call, await read());
		const found =
			freshFor === undefined ? lookout.lookNow(waiting, read) : lookout.look(waiting, read, freshFor);
		return openedOf(call, await found);
	};
	try {
		const opened = await look();
		if (opened.kind === "ok") {
			const start = request.after ?? opened.view.length;
			const steps = stepsOf({ call, request, settings, waiting, look, close }, opened.view, start);
			return done({ start, steps, close }, versionOf(opened.view));
		}
		close();
		return opened;
	} catch (error) {
		close();
		throw error;
	}
}

/** What the log holds after `request.after`, or what it holds next within `wait` ms; possibly nothing. */
export async function awaitEntries(
	call: Call,
	request: Omit<WatchRequest, "settings"> & { readonly wait: number },
): Promise<
	| Refusal
	| Outcome<{ readonly entries: readonly SeenEntry[]; readonly seq: number; readonly nextCursor?: number }>
> {
	const settings = { heartbeat: Number.POSITIVE_INFINITY, lifetime: request.wait };
	const watch = await watchSession(call, { ...request, settings });
	if (watch.kind === "refused") return watch;
	const { start, steps, close } = watch.value;
	try {
		for await (const step of steps) {
			if (step.kind === "deleted") return deletedSession;
			if (step.kind === "quiet") continue;
			const { entries, version } = step;
			const last = entries.at(-1)?.seq ?? start;
			return done({ entries, seq: version.seq, ...(last < version.seq && { nextCursor: last }) }, version);
		}
		return done({ entries: [], seq: watch.version.seq }, watch.version);
	} finally {
		close();
	}
}

interface Course {
	readonly call: Call;
	readonly request: WatchRequest;
	readonly settings: WatchSettings;
	readonly waiting: Waiting;
	/** The session as a look of at most so many ms ago found it; left out: as it is now. */
	readonly look: (freshFor?: number) => Promise<Opened>;
	readonly close: () => void;
}

async function* stepsOf(course: Course, first: LogView, start: number): AsyncGenerator<WatchStep> {
	const { call, settings, waiting, look } = course;
	const { clock } = call;
	const lifetime = call.shared ? Math.min(settings.lifetime, settings.sharedLifetime) : settings.lifetime;
	const over = clock.monotonic() + lifetime;
	const spent = () => (call.requests?.() ?? 0) >= settings.requests;
	let said = clock.monotonic();
	let pause = settings.firstPause;
	let after = start;
	let view = first;
	try {
		for (;;) {
			while (after < view.length && !waiting.ended) {
				const entries = await pageOf(course, view, after);
				after = entries.at(-1)?.seq ?? view.length;
				yield { kind: "entries", entries, version: versionOf(view) };
				// They were taken.
				call.readPlace?.release();
				said = clock.monotonic();
				pause = settings.firstPause;
				if (said > over || spent()) return;
			}
			while (!waiting.told && !waiting.ended) {
				const now = clock.monotonic();
				if (now >= over || spent()) return;
				if (now >= said + settings.heartbeat) {
					yield { kind: "quiet" };
					said = clock.monotonic();
				}
				const until = Math.min(pause, said + settings.heartbeat - now, over - now);
				await waiting.rest(until);
				if (until === pause) break;
			}
			if (waiting.ended) return;
			const told = waiting.take();
			const opened = await look(told ? Number.POSITIVE_INFINITY : pause);
			pause = told ? settings.firstPause : Math.min(2 * pause, settings.longestPause);
			if (opened.kind === "refused") {
				yield { kind: "deleted" };
				return;
			}
			view = opened.view;
		}
	} finally {
		course.close();
	}
}

async function pageOf(course: Course, view: LogView, after: number): Promise<SeenEntry[]> {
	const { settings, request, call } = course;
	const seqs: number[] = [];
	let bytes = 0;
	for (let seq = after + 1; seq <= view.length && seqs.length < settings.pageEntries; seq++) {
		const length = view.byteLength(seq);
		if (seqs.length > 0 && bytes + length > settings.pageBytes) break;
		bytes += length;
		seqs.push(seq);
	}
	if (call.readPlace) await roomFor(call.readPlace, bytes);
	const lines = await entryLines(view, seqs);
	return lines.first.map((line, at) => ({
		seq: seqs[at] ?? after,
		line: request.media ? linkedLine(line, request.media) : line,
	}));
}
