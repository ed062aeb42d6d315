import { ancestors, isOnPath } from "./ancestors.ts";
import type { SessionIndex } from "./session-index.ts";
import { treeParent } from "./tree-shape.ts";

/** How far up the path a call is looked for before all of the session is read: its result mostly follows at once. */
const near = 32;

/** Which entries issued which tool calls. One for an index that only grows, so that many questions cost one reading. */
export class ToolCalls {
	readonly #index: SessionIndex;
	/** The assistant messages that issued a call, in log order, as far as they were read. */
	readonly #issuers = new Map<string, number[]>();
	#read = 0;

	constructor(index: SessionIndex) {
		this.#index = index;
	}

	/**
	 * Where the result of a call belongs that was issued only off the current path: the assistant message that
	 * issued it last, or the last of the results that follow on it. Undefined where it is on the path, or nowhere.
	 */
	stranded(callId: string): number | undefined {
		const index = this.#index;
		const head = index.head === null ? 0 : (index.seqOf(index.head) ?? 0);
		let steps = 0;
		for (const seq of ancestors(index, head)) {
			if (this.#callsOf(seq).includes(callId)) return undefined;
			if (++steps === near) break;
		}
		const issuers = this.#issuersOf(callId);
		const last = issuers.at(-1);
		if (last === undefined || issuers.some((issuer) => isOnPath(index, head, issuer))) return undefined;
		return this.#lastResult(last);
	}

	#issuersOf(callId: string): readonly number[] {
		while (this.#read < this.#index.length) {
			const seq = ++this.#read;
			for (const call of this.#callsOf(seq)) {
				const issuers = this.#issuers.get(call);
				if (issuers === undefined) this.#issuers.set(call, [seq]);
				else issuers.push(seq);
			}
		}
		return this.#issuers.get(callId) ?? [];
	}

	#callsOf(seq: number): readonly string[] {
		if (this.#index.kind(seq) !== "m.assistant") return [];
		const calls = this.#index.meta(seq).c;
		return Array.isArray(calls) ? calls.filter((call) => typeof call === "string") : [];
	}

	/** The end of the results that hang one below the other under an assistant message; itself where there is none. */
	#lastResult(assistant: number): number {
		let last = assistant;
		for (let seq = assistant + 1; seq <= this.#index.length; seq++) {
			if (this.#index.kind(seq) === "m.toolResult" && treeParent(this.#index, seq) === last) last = seq;
		}
		return last;
	}
}
