import { deletePages } from "./delete-pages.ts";
import type {
	GetOptions,
	GetOutcome,
	ListOptions,
	ListPage,
	ObjectStore,
	PutOptions,
	PutOutcome,
} from "./object-store.ts";

/** The kinds of request, in the order they are told. */
const kinds = ["get", "put", "list", "delete"] as const;
export type RequestKind = (typeof kinds)[number];

export interface RequestCount {
	/** Requests sent. */
	readonly requests: number;
	/** Milliseconds during which at least one of them was under way. */
	readonly duration: number;
}

export interface StoreCounts extends Readonly<Record<RequestKind, RequestCount>> {
	readonly bytesRead: number;
	readonly bytesWritten: number;
}

/**
 * Counts the requests sent to a store. It belongs right above the adapter, below whatever repeats requests.
 * `now` is a clock that nobody sets, in milliseconds.
 */
export class MeteredStore implements ObjectStore {
	readonly #store: ObjectStore;
	readonly #meters: Readonly<Record<RequestKind, Meter>>;
	#bytesRead = 0;
	#bytesWritten = 0;
	#announcedGets = 0;
	#announcedBytes = 0;

	constructor(store: ObjectStore, parts: { readonly now: () => number }) {
		this.#store = store;
		const meter = () => new Meter(parts.now);
		this.#meters = { get: meter(), put: meter(), list: meter(), delete: meter() };
	}

	/** Bytes count as written when they are sent, whatever comes of it. */
	put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<PutOutcome> {
		this.#bytesWritten += bytes.length;
		return this.#meters.put.measure(() => this.#store.put(key, bytes, options));
	}

	async get(key: string, options?: GetOptions): Promise<GetOutcome> {
		const outcome = await this.#meters.get.measure(() => this.#store.get(key, options));
		if (outcome.kind === "found") this.#bytesRead += outcome.bytes.length;
		return outcome;
	}

	list(prefix: string, options?: ListOptions): Promise<ListPage> {
		return this.#meters.list.measure(() => this.#store.list(prefix, options));
	}

	async delete(keys: readonly string[]): Promise<void> {
		for (const page of deletePages(keys)) await this.#meters.delete.measure(() => this.#store.delete(page));
	}

	counts(): StoreCounts {
		const { get, put, list, delete: remove } = this.#meters;
		return {
			get: get.count(),
			put: put.count(),
			list: list.count(),
			delete: remove.count(),
			bytesRead: this.#bytesRead,
			bytesWritten: this.#bytesWritten,
		};
	}

	/** Requests sent so far, of all kinds. */
	requests(): number {
		return kinds.reduce((sum, kind) => sum + this.#meters[kind].count().requests, 0);
	}

	/** Counts reads that are planned, and not sent yet, for {@link serverTiming} alone. */
	announce(reads: { readonly gets: number; readonly bytes: number }): void {
		this.#announcedGets += reads.gets;
		this.#announcedBytes += reads.bytes;
	}

	/** The value of a `Server-Timing` header: kinds that were used, then the bytes. */
	serverTiming(): string {
		const counts = this.counts();
		const sent = (kind: RequestKind) => counts[kind].requests + (kind === "get" ? this.#announcedGets : 0);
		const used = kinds.filter((kind) => sent(kind) > 0);
		return [
			...used.map((kind) => `${kind};desc="${sent(kind)}";dur=${round(counts[kind].duration)}`),
			`bytes-read;desc="${counts.bytesRead + this.#announcedBytes}"`,
			`bytes-written;desc="${counts.bytesWritten}"`,
		].join(", ");
	}
}

/** Counts one kind of request; those that overlap share their time. */
class Meter {
	readonly #now: () => number;
	#requests = 0;
	#underWay = 0;
	#since = 0;
	#duration = 0;

	constructor(now: () => number) {
		this.#now = now;
	}

	async measure<T>(send: () => Promise<T>): Promise<T> {
		this.#requests += 1;
		if (this.#underWay++ === 0) this.#since = this.#now();
		try {
			return await send();
		} finally {
			if (--this.#underWay === 0) this.#duration += this.#now() - this.#since;
		}
	}

	count(): RequestCount {
		const running = this.#underWay > 0 ? this.#now() - this.#since : 0;
		return { requests: this.#requests, duration: this.#duration + running };
	}
}

/** Tenths of a millisecond are all a clock in a Worker is good for. */
function round(milliseconds: number): number {
	return Math.round(milliseconds * 10) / 10;
}
