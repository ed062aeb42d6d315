import { type LogName, logPrefix } from "../log/log.ts";

/**
 * Tells whoever waits for news of a session that this instance has just written to it. A hint and nothing more: other
 * instances write as well, so who waits looks for themselves sooner or later.
 */
export class Notices {
	readonly #listeners = new Map<string, Set<() => void>>();

	/** The session may have changed. */
	tell(session: LogName): void {
		for (const listener of this.#listeners.get(logPrefix(session)) ?? []) listener();
	}

	/** Calls `listener` at each notice until the function that it gives back is called. */
	listen(session: LogName, listener: () => void): () => void {
		const key = logPrefix(session);
		const listeners = this.#listeners.get(key) ?? new Set();
		this.#listeners.set(key, listeners.add(listener));
		return () => {
			listeners.delete(listener);
			if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
		};
	}

	/** How many sessions somebody listens for. */
	get size(): number {
		return this.#listeners.size;
	}
}
