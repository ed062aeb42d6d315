import type { Moment } from "./clocks.ts";
import type { LogView, NewRecord } from "./record.ts";
import type { Scope } from "./scope.ts";

/** Where the records of one request came to lie. */
export interface Placed {
	/** `seq` of the first and of the last record. */
	readonly first: number;
	readonly last: number;
	/** Where the head is after them. */
	readonly head: string | null;
	/** Number of the commit that holds them. */
	readonly commit: number;
}

/** What a request does at one place of the log. */
export type Decision<T> =
	| {
			readonly kind: "commit";
			readonly records: readonly NewRecord[];
			readonly result: (placed: Placed) => T;
	  }
	/** A refusal, a replay, nothing to do: writes nothing. Only given on a tail confirmed after the request arrived. */
	| { readonly kind: "answer"; readonly answer: T };

export interface AppendRequest<T> {
	/** Fixed on arrival, stored with the first record, and looked up for ever. */
	readonly tag: string;
	/**
	 * Called for every place that is tried, with what holds at this place, group-mates placed before it included.
	 * `landed`: what the view holds under the request's tag is this very request's, from a commit that was sent before.
	 * Must look for the tag and for known ids before anything else. May read bodies of the view.
	 */
	decide(view: LogView, landed: boolean): Decision<T> | Promise<Decision<T>>;
}

export type AppendOutcome<T> =
	| { readonly kind: "done"; readonly answer: T; readonly view: LogView }
	| { readonly kind: "absent" }
	| { readonly kind: "gone" }
	/** Not known (`indeterminate`), or surely not done (`contention`): ask again with the same id or key. */
	| { readonly kind: "unavailable"; readonly reason: "indeterminate" | "contention" };

/** A request that waits for its place in the log. */
export class Member {
	readonly scope: Scope;
	readonly arrived: Moment;
	readonly request: AppendRequest<unknown>;
	/** The commits that were sent with this request. */
	readonly writeIds = new Set<string>();
	/** Those of them that may have landed or may yet land: their numbers by their writeIds. */
	readonly open = new Map<string, number>();
	outcome: AppendOutcome<unknown> | undefined;
	failure: { readonly error: unknown } | undefined;
	#wake: () => void = () => {};
	#changed = this.#next();

	constructor(scope: Scope, arrived: Moment, request: AppendRequest<unknown>) {
		this.scope = scope;
		this.arrived = arrived;
		this.request = request;
	}

	get attempted(): boolean {
		return this.writeIds.size > 0;
	}

	get settled(): boolean {
		return this.outcome !== undefined || this.failure !== undefined;
	}

	/** Resolves at the next call of {@link wake}. */
	get changed(): Promise<void> {
		return this.#changed;
	}

	/** The first outcome counts: an own look and the group's may both bring one. */
	settle(outcome: AppendOutcome<unknown>): void {
		if (!this.settled) this.outcome = outcome;
		this.wake();
	}

	fail(error: unknown): void {
		if (!this.settled) this.failure = { error };
		this.wake();
	}

	wake(): void {
		const wake = this.#wake;
		this.#changed = this.#next();
		wake();
	}

	#next(): Promise<void> {
		return new Promise((resolve) => {
			this.#wake = resolve;
		});
	}
}
