import {
	type Clock,
	Log,
	type LogLimits,
	type LogView,
	type NewRecord,
	type Random,
	type Scope,
} from "../../src/log/log.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { MeteredStore } from "../../src/store/metering.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";

/** A clock that stands still while anything else goes on, and then jumps to when the next sleeper wakes. */
export class ManualClock implements Clock {
	ms = 1_750_000_000_000;
	readonly #sleepers: { at: number; wake: () => void }[] = [];
	now = (): number => this.ms;
	monotonic = (): number => this.ms;

	sleep(ms: number): Promise<void> {
		return new Promise((wake) => {
			this.#sleepers.push({ at: this.ms + ms, wake });
			if (this.#sleepers.length === 1) setTimeout(() => this.#next(), 5);
		});
	}

	#next(): void {
		this.#sleepers.sort((a, b) => a.at - b.at);
		const next = this.#sleepers.shift();
		if (next === undefined) return;
		this.ms = Math.max(this.ms, next.at);
		next.wake();
		if (this.#sleepers.length > 0) setTimeout(() => this.#next(), 5);
	}
}

/** Repeatable randomness (mulberry32). */
export function seededRandom(seed: number): Random {
	let state = seed >>> 0;
	const fraction = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
	return { fraction, bytes: (length) => Uint8Array.from({ length }, () => Math.floor(fraction() * 256)) };
}

/** One bucket in memory, and as many instances over it as a test wants. */
export class World {
	readonly clock: ManualClock;
	readonly store: ObjectStore;
	#instances = 0;

	constructor(store?: ObjectStore, clock = new ManualClock()) {
		this.clock = clock;
		this.store = store ?? new MemoryStore({ now: () => this.clock.now() });
	}

	instance(limits: Partial<LogLimits> = {}): Log {
		return new Log({ clock: this.clock, random: seededRandom(++this.#instances), limits });
	}

	/** A request's scope with its own counts. */
	scope(): Scope & { readonly store: MeteredStore } {
		return { store: new MeteredStore(this.store, { now: () => this.clock.now() }) };
	}
}

const encoder = new TextEncoder();

/** A record of about `bytes` bytes, hung below the head where no parent is given. */
export function record(
	view: Pick<LogView, "head">,
	id: string,
	bytes = 200,
	parent?: string | null,
): NewRecord {
	const hung = parent === undefined ? view.head : parent;
	const line = JSON.stringify({
		type: "message",
		id,
		parentId: hung,
		text: "x".repeat(Math.max(0, bytes - 60)),
	});
	return {
		id,
		parent: hung,
		kind: "m.user",
		time: "2026-01-01T00:00:00.000Z",
		meta: { p: "x".repeat(60) },
		bytes: encoder.encode(line),
	};
}

export const genesis = {
	meta: { cwd: "/" },
	bytes: encoder.encode(
		'{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}',
	),
};

/** Appends one record and gives its place. */
export async function appendOne(
	log: Log,
	scope: Scope,
	name: { namespace: string; id: string },
	id: string,
	bytes?: number,
) {
	return log.append(scope, name, {
		tag: `tag-${id}`,
		decide(view) {
			const [seq] = view.request(`tag-${id}`);
			if (seq !== undefined) return { kind: "answer", answer: { seq, replayed: true } };
			return {
				kind: "commit",
				records: [record(view, id, bytes)],
				result: ({ first }) => ({ seq: first, replayed: false }),
			};
		},
	});
}

/** All that a view says, for comparison. */
export async function contentsOf(view: LogView): Promise<object> {
	const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
	const seqs = Array.from({ length: view.length }, (_, k) => k + 1);
	const bodies = await view.bodies(seqs);
	return {
		commit: view.commit,
		length: view.length,
		head: view.head,
		genesis: view.genesis,
		first: decoder.decode(await view.genesisBody()),
		records: seqs.map((seq) => ({
			id: view.id(seq),
			parent: view.parent(seq),
			parentSeq: view.parentSeq(seq),
			kind: view.kind(seq),
			time: view.time(seq),
			meta: view.meta(seq),
			commit: view.commitOf(seq),
			body: decoder.decode(bodies.get(seq)),
		})),
	};
}
