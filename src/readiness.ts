import type { Clock, Random } from "./log/log.ts";
import { type Capability, probePrefix, probeStore } from "./store/capability.ts";
import type { ObjectStore } from "./store/object-store.ts";

/** Milliseconds for which an answer is given again without asking the store, since anybody may ask for it. */
const remembered = 5000;

/** Whether an instance can serve: its store is one that can hold sessions, and it answers. */
export class Readiness {
	readonly #open: () => ObjectStore;
	readonly #clock: Clock;
	readonly #random: Random;
	#proved = false;
	#last: { readonly capability: Capability; readonly at: number } | undefined;

	/** `open` gives a way to the store that belongs to one request. */
	constructor(parts: { readonly open: () => ObjectStore; readonly clock: Clock; readonly random: Random }) {
		this.#open = parts.open;
		this.#clock = parts.clock;
		this.#random = parts.random;
	}

	/**
	 * Probes the store; once it has proved itself, one LIST tells that it is there.
	 * @throws StoreUnavailable
	 */
	async check(): Promise<Capability> {
		const now = this.#clock.monotonic();
		if (this.#last !== undefined && now - this.#last.at < remembered) return this.#last.capability;
		const capability = await this.#ask();
		this.#proved = capability.kind === "ready";
		this.#last = { capability, at: this.#clock.monotonic() };
		return capability;
	}

	async #ask(): Promise<Capability> {
		const store = this.#open();
		if (this.#proved) {
			await store.list(probePrefix, { limit: 1 });
			return { kind: "ready" };
		}
		const name = Array.from(this.#random.bytes(12), (byte) => byte.toString(16).padStart(2, "0")).join("");
		return probeStore(store, { name, sleep: this.#clock.sleep });
	}
}
