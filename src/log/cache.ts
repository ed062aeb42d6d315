import type { Engine } from "./engine.ts";
import { LogState } from "./log-state.ts";
import { LogWriter } from "./writer.ts";

/** A log as this instance knows it. */
export interface CachedLog {
	readonly state: LogState;
	readonly writer: LogWriter;
}

/** The logs that an instance knows, the least recently used dropped first, bounded by bytes. Never the truth. */
export class LogCache {
	readonly #most: number;
	readonly #logs = new Map<string, CachedLog>();
	readonly #weights = new Map<string, number>();
	#total = 0;

	/** @param most bytes, roughly */
	constructor(most: number) {
		this.#most = most;
	}

	/** The log with this prefix, known or not yet. */
	open(engine: Engine, prefix: string): CachedLog {
		const known = this.#logs.get(prefix);
		if (known) {
			this.#logs.delete(prefix);
			this.#logs.set(prefix, known);
			return known;
		}
		const state = new LogState(prefix);
		const log = { state, writer: new LogWriter(engine, state) };
		this.#logs.set(prefix, log);
		return log;
	}

	/** Forgets a log, to read it anew. */
	drop(prefix: string): void {
		this.#logs.delete(prefix);
		this.#total -= this.#weights.get(prefix) ?? 0;
		this.#weights.delete(prefix);
	}

	/** Counts what a state weighs now. */
	weigh(state: LogState): void {
		if (this.#logs.get(state.prefix)?.state !== state) return;
		if (state.bodiesWeight > this.#most / 2) state.dropBodies();
		this.#total += state.weight - (this.#weights.get(state.prefix) ?? 0);
		this.#weights.set(state.prefix, state.weight);
		for (const prefix of this.#logs.keys()) {
			if (this.#total <= this.#most) break;
			if (prefix !== state.prefix) this.drop(prefix);
		}
	}
}
