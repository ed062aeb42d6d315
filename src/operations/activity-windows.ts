import type { Clock, Namespace, Scope } from "../log/log.ts";

/** Something that is told of a session more than once; the highest `seq` is the newest. */
interface Told {
	readonly id: string;
	readonly seq: number;
}

interface Window<T> {
	/** The request that opened it, whose means are used at its end. */
	readonly scope: Scope;
	readonly namespace: Namespace;
	readonly shard: number;
	readonly opened: number;
	readonly newest: Map<string, T>;
}

/**
 * Gathers what appends change in lists, so that a busy session is written once a window and not once an append.
 * The request that opens a window ends it, after its answer. Where the platform has ended that request, the next
 * one that wakes after the window's time does.
 */
export class ActivityWindows<T extends Told> {
	readonly #clock: Clock;
	readonly #lag: number;
	readonly #write: (scope: Scope, namespace: Namespace, shard: number, all: readonly T[]) => Promise<unknown>;
	readonly #open = new Map<string, Window<T>>();

	/** `lag`: a window's length in ms; 0: everything is written at once, and waited for. */
	constructor(parts: {
		readonly clock: Clock;
		readonly lag: number;
		readonly write: (
			scope: Scope,
			namespace: Namespace,
			shard: number,
			all: readonly T[],
		) => Promise<unknown>;
	}) {
		this.#clock = parts.clock;
		this.#lag = parts.lag;
		this.#write = parts.write;
	}

	/** Never throws: what could not be written is brought along by the session's next change. */
	async add(scope: Scope, namespace: Namespace, shard: number, told: T): Promise<void> {
		const key = keyOf(namespace, shard);
		const window = this.#open.get(key) ?? {
			scope,
			namespace,
			shard,
			opened: this.#clock.monotonic(),
			newest: new Map<string, T>(),
		};
		this.#open.set(key, window);
		const known = window.newest.get(told.id);
		if (known === undefined || known.seq < told.seq) window.newest.set(told.id, told);
		if (this.#lag === 0) return this.#end(key, window, scope);
		const work = this.#wait(key, window, scope);
		scope.waitUntil?.(work);
	}

	/** A deleted session is of no interest any more. */
	drop(namespace: Namespace, shard: number, id: string): void {
		this.#open.get(keyOf(namespace, shard))?.newest.delete(id);
	}

	/** Ends all windows now. */
	async flush(): Promise<void> {
		await Promise.all([...this.#open].map(([key, window]) => this.#end(key, window, window.scope)));
	}

	async #wait(key: string, window: Window<T>, scope: Scope): Promise<void> {
		await this.#clock.sleep(this.#lag);
		const current = this.#open.get(key);
		if (current === undefined) return;
		const overdue = this.#clock.monotonic() - current.opened >= this.#lag;
		if ((current === window && scope === window.scope) || overdue) await this.#end(key, current, scope);
	}

	async #end(key: string, window: Window<T>, scope: Scope): Promise<void> {
		if (this.#open.get(key) === window) this.#open.delete(key);
		if (window.newest.size === 0) return;
		try {
			await this.#write(scope, window.namespace, window.shard, [...window.newest.values()]);
		} catch {
			// Lists lag behind until the session changes again, or the sweep comes by.
		}
	}
}

function keyOf(namespace: Namespace, shard: number): string {
	return JSON.stringify([namespace, shard]);
}
